/// Why a store could not be opened, read or changed.
public struct StoreFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// What an operator can do about it.
    public enum Kind: Sendable, Hashable {
        /// No room on the disk: service resumes when there is some.
        case full
        /// The file or its folder cannot be written.
        case readOnly
        /// The file is damaged; it is left as it is.
        case corrupt
        /// Another process has it.
        case locked
        /// The file is not a store of this program.
        case foreign
        /// A newer program wrote it.
        case tooNew
        /// Anything else that the system refused.
        case system
    }

    /// What an operator can do about it.
    public let kind: Kind
    /// Names the file, the reason, and what to do.
    public let message: String

    /// Makes a fault.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Whether trying again may help, without anybody changing the file itself.
    public var isPassing: Bool {
        switch kind {
        case .full, .readOnly, .system, .locked: true
        case .corrupt, .foreign, .tooNew: false
        }
    }
}
