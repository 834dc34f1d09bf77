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
        var folder: UnsafeMutableRawPointer?
        let opened = fb_folder_open(path + "/" + name, &folder)
        guard opened >= 0, let folder else {
            faults.add(listingFault(-opened), file: name)
            return nil
        }
        defer { fb_folder_close(folder) }
        var names: [String] = []
        var entry: UnsafePointer<CChar>?
        var result = fb_folder_next(folder, &entry)
        while result > 0, let found = entry {
            let name = String(cString: found)
            if !name.hasPrefix(".") { names.append(name) }
            result = fb_folder_next(folder, &entry)
        }
        // A folder that was listed by half would be a catalog that lacks flows.
        guard result == 0 else {
            faults.add(listingFault(-result), file: name)
            return nil
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
        let fault: String
        do throws(RegularFile.Fault) {
            return try RegularFile.read(path + "/" + name, bytesMax: CatalogLimits.fileBytesMax)
        } catch {
            switch error {
            case .system(let text):
                fault = "cannot read the file: \(text); the broker's user needs to read it"
            case .notRegular: fault = "not a regular file; expected a file with JSON text"
            case .oversize(let count): fault = JSONDocument.oversize(count)
            }
        }
        faults.add(fault, file: name)
        return nil
    }

    private func errorText(_ error: Int32) -> String {
        fb_error_text(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
