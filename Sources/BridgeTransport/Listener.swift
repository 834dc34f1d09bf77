import CLinux
import Glibc

/// A listening socket with the lock that makes it the only one at its path.
///
/// The lock comes first: only with it held may a stale socket be removed, and only if it is a
/// socket of ours that nobody answers at. Anything else at the path is left alone.
public final class Listener {
    let fd: Int32
    /// -1 for an abstract socket, which the kernel keeps unique by itself.
    private let lock: Int32
    /// Where it listens.
    public let path: SocketPath
    private let made: fb_file_info
    /// A folder of this socket alone, which goes with it.
    private let folder: String?
    /// Whether the parent made it: then it stays, with its file and what waits in it.
    let isPassed: Bool

    init(
        fd: Int32, lock: Int32, path: SocketPath, folder: String? = nil, isPassed: Bool = false
    ) {
        self.fd = fd
        self.lock = lock
        self.path = path
        self.folder = folder
        self.isPassed = isPassed
        var info = fb_file_info()
        if !path.isAbstract { fb_file_look(path.path, &info) }
        made = info
    }

    /// Takes the lock, clears a stale socket, binds and listens.
    ///
    /// - Parameter isForAll: every user may connect, mode 0666, and the access rule decides; else
    ///   the mode is 0600.
    /// - Throws: when another broker holds the lock, when something that is no stale socket of
    ///   ours is at the path, and for every system call that fails, with its name and the path.
    public static func open(
        at path: SocketPath, isForAll: Bool = false
    ) throws(TransportError) -> Listener {
        try open(at: path, isForAll: isForAll, guards: ListenerGuards())
    }

    static func open(
        at path: SocketPath, isForAll: Bool = false, guards: ListenerGuards
    ) throws(TransportError) -> Listener {
        guard !path.isAbstract else {
            return Listener(fd: try listen(path, isForAll), lock: -1, path: path)
        }
        try path.prepareFolder()
        let lock = guards.takesLock ? try takeLock(path) : -1
        do {
            try clearStale(path, guards)
            return Listener(fd: try listen(path, isForAll), lock: lock, path: path)
        } catch {
            fb_unlock_file(lock)
            throw error
        }
    }

    /// Listens in a fresh folder, 0700, that goes with the socket: nobody else knows the path, so
    /// there is nothing to lock and nothing stale.
    ///
    /// - Throws: when neither `XDG_RUNTIME_DIR` nor the temporary folder takes one.
    public static func openPrivate(
        environment: (String) -> String? = SocketPath.environment
    ) throws(TransportError) -> Listener {
        var fault = TransportError("no folder for a private socket", isConfiguration: true)
        for parent in SocketPath.privateParents(environment) {
            do throws(TransportError) {
                return try openPrivate(in: parent)
            } catch {
                fault = error
            }
        }
        throw fault
    }

    private static func openPrivate(in parent: String) throws(TransportError) -> Listener {
        let folder = try SocketPath.makePrivateFolder(in: parent)
        do {
            let path = try SocketPath(folder + "/bridge.sock")
            return Listener(fd: try listen(path, false), lock: -1, path: path, folder: folder)
        } catch {
            fb_remove_folder(folder)
            throw error
        }
    }

    deinit {
        removeSocket()
        fb_close(fd)
        fb_unlock_file(lock)
    }

    /// Removes the socket's file, if it is still the one that was made here.
    func removeSocket() {
        guard !path.isAbstract, !isPassed else { return }
        var now = fb_file_info()
        guard fb_file_look(path.path, &now) >= 0, now.kind == FB_FILE_SOCKET,
            now.device == made.device, now.inode == made.inode
        else { return }
        fb_remove(path.path)
        if let folder { fb_remove_folder(folder) }
    }

    private static func listen(
        _ path: SocketPath, _ isForAll: Bool
    ) throws(TransportError) -> Int32 {
        let fd =
            isForAll
            ? fb_socket_listen_for_all(path.path, 4_096) : fb_socket_listen(path.path, 4_096)
        if fd == -EADDRINUSE {
            throw TransportError(
                "\(path): in use by another program", isConfiguration: false)
        }
        guard fd >= 0 else { throw TransportError(call: "bind", path: path.path, result: fd) }
        return fd
    }

    private static func takeLock(_ path: SocketPath) throws(TransportError) -> Int32 {
        let lockPath = path.path + ".lock"
        let lock = fb_lock_file(lockPath)
        if lock == -EWOULDBLOCK {
            throw TransportError(
                "another flowbridged serves \(path): \(holder(lockPath)) holds \(lockPath)",
                isConfiguration: false)
        }
        guard lock >= 0 else { throw TransportError(call: "lock", path: lockPath, result: lock) }
        leavePid(lock)
        return lock
    }

    /// Leaves the holder's pid in the lock's file, for the message of whoever comes second.
    private static func leavePid(_ lock: Int32) {
        fb_replace_content(lock, "\(getpid())\n")
    }

    private static func holder(_ lockPath: String) -> String {
        let file = fb_open(lockPath, O_RDONLY | O_NOFOLLOW, 0)
        guard file >= 0 else { return "it" }
        defer { fb_close(file) }
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = max(fb_read(file, &bytes, bytes.count), 0)
        let digits = bytes.prefix(count).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "it" : "pid \(String(decoding: digits, as: UTF8.self))"
    }

    private static func clearStale(
        _ path: SocketPath, _ guards: ListenerGuards
    ) throws(TransportError) {
        var info = fb_file_info()
        let result = fb_file_look(path.path, &info)
        guard result >= 0 else {
            throw TransportError(call: "lstat", path: path.path, result: result)
        }
        guard info.kind != FB_FILE_NONE else { return }
        guard info.kind == FB_FILE_SOCKET || !guards.looksAtKind else {
            throw TransportError(
                "\(path) is \(info.kind.text) and is left alone; name another path or move it away",
                isConfiguration: true)
        }
        guard info.uid == geteuid() else {
            throw TransportError(
                "\(path) is a socket of uid \(info.uid) and is left alone", isConfiguration: true)
        }
        let probe = fb_socket_connect(path.path)
        guard probe == -ECONNREFUSED else {
            if probe >= 0 { fb_close(probe) }
            throw TransportError(
                "\(path): another program listens there without the lock", isConfiguration: false)
        }
        guards.beforeUnlink()
        let removed = fb_remove(path.path)
        guard removed >= 0 else {
            throw TransportError(call: "unlink", path: path.path, result: removed)
        }
    }
}

/// What `open` does before it removes a socket. A test takes one away and sees what it was good for.
struct ListenerGuards {
    var takesLock = true
    var looksAtKind = true
    /// Called when a stale socket is about to be removed.
    var beforeUnlink: () -> Void = {}
}
