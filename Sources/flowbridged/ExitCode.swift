/// Exit codes of `flowbridged`; docs/limits.md has the table of both programs.
enum ExitCode {
    static let success: Int32 = 0
    /// The broker could not serve: a system call failed, or another broker serves the socket.
    static let failure: Int32 = 1
    /// The command line is wrong.
    static let usage: Int32 = 2
    /// The catalog has faults.
    static let catalog: Int32 = 65
    /// Only an operator can mend it; a supervisor must not restart.
    static let configuration: Int32 = 78
}
