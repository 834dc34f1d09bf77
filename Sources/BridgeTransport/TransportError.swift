import CLinux
import Glibc

/// Why a socket could not be set up. `isConfiguration` decides the exit code: a supervisor must
/// not restart for ever what only an operator can mend.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Names the path, the call and the reason.
    public var description: String
    /// True when starting again cannot help (exit code 78).
    public var isConfiguration: Bool

    /// Makes an error with a text of its own.
    public init(_ description: String, isConfiguration: Bool) {
        self.description = description
        self.isConfiguration = isConfiguration
    }

    /// Makes the error of a system call: `result` is the negative errno it gave.
    init(call: String, path: String, result: Int32) {
        description = "\(call) \(path): \(errorText(result))"
        isConfiguration = Self.lasting.contains(-result)
    }

    /// What stays as it is until somebody changes files, folders or rights.
    private static let lasting: Set<Int32> = [
        EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EROFS,
    ]
}

/// The text of a negative errno.
package func errorText(_ result: Int32) -> String {
    String(cString: fb_error_text(-result))
}
