import CLinux
import Glibc

/// Files that this program reads and writes.
enum FilePath {
    /// The longest file that is read, in bytes.
    static let bytesMax = 64 << 20

    /// A path from the root on; a relative one counts from the folder of another file.
    static func absolute(_ path: String, beside file: String) -> String {
        if path.hasPrefix("/") { return path }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let joined = folder.isEmpty ? path : folder.joined(separator: "/") + "/" + path
        return real(joined) ?? joined
    }

    /// The path without links and dots; nil when there is nothing.
    static func real(_ path: String) -> String? {
        var resolved: UnsafeMutablePointer<CChar>?
        guard fb_real_path(path, &resolved) >= 0, let resolved else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The text of a file, or of standard input for `-`.
    static func text(_ path: String) throws(Exit) -> String {
        let bytes = try FileBytes.read(
            path, .init(bytesMax: bytesMax, reason: "which no such file has"))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failure("\(path) is not valid UTF-8")
        }
        return text
    }

    /// Writes a file whole, readable by its owner only: it may hold what users typed.
    static func write(_ text: String, to path: String) throws(Exit) {
        try GrowingFile(file: path).write(Array(text.utf8))
    }

    /// The names in a folder, sorted by their bytes; nil: it is no folder.
    static func names(in folder: String) throws(Exit) -> [String]? {
        var handle: UnsafeMutableRawPointer?
        let opened = fb_folder_open(folder, &handle)
        guard opened >= 0, let handle else {
            if [-ENOTDIR, -ENOENT].contains(opened) { return nil }
            throw .failure("\(folder): \(errorText(-opened))")
        }
        defer { fb_folder_close(handle) }
        var names: [String] = []
        var entry: UnsafePointer<CChar>?
        var result = fb_folder_next(handle, &entry)
        while result > 0, let found = entry {
            let name = String(cString: found)
            if name != ".", name != ".." { names.append(name) }
            result = fb_folder_next(handle, &entry)
        }
        guard result == 0 else { throw .failure("\(folder): \(errorText(-result))") }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
