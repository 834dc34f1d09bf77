import BridgeProtocol

/// `completion`: what a shell has to know to complete the words of this program.
enum CompletionVerb: Verb {
    static let name = "completion"
    static let operands = "bash|zsh|fish"
    static let operandCount = 1...1
    static let summary = "print the completions for a shell"
    static let details = """
        Made from the tables of this program: verbs, their options, methods behind call, introspect
        and bench, kinds of events behind --kind. For bash: bridgectl completion bash >
        ~/.local/share/bash-completion/completions/bridgectl. For zsh into a folder of $fpath as
        _bridgectl, for fish into ~/.config/fish/completions/bridgectl.fish.
        """
    static let needsBroker = false
    static let examples = [
        "source <(bridgectl completion bash)", "bridgectl completion fish > bridgectl.fish",
        "bridgectl completion zsh > _bridgectl",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        switch arguments.operands[0] {
        case "bash": output.print(Completion.bash)
        case "zsh": output.print(Completion.zsh)
        case "fish": output.print(Completion.fish)
        case let shell: throw .usage("completion \(shell): bash, zsh or fish is wanted")
        }
    }
}
