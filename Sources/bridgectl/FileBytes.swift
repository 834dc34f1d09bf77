import CLinux
import Glibc

/// Whole files in and growing files out.
enum FileBytes {
    /// The most that is read of a file, and what is said of more.
    struct Bound {
        let bytesMax: Int
        let reason: String

        /// More is no capture that this program made.
        static let capture = Bound(bytesMax: 2 << 30, reason: "which no capture here has")
    }

    /// The bytes of a file, or of standard input for `-`.
    static func read(_ path: String, _ bound: Bound = .capture) throws(Exit) -> [UInt8] {
        if path == "-" { return try read(0, "standard input", bound) }
        return try readFile(path, bound)
    }

    /// The bytes of a file of any name.
    static func readFile(_ path: String, _ bound: Bound) throws(Exit) -> [UInt8] {
        let fd = fb_open(path, O_RDONLY, 0)
        guard fd >= 0 else { throw .failure("\(path): \(errorText(-fd))") }
        defer { fb_close(fd) }
        return try read(fd, path, bound)
    }

    private static func read(
        _ fd: Int32, _ name: String, _ bound: Bound
    ) throws(Exit) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = fb_read(fd, &chunk, chunk.count)
            guard count >= 0 else {
                throw .failure("\(name): \(errorText(Int32(-count)))")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= bound.bytesMax else {
                throw .failure("\(name): over \(bound.bytesMax) bytes, \(bound.reason)")
            }
        }
    }
}

/// A file that is written piece by piece; each piece is there when `write` returns.
final class GrowingFile {
    private let fd: Int32
    private let name: String

    /// Makes the file, for its owner only, or empties it; `-` is standard output.
    convenience init(_ path: String) throws(Exit) {
        if path == "-" {
            self.init(fd: 1, name: "standard output")
        } else {
            try self.init(file: path)
        }
    }

    /// Makes a file of any name, for its owner only, or empties it.
    convenience init(file path: String) throws(Exit) {
        let fd = fb_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard fd >= 0 else { throw .failure("\(path): \(errorText(-fd))") }
        self.init(fd: fd, name: path)
    }

    private init(fd: Int32, name: String) {
        self.fd = fd
        self.name = name
    }

    deinit {
        if fd > 2 { fb_close(fd) }
    }

    func write(_ bytes: [UInt8]) throws(Exit) {
        let result = fb_write_all(fd, bytes, bytes.count)
        if result == -EPIPE, fd == 1 { exit(128 + SIGPIPE) }
        guard result >= 0 else { throw .failure("\(name): \(errorText(-result))") }
    }
}
