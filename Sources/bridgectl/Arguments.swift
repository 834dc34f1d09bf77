import BridgeProtocol
import CLinux
import Glibc

/// The command line, read by the table of options.
struct Arguments {
    var verb: String?
    var operands: [String] = []
    var socket: String?
    var json: JSONChoice?
    var timeout = Duration.seconds(5)
    var trustedUids: [UInt32] = []
    var isQuiet = false
    var wantsHelp = false
    var wantsVersion = false
    var device = ""
    var kinds: [String] = []
    var view = ""
    var fromSequence: UInt64?
    var count: Int?
    var interval = Duration.milliseconds(200)
    var showsValues = false
    var wantsExample = false
    var broker: String?
    var jobs: Int?
    var accepts = false
    var catalog: String?
    var isPlain = false
    var record: String?
    var outputFile: String?
    var reports: [String] = []
    var matches: [FrameMatch] = []
    var showsTraffic = false
    var hasHeadersOnly = false
    var sizeMax: Int?
    var watching = WatchingArguments()

    private var given: [String] = []

    /// Reads the words, the program's name first. Options may come before and after the verb.
    init(_ words: [String]) throws(Exit) {
        let vector = WordVector(words)
        let names = WordVector(OptionRow.all.map(\.name))
        let shorts = OptionRow.all.map { CChar($0.short?.asciiValue ?? 0x20) }
        let values = OptionRow.all.map { $0.value.count }
        var state = fb_options(index: 1, value: nil, fault: nil)
        while true {
            let found = names.withConstPointers { names in
                fb_option_next(
                    &state, Int32(vector.count), vector.start, names, shorts, values,
                    Int32(values.count))
            }
            if found == -1 { break }
            guard found >= 0 else { throw Self.fault(found, state) }
            let row = OptionRow.all[Int(found)]
            given.append(row.name)
            try row.take(&self, state.value.map { String(cString: $0) })
        }
        operands = vector.words(from: Int(state.index))
        if !operands.isEmpty { verb = operands.removeFirst() }
    }

    /// Whether an option was on the command line.
    func isGiven(_ option: String) -> Bool { given.contains(option) }

    /// Checks that a verb takes the given options and as many words.
    func check(for verb: any Verb.Type) throws(Exit) {
        let taken = OptionRow.all.filter { $0.isCommon || verb.options.contains($0.name) }
        for name in given where !taken.contains(where: { $0.name == name }) {
            throw .usage("\(verb.name) takes no --\(name); see bridgectl help \(verb.name)")
        }
        if operands.count < verb.operandCount.lowerBound {
            throw .usage("\(verb.name) needs \(verb.operands); see bridgectl help \(verb.name)")
        }
        if operands.count > verb.operandCount.upperBound {
            let word = operands[verb.operandCount.upperBound]
            throw .usage(
                "\(verb.name) takes no further word, here \"\(word)\" follows; JSON with spaces "
                    + "goes in quotes")
        }
    }

    private static func fault(_ found: Int32, _ state: fb_options) -> Exit {
        let word = state.fault.map { String(cString: $0) } ?? ""
        if found == -3 { return .usage("\(word) needs a value; see bridgectl help") }
        let name = String(word.drop(while: { $0 == "-" }).prefix(while: { $0 != "=" }))
        let close = nearest(to: name, in: OptionRow.all.map(\.name))
        let hint = close.map { "did you mean --\($0)?" } ?? "see bridgectl help"
        return .usage("unknown option \(word); \(hint)")
    }
}

extension OptionRow.Value {
    /// For `fb_option_next`.
    fileprivate var count: UInt8 {
        switch self {
        case .none: 0
        case .required: 1
        case .optional: 2
        }
    }
}

/// Words as C strings at a fixed place, which getopt_long may reorder.
private final class WordVector {
    let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    let count: Int

    init(_ words: [String]) {
        count = words.count
        start = .allocate(capacity: words.count + 1)
        start.initialize(repeating: nil, count: words.count + 1)
        for (index, word) in words.enumerated() { start[index] = strdup(word) }
    }

    deinit {
        for index in 0..<count { free(start[index]) }
        start.deallocate()
    }

    func words(from index: Int) -> [String] {
        (min(index, count)..<count).map { start[$0].map { String(cString: $0) } ?? "" }
    }

    func withConstPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        start.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: count) { body($0) }
    }
}
