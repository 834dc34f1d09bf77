import CLinux
import Glibc

/// The file of a store with the lock that keeps other brokers from it.
///
/// The lock is a file beside it: unlike SQLite's own lock it says who holds it, and it is taken
/// before the first look at the file.
struct StoreFile: ~Copyable {
    /// With symbolic links resolved, so that one file has one lock.
    let path: String
    private let lock: Int32

    /// Lets go of the lock.
    consuming func close() {}

    /// Takes the lock, makes the file 0600 if there is none, and looks at its header. A file that
    /// is not ours is not touched.
    ///
    /// - Throws: `locked` naming the holder, `foreign`, `corrupt`, `readOnly`, `system`.
    init(_ named: String) throws(StoreFault) {
        let resolved = try Self.resolved(named)
        let lock = try Self.takeLock(resolved)
        do throws(StoreFault) {
            try Self.makeOrCheck(resolved)
        } catch {
            fb_close(lock)
            throw error
        }
        path = resolved
        self.lock = lock
    }

    deinit {
        fb_unlock_file(lock)
    }

    private static func resolved(_ path: String) throws(StoreFault) -> String {
        guard !path.isEmpty else { throw StoreFault(.system, "the path of the store is empty") }
        let (real, fault) = realPath(path)
        if let real { return real }
        guard fault == ENOENT else { throw failed("realpath", path, fault) }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let (parent, missing) = realPath(folder)
        guard let parent else { throw failed("realpath", folder, missing) }
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return parent + "/" + name
    }

    /// The path without symbolic links, or the errno that it has none for.
    private static func realPath(_ path: String) -> (path: String?, error: Int32) {
        var resolved: UnsafeMutablePointer<CChar>?
        let result = fb_real_path(path, &resolved)
        defer { free(resolved) }
        return (resolved.map { String(cString: $0) }, -result)
    }

    private static func takeLock(_ path: String) throws(StoreFault) -> Int32 {
        let lockPath = path + ".lock"
        let lock = fb_lock_file(lockPath)
        if lock == -EWOULDBLOCK {
            throw StoreFault(
                .locked,
                "the store \(path) is in use: \(holder(lockPath)) holds \(lockPath); stop that "
                    + "broker, or name another file with --store")
        }
        guard lock >= 0 else { throw failed("open", lockPath, -lock) }
        // For the message of whoever comes second; without it that one says less.
        fb_replace_content(lock, "\(getpid())\n")
        return lock
    }

    private static func holder(_ lockPath: String) -> String {
        let digits = read(lockPath, 20).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "another process" : "pid \(String(decoding: digits, as: UTF8.self))"
    }

    private static func makeOrCheck(_ path: String) throws(StoreFault) {
        var info = fb_file_info()
        let result = fb_file_look(path, &info)
        guard result >= 0 else { throw failed("lstat", path, -result) }
        switch info.kind {
        case FB_FILE_NONE: try make(path)
        case FB_FILE_REGULAR:
            let allowed = fb_may(path, R_OK | W_OK)
            guard allowed >= 0 else { throw failed("open", path, -allowed) }
            if info.size > 0, !isHalfMade(path) { try checkHeader(path) }
        default:
            throw StoreFault(
                .foreign, "the store \(path) is no regular file and is left alone")
        }
    }

    private static func make(_ path: String) throws(StoreFault) {
        let file = fb_open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw failed("open", path, -file) }
        fb_close(file)
        // The name itself has to survive a power cut.
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = fb_open(String(path[...slash]), O_RDONLY | O_DIRECTORY, 0)
        guard folder >= 0 else { throw failed("open", String(path[...slash]), -folder) }
        defer { fb_close(folder) }
        let synced = fb_sync(folder)
        guard synced >= 0 else { throw failed("fsync", String(path[...slash]), -synced) }
    }

    /// Whether a power cut came while an empty file got its first tables: the journal beside it
    /// says that there were no pages before, so SQLite makes it empty again.
    private static func isHalfMade(_ path: String) -> Bool {
        let header = read(path + "-journal", 20)
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        return header.count == 20 && header.starts(with: magic)
            && header[16..<20].allSatisfy { $0 == 0 }
    }

    /// Looks at the first 100 bytes before SQLite may write to the file.
    private static func checkHeader(_ path: String) throws(StoreFault) {
        let header = read(path, 100)
        let magic = Array("SQLite format 3\0".utf8)
        guard header.starts(with: magic) else {
            throw StoreFault(
                .foreign,
                "the store \(path) is no SQLite database; \(StoreFault.Kind.foreign.advice)")
        }
        guard header.count == 100 else {
            throw StoreFault(
                .corrupt,
                "the store \(path) ends within its header; \(StoreFault.Kind.corrupt.advice)")
        }
        let application = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
        guard application == StoreSchema.applicationID else {
            throw StoreFault(
                .foreign,
                "the store \(path) is a database of another program; "
                    + StoreFault.Kind.foreign.advice)
        }
    }

    private static func read(_ path: String, _ count: Int) -> [UInt8] {
        let file = fb_open(path, O_RDONLY | O_NOFOLLOW, 0)
        guard file >= 0 else { return [] }
        defer { fb_close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = fb_read(file, &bytes, count)
        return Array(bytes.prefix(max(found, 0)))
    }

    private static func failed(_ call: String, _ path: String, _ error: Int32) -> StoreFault {
        let kind = StoreFault.Kind(systemError: error)
        return StoreFault(
            kind, "\(call) \(path): \(String(cString: fb_error_text(error))); \(kind.advice)")
    }
}
