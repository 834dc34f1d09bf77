import BridgeProtocol

/// The program: reads its words, runs one verb, tells what went wrong.
enum Program {
    /// The version of this program.
    static let version = "0.1.0"

    /// Every verb, in the order of the help.
    static var verbs: [any Verb.Type] {
        [
            CallVerb.self, MonitorVerb.self, StatusVerb.self, PingVerb.self, ListVerb.self,
            IntrospectVerb.self,
        ] + watching + driving + [VersionVerb.self, HelpVerb.self]
    }

    /// Returns the exit code.
    static func run(_ words: [String]) async -> Int32 {
        var output = Output(isQuiet: false)
        do throws(Exit) {
            let arguments = try Arguments(words)
            output = Output(isQuiet: arguments.isQuiet, json: arguments.json)
            let verb = try verb(of: arguments)
            if arguments.wantsHelp {
                output.print(Help.text(of: verb))
                return ExitCode.success
            }
            try arguments.check(for: verb)
            try await verb.run(arguments, output)
            return ExitCode.success
        } catch {
            if !error.message.isEmpty { output.say(error.message) }
            return error.code
        }
    }

    private static func verb(of arguments: Arguments) throws(Exit) -> any Verb.Type {
        if arguments.wantsVersion { return VersionVerb.self }
        guard let name = arguments.verb else {
            if arguments.wantsHelp { return HelpVerb.self }
            throw .usage("no verb given; try bridgectl help")
        }
        return try named(name)
    }

    /// The verb with this name.
    static func named(_ name: String) throws(Exit) -> any Verb.Type {
        if let verb = verbs.first(where: { $0.name == name }) { return verb }
        let names = verbs.map { $0.name }
        let hint =
            MethodTable.named(name) == nil
            ? nearest(to: name, in: names).map { "did you mean \($0)?" }
                ?? "there are \(names.joined(separator: ", "))"
            : "that is a method: bridgectl call \(name)"
        throw .usage("no verb \"\(name)\"; \(hint)")
    }
}
