import Glibc
import SDKCore

/// The text of the view that was written or read last: most events and gestures are of one view.
struct ViewText {
    private var id: ViewID?
    /// Empty until the first id.
    private var bytes: [UInt8] = []

    /// Lends the 36 characters of an id.
    mutating func withBytes(of id: ViewID, _ lend: (UnsafeRawBufferPointer) -> Void) {
        if self.id != id {
            keep(id)
        }
        bytes.withUnsafeBytes(lend)
    }

    /// Reads the text of an id; nil as for `ViewID(_:)`.
    mutating func id(of text: String) -> ViewID? {
        if let id, isLast(text) { return id }
        guard let read = ViewID(text) else { return nil }
        keep(read)
        return read
    }

    private mutating func keep(_ id: ViewID) {
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: ViewID.textBytes) }
        bytes.withUnsafeMutableBufferPointer { id.write(to: $0) }
        self.id = id
    }

    private func isLast(_ text: String) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { text in
            bytes.withUnsafeBytes { bytes in
                guard let mine = bytes.baseAddress, let theirs = text.baseAddress,
                    text.count == bytes.count
                else { return false }
                return memcmp(mine, theirs, bytes.count) == 0
            }
        }
        return isSame ?? false
    }
}
