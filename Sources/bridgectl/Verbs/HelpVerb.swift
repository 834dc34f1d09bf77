/// `help`: of the program or of one verb.
enum HelpVerb: Verb {
    static let name = "help"
    static let operands = "[VERB]"
    static let operandCount = 0...1
    static let summary = "show this, or the help of a verb"
    static let details = ""
    static let examples = ["bridgectl help call"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        guard let name = arguments.operands.first else { return output.print(Help.overview) }
        output.print(Help.text(of: try Program.named(name)))
    }
}
