import BridgeProtocol
import Glibc

/// `shell`: verbs, line by line.
enum ShellVerb: Verb {
    static let name = "shell"
    static let summary = "read verbs line by line"
    static let details = """
        Each line is what would follow `bridgectl` on the command line, with quotes as in a shell;
        # begins a comment. --socket, --timeout, --device and --json of this command hold for every
        line that has none. A line that is only a method is called. A verb that fails ends neither
        the shell nor those behind it; the exit code is that of the last. exit, or the end of the
        input, ends it.
        """
    static let examples = [
        "printf 'call get_flow {\"placementId\":\"onboarding\"}\\nping -n 1\\n' | bridgectl shell",
        "bridgectl shell < /dev/null",
        "printf '{\"id\":1,\"ping\":{}}\\n{\"id\":2,\"getProfile\":{}}\\n' | "
            + "nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["device"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let isTerminal = isatty(0) == 1
        var last: Int32 = 0
        while true {
            if isTerminal { output.prompt("bridgectl> ") }
            guard let line = readLine() else { break }
            let words: [String]
            do throws(Exit) {
                words = try ShellWords.split(line)
            } catch {
                output.say(error.message)
                last = error.code
                continue
            }
            guard let first = words.first else { continue }
            if first == "exit" || first == "quit" { break }
            last = await Program.run(["bridgectl"] + inherited(arguments, words))
        }
        if last != 0 { throw Exit(code: last, message: "") }
    }

    /// The words with the options of the shell before them; those of the line come later and win.
    private static func inherited(_ arguments: Arguments, _ words: [String]) -> [String] {
        var before: [String] = []
        if let socket = arguments.socket { before += ["--socket", socket] }
        for uid in arguments.trustedUids { before += ["--broker-uid", String(uid)] }
        if arguments.isGiven("timeout") {
            before += ["--timeout", "\(arguments.timeout.wholeMs)ms"]
        }
        if let json = arguments.json { before.append(json.option) }
        if arguments.isQuiet { before.append("--quiet") }
        let isMethod =
            MethodTable.named(words[0]) != nil && !Program.verbs.contains { $0.name == words[0] }
        let verb = isMethod ? "call" : words[0]
        let takesDevice = (try? Program.named(verb))?.options.contains("device") == true
        if takesDevice, !arguments.device.isEmpty { before += ["--device", arguments.device] }
        return before + (isMethod ? ["call"] : []) + words
    }
}

/// A line cut into words.
enum ShellWords {
    /// Words between white space; quotes of both kinds and backslashes as in a shell.
    ///
    /// JSON needs no quotes as long as it has no white space: what is inside of braces keeps its
    /// quotes.
    static func split(_ line: String) throws(Exit) -> [String] {
        var words: [String] = []
        var word = ""
        var isOpen = false
        var quote: Character?
        var depth = 0
        var isEscaped = false
        for character in line {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if depth > 0 {
                word.append(character)
                if character == "\\", quote != nil { isEscaped = true }
                if character == "\"" { quote = quote == nil ? character : nil }
                if quote == nil, character == "{" { depth += 1 }
                if quote == nil, character == "}" { depth -= 1 }
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                isOpen = true
            } else if character == "\\" {
                isEscaped = true
                isOpen = true
            } else if character == "#", !isOpen {
                break
            } else if character.isWhitespace {
                if isOpen { words.append(word) }
                word = ""
                isOpen = false
            } else {
                if character == "{", word.isEmpty { depth = 1 }
                word.append(character)
                isOpen = true
            }
        }
        guard quote == nil, depth == 0 else {
            throw .usage("the line ends inside of \(depth > 0 ? "braces" : "quotes"): \(line)")
        }
        if isOpen { words.append(word) }
        return words
    }
}
