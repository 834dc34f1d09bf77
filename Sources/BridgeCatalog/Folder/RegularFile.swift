import CLinux
import Glibc

/// Reads a regular file whole, as it is at this moment.
enum RegularFile {
    enum Fault: Error {
        /// What the system said, in words.
        case system(String)
        case notRegular
        /// Its bytes.
        case oversize(Int)
    }

    /// Bounds: `bytesMax`. A file that grows meanwhile is cut, one that shrinks is short.
    ///
    /// Blocking: yes, for the disk; not for what is no regular file.
    static func read(_ path: String, bytesMax: Int) throws(Fault) -> [UInt8] {
        let descriptor = fb_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
        guard descriptor >= 0 else { throw .system(text(-descriptor)) }
        defer { fb_close(descriptor) }
        var size: Int64 = 0
        let isRegular = fb_file_size(descriptor, &size)
        guard isRegular >= 0 else { throw .system(text(-isRegular)) }
        guard isRegular == 1 else { throw .notRegular }
        guard size <= bytesMax else { throw .oversize(Int(size)) }
        return try bytes(of: descriptor, count: Int(size))
    }

    private static func bytes(of descriptor: Int32, count: Int) throws(Fault) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(buffer).baseAddress.map { $0 + filled }
                let done = fb_read(descriptor, rest, count - filled)
                if done < 0 { failure = Int32(-done) }
                guard done > 0 else { return }
                filled += done
            }
        }
        guard failure == 0 else { throw .system(text(failure)) }
        return bytes
    }

    private static func text(_ error: Int32) -> String {
        fb_error_text(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
