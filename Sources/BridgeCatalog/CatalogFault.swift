/// One thing that is wrong, or looks wrong, in a catalog.
public struct CatalogFault: Sendable, Hashable, CustomStringConvertible {
    /// The file, relative to the catalog's folder; `.` is the folder itself.
    public let file: String
    /// Where in the file: a JSON pointer (RFC 6901). Empty: the file as a whole.
    public let pointer: String
    /// What was found, what was expected, and what to do.
    public let message: String
    /// True: the catalog is served all the same.
    public let isWarning: Bool

    /// Makes a fault.
    public init(file: String, pointer: String, message: String, isWarning: Bool = false) {
        self.file = file
        self.pointer = pointer
        self.message = message
        self.isWarning = isWarning
    }

    /// One line: `file#pointer: message`, with `warning: ` before the message of a warning.
    public var description: String {
        "\(file)#\(pointer): \(isWarning ? "warning: " : "")\(message)"
    }
}
