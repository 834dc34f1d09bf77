/// `cheat`: examples of all verbs.
enum CheatVerb: Verb {
    static let name = "cheat"
    static let operands = "[VERB]"
    static let operandCount = 0...1
    static let summary = "print examples, of all verbs or of one"
    static let details = """
        The examples of each verb's help, ready to copy. A test runs them.
        """
    static let needsBroker = false
    static let examples = ["bridgectl cheat", "bridgectl cheat call | grep get_flow"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let named = try arguments.operands.first.map { name throws(Exit) in
            [try Program.named(name)]
        }
        for verb in named ?? Program.verbs where !verb.examples.isEmpty {
            output.print("# \(verb.name): \(verb.summary)")
            for example in verb.examples { output.print(example) }
            if named == nil { output.print("") }
        }
    }
}
