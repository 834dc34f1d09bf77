import CLinux
import Glibc

/// Whole files in and growing files out.
enum FileBytes {
    /// More is no capture that this program made.
    private static let bytesMax = 2 << 30

    /// The bytes of a file, or of standard input for `-`.
    static func read(_ path: String) throws(Exit) -> [UInt8] {
        if path == "-" { return try read(0, "standard input") }
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw .failure("\(path): \(String(cString: fb_error_text(errno)))") }
        defer { fb_close(fd) }
        return try read(fd, path)
    }

    private static func read(_ fd: Int32, _ name: String) throws(Exit) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = fb_read(fd, &chunk, chunk.count)
            guard count >= 0 else {
                throw .failure("\(name): \(String(cString: fb_error_text(Int32(-count))))")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= bytesMax else {
                throw .failure("\(name): over \(bytesMax) bytes, which no capture here has")
            }
        }
    }
}

/// A file that is written piece by piece; each piece is there when `write` returns.
final class GrowingFile {
    private let fd: Int32
    private let name: String

    /// Makes the file, for its owner only, or empties it; `-` is standard output.
    init(_ path: String) throws(Exit) {
        name = path == "-" ? "standard output" : path
        fd = path == "-" ? 1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw .failure("\(path): \(String(cString: fb_error_text(errno)))") }
    }

    deinit {
        if fd > 2 { fb_close(fd) }
    }

    func write(_ bytes: [UInt8]) throws(Exit) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(fd, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EPIPE, fd == 1 { exit(128 + SIGPIPE) }
            guard count > 0 else {
                throw .failure("\(name): \(String(cString: fb_error_text(errno)))")
            }
            start += count
        }
    }
}
