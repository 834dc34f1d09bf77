import CLinux
import Glibc

/// Reads the files of a catalog's folder into memory.
struct CatalogFolder {
    let path: String
    let faults: FaultList

    /// The files that a catalog is made of, in the order of their names; what could not be read
    /// is a fault. Symbolic links are followed; hidden files are passed over.
    func files() -> [CatalogFile] {
        guard !path.isEmpty else {
            faults.add("the path of the catalog's folder is empty", file: CatalogFile.folder)
            return []
        }
        guard let top = list(CatalogFile.folder) else { return [] }
        var names: [String] = []
        for name in top {
            if name == "flows" || name == "onboardings" {
                names += (list(name) ?? []).map { name + "/" + $0 }
            } else {
                names.append(name)
            }
        }
        return read(names.filter(isWanted))
    }

    private func isWanted(_ name: String) -> Bool {
        if CatalogFile(name: name, bytes: []).isKnown { return true }
        if !name.hasPrefix("README") {
            faults.add(CatalogFile.unknown, file: name, isWarning: true)
        }
        return false
    }

    private func read(_ names: [String]) -> [CatalogFile] {
        guard names.count <= CatalogLimits.filesMax else {
            faults.add(
                "the folder has \(names.count) files; a catalog has at most "
                    + "\(CatalogLimits.filesMax)", file: CatalogFile.folder)
            return []
        }
        return names.compactMap { name in
            contents(of: name).map { CatalogFile(name: name, bytes: $0) }
        }
    }

    /// The names in a folder, sorted; nil, and a fault, when it cannot be listed.
    private func list(_ name: String) -> [String]? {
        guard let folder = opendir(path + "/" + name) else {
            faults.add(listingFault(errno), file: name)
            return nil
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private func listingFault(_ error: Int32) -> String {
        switch error {
        case ENOENT:
            "\(path.shown) is not there; give the folder that holds placements.json"
        case ENOTDIR:
            "not a folder in \(path.shown); a catalog is a folder that holds placements.json"
        default:
            "cannot list it in \(path.shown): \(errorText(error)); the broker's user needs to read it"
        }
    }

    private func contents(of name: String) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return unreadable(name, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return unreadable(name, errno) }
        guard info.st_mode & S_IFMT == S_IFREG else {
            faults.add("not a regular file; expected a file with JSON text", file: name)
            return nil
        }
        guard info.st_size <= CatalogLimits.fileBytesMax else {
            faults.add(JSONDocument.oversize(Int(info.st_size)), file: name)
            return nil
        }
        return bytes(of: descriptor, count: Int(info.st_size), name)
    }

    /// Reads up to that many bytes: a file that grows meanwhile is cut, one that shrinks is short.
    private func bytes(of descriptor: Int32, count: Int, _ name: String) -> [UInt8]? {
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
        return failure == 0 ? bytes : unreadable(name, failure)
    }

    private func unreadable(_ name: String, _ error: Int32) -> [UInt8]? {
        faults.add(
            "cannot read the file: \(errorText(error)); the broker's user needs to read it",
            file: name)
        return nil
    }

    private func errorText(_ error: Int32) -> String {
        fb_error_text(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
