import CLinux
import Glibc

/// Where the broker listens and clients connect.
///
/// Source: protocol.md section 1.
public struct SocketPath: Sendable, Equatable, CustomStringConvertible {
    /// A file's path, or `@name` for an abstract socket.
    public let path: String

    /// Whether it is a name of the kernel's own and no file.
    public var isAbstract: Bool { path.hasPrefix("@") }

    /// The path.
    public var description: String { path }

    /// Checks a path.
    ///
    /// - Throws: when it is empty or over 107 bytes, with its length and the limit.
    public init(_ path: String) throws(TransportError) {
        let bytes = path.utf8.count
        let limit = Int(fb_socket_path_max())
        guard bytes <= limit else {
            throw TransportError(
                "socket path of \(bytes) bytes, at most \(limit): \(path); choose a shorter one with "
                    + "--socket or FLOWBRIDGE_SOCKET", isConfiguration: true)
        }
        guard bytes > 0, path != "@" else {
            throw TransportError("the socket path is empty", isConfiguration: true)
        }
        self.path = path
    }

    /// The path that is used when the command line names none: `FLOWBRIDGE_SOCKET`, else
    /// `flowbridge/bridge.sock` under `XDG_RUNTIME_DIR`, else `bridge.sock` in `flowbridge-<uid>`
    /// under the system's temporary folder.
    public static func standard(
        environment: (String) -> String? = SocketPath.environment
    ) throws(TransportError) -> SocketPath {
        if let path = environment("FLOWBRIDGE_SOCKET"), !path.isEmpty {
            return try SocketPath(path)
        }
        if let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty {
            return try SocketPath(folder + "/flowbridge/bridge.sock")
        }
        return try SocketPath("\(temporary(environment))/flowbridge-\(geteuid())/bridge.sock")
    }

    /// The value of an environment variable.
    @Sendable
    public static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func temporary(_ environment: (String) -> String?) -> String {
        environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Makes the folder of a standard path, 0700, or checks that it is ours alone.
    ///
    /// Only the folder named `flowbridge` or `flowbridge-<uid>` is made; one that a person named
    /// with `--socket` is theirs to make.
    public func prepareFolder() throws(TransportError) {
        guard !isAbstract, let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        let name = folder.split(separator: "/").last ?? ""
        guard name == "flowbridge" || name == "flowbridge-\(geteuid())" else { return }
        let made = Self.makeFolder(folder)
        if made < 0, made != -EEXIST {
            throw TransportError(call: "mkdir", path: folder, result: made)
        }
        var info = fb_file_info()
        let result = fb_file_look(folder, &info)
        guard result >= 0 else { throw TransportError(call: "lstat", path: folder, result: result) }
        guard info.kind == FB_FILE_FOLDER, info.uid == geteuid(), info.mode & 0o077 == 0 else {
            throw TransportError(
                "\(folder) has to be a folder of uid \(geteuid()) with mode 0700; it is "
                    + "\(info.kind.text) of uid \(info.uid) with mode 0\(String(info.mode, radix: 8))",
                isConfiguration: true)
        }
    }
}

extension SocketPath {
    /// Where a private folder may be made, best first.
    static func privateParents(_ environment: (String) -> String?) -> [String] {
        let runtime = environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 }
        return (runtime.map { [$0] } ?? []) + [temporary(environment)]
    }

    /// Makes a folder of a name that nobody had, 0700.
    static func makePrivateFolder(in parent: String) throws(TransportError) -> String {
        let pattern = parent + "/flowbridge-XXXXXX"
        var name = Array(pattern.utf8CString)
        let made = fb_make_private_folder(&name)
        guard made >= 0 else { throw TransportError(call: "mkdtemp", path: pattern, result: made) }
        return name.withUnsafeBufferPointer { text in
            text.baseAddress.map { String(cString: $0) } ?? pattern
        }
    }

    /// Makes a folder 0700, whatever the umask of the caller. Returns 0 or -errno.
    private static func makeFolder(_ folder: String) -> Int32 {
        let before = umask(0o077)
        defer { umask(before) }
        return fb_make_folder(folder, 0o700)
    }
}

extension fb_file_kind {
    /// For messages.
    var text: String {
        switch self {
        case FB_FILE_NONE: "nothing"
        case FB_FILE_SOCKET: "a socket"
        case FB_FILE_FOLDER: "a folder"
        case FB_FILE_SYMLINK: "a symbolic link"
        case FB_FILE_REGULAR: "a regular file"
        default: "a special file"
        }
    }
}
