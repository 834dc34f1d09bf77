import Synchronization

/// Whether `q` or Ctrl-C was pressed on a terminal in raw mode, or the terminal is gone.
final class QuitKey: Sendable {
    private let pressed = Atomic<Bool>(false)

    var wasPressed: Bool { pressed.load(ordering: .relaxed) }

    init(_ terminal: Terminal) {
        let inputs = terminal.inputs()
        Task { [weak self] in
            for await input in inputs {
                switch input {
                case .key(.character("q")), .key(.control("c")), .key(.escape), .ended:
                    self?.pressed.store(true, ordering: .relaxed)
                default: continue
                }
            }
        }
    }
}
