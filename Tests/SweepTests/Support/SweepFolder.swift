import CSystemFaults
import Foundation

/// A folder that goes with its last user.
final class SweepFolder: Sendable {
    let path: String

    /// - Parameter isInMemory: on a file system of memory, if there is one: syncs cost nothing.
    init(isInMemory: Bool = false) throws {
        let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/fbsweep-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Every way to fail.
let faultKinds = (0..<FB_FAULT_KINDS.rawValue).map { fb_fault_kind(rawValue: $0) }

/// Ways to fail after which everything goes on as if nothing had been.
let softKinds: [fb_fault_kind] = [
    FB_FAULT_SHORT_READ, FB_FAULT_SHORT_WRITE, FB_FAULT_EINTR, FB_FAULT_EAGAIN,
]

extension fb_fault_kind {
    /// As in the manual pages.
    var name: String { fb_fault_name(self).map { String(cString: $0) } ?? "" }
}
