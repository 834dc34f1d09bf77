import CLinux
import Glibc

/// Where a store is when the command line names none.
public enum StorePath {
    /// `flowbridge/store.db` under `XDG_STATE_HOME`, else under `~/.local/state`. Folders that are
    /// missing are made, 0700.
    ///
    /// - Throws: when there is no home, and when the folder `flowbridge` is not ours alone.
    public static func standard(
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) throws(StoreFault) -> String {
        let folder = try stateFolder(environment) + "/flowbridge"
        try makeFolders(folder)
        var info = fb_file_info()
        let result = fb_file_look(folder, &info)
        guard result >= 0 else { throw failed("lstat", folder, -result) }
        guard info.kind == FB_FILE_FOLDER, info.uid == geteuid(), info.mode & 0o077 == 0 else {
            throw StoreFault(
                .readOnly,
                "\(folder) has to be a folder of uid \(geteuid()) with mode 0700, it has uid "
                    + "\(info.uid) and mode 0\(String(info.mode, radix: 8)); mend it, name a file with "
                    + "--store, or keep nothing with --ephemeral")
        }
        return folder + "/store.db"
    }

    private static func stateFolder(
        _ environment: (String) -> String?
    ) throws(StoreFault) -> String {
        // A relative path is not valid there, says the XDG specification: it counts as not set.
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state" }
        throw StoreFault(
            .system,
            "neither XDG_STATE_HOME nor HOME is set: name a file with --store, or keep nothing with "
                + "--ephemeral")
    }

    private static func makeFolders(_ folder: String) throws(StoreFault) {
        let before = umask(0o077)
        defer { umask(before) }
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/" + name
            let made = fb_make_folder(path, 0o700)
            guard made < 0, made != -EEXIST else { continue }
            // What is there may be where nobody may make anything.
            if made == -EACCES || made == -EROFS, fb_may(path, F_OK) >= 0 { continue }
            throw failed("mkdir", path, -made)
        }
    }

    private static func failed(_ call: String, _ path: String, _ error: Int32) -> StoreFault {
        let kind = StoreFault.Kind(systemError: error)
        return StoreFault(
            kind, "\(call) \(path): \(String(cString: fb_error_text(error))); \(kind.advice)")
    }
}
