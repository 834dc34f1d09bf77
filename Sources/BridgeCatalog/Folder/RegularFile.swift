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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(text(errno)) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .system(text(errno)) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard info.st_size <= bytesMax else { throw .oversize(Int(info.st_size)) }
        return try bytes(of: descriptor, count: Int(info.st_size))
    }

    private static func bytes(of descriptor: Int32, count: Int) throws(Fault) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(buffer).baseAddress.map { $0 + filled }
                let done = Glibc.read(descriptor, rest, count - filled)
                if done < 0 && errno == EINTR { continue }
                if done < 0 { failure = errno }
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
