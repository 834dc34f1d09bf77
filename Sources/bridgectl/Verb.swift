/// One thing that bridgectl does; its help and its options come from what it says here.
protocol Verb {
    /// As typed.
    static var name: String { get }
    /// Behind the name and the options in the usage line.
    static var operands: String { get }
    /// How many words may follow the name.
    static var operandCount: ClosedRange<Int> { get }
    /// One line of the list of verbs.
    static var summary: String { get }
    /// Paragraphs of its help.
    static var details: String { get }
    /// Whole command lines, at least one.
    static var examples: [String] { get }
    /// Whether it talks to a broker.
    static var needsBroker: Bool { get }
    /// Names of the options that it takes besides those that every verb takes.
    static var options: [String] { get }

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit)
}

extension Verb {
    static var operands: String { "" }
    static var operandCount: ClosedRange<Int> { 0...0 }
    static var needsBroker: Bool { true }
    static var options: [String] { [] }
}
