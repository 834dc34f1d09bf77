import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// Checks of the socket's place, without connecting.
enum SocketChecks {
    /// Path, folder, file and lock.
    ///
    /// - Throws: for a path that no socket can have.
    static func findings(_ named: String?) throws(Exit) -> [Finding] {
        let path: String
        do throws(BridgeError) {
            path = try BridgeClient.pathOfSocket(named)
        } catch {
            throw .unreachable(error)
        }
        if path.hasPrefix("@") {
            return [Finding(level: .ok, check: "path", text: "\(path), an abstract socket")]
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/")
        return [
            Finding(level: .ok, check: "path", text: "\(path), \(source(named))"),
            folderCheck(folder.isEmpty ? "/" : folder), fileCheck(path), lockCheck(path + ".lock"),
        ]
    }

    private static func source(_ named: String?) -> String {
        if named != nil { return "named by --socket" }
        if getenv("FLOWBRIDGE_SOCKET") != nil { return "named by FLOWBRIDGE_SOCKET" }
        if getenv("XDG_RUNTIME_DIR") != nil { return "the standard path under XDG_RUNTIME_DIR" }
        return "the standard path, as neither FLOWBRIDGE_SOCKET nor XDG_RUNTIME_DIR is set"
    }

    private static func folderCheck(_ folder: String) -> Finding {
        var info = stat()
        guard lstat(folder, &info) == 0 else {
            return Finding(
                level: .fault, check: "folder",
                text: "\(folder): \(errorText(errno)); flowbridged makes the standard one, make "
                    + "another one with mkdir -m 700")
        }
        let (uid, mode) = (info.st_uid, info.st_mode & 0o7777)
        let text = "\(folder), uid \(uid), mode \(String(mode, radix: 8))"
        if uid != geteuid(), uid != 0 {
            return Finding(
                level: .warn, check: "folder",
                text: text + "; it is another user's: is the broker theirs?")
        }
        if mode & 0o022 != 0, mode & 0o1000 == 0 {
            return Finding(
                level: .warn, check: "folder",
                text: text + "; others may replace the socket: chmod 700 \(folder)")
        }
        return Finding(level: .ok, check: "folder", text: text)
    }

    private static func fileCheck(_ path: String) -> Finding {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            return Finding(
                level: .fault, check: "socket",
                text: "\(path): \(errorText(errno)); start flowbridged, or name its socket with "
                    + "--socket or FLOWBRIDGE_SOCKET")
        }
        let kind = info.st_mode & S_IFMT
        let mode = String(info.st_mode & 0o7777, radix: 8)
        guard kind == S_IFSOCK else {
            return Finding(
                level: .fault, check: "socket",
                text: "\(path) is no socket; move it away, or name another path")
        }
        return Finding(
            level: .ok, check: "socket", text: "uid \(info.st_uid), mode \(mode)")
    }

    private static func lockCheck(_ path: String) -> Finding {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else {
            return Finding(
                level: errno == ENOENT ? .warn : .fault, check: "lock",
                text: "\(path): \(errorText(errno)); a broker that serves holds it")
        }
        defer { fb_close(fd) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = max(fb_read(fd, &bytes, bytes.count), 0)
        let text = String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
        guard let pid = Int32(text), pid > 0 else {
            return Finding(level: .warn, check: "lock", text: "\(path) names no process")
        }
        guard kill(pid, 0) == 0 || errno == EPERM else {
            return Finding(
                level: .warn, check: "lock",
                text: "\(path) is of pid \(pid), which is gone: no broker serves there; start "
                    + "flowbridged, which takes it over")
        }
        return Finding(level: .ok, check: "lock", text: "\(path), of pid \(pid)")
    }
}
