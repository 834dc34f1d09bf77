import BridgeCatalog
import Foundation
import Testing

@Suite("Folders of catalogs")
struct CatalogFolderTests {
    /// A folder of its own that goes with the test.
    final class Folder {
        let path: String

        init(_ files: [String: String] = [:]) throws {
            path = NSTemporaryDirectory() + "catalog-" + UUID().uuidString
            try FileManager.default.createDirectory(
                atPath: path + "/flows", withIntermediateDirectories: true)
            for (name, text) in files {
                try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        var lines: [String] { CatalogLoader.load(folder: path).faults.map(\.description) }
    }

    @Test("a folder with a sound catalog loads, whatever is hidden in it or says README")
    func sound() throws {
        let folder = try Folder(BrokenCatalog.sound)
        for name in [".git", "README.md", "flows/.f.json.swp"] {
            try "x".write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
        }
        #expect(folder.lines == [])
        #expect(CatalogLoader.load(folder: folder.path + "/").catalog != nil)
    }

    @Test("a folder that is not there, is a file, or has no name says what to give")
    func noFolder() throws {
        let folder = try Folder(BrokenCatalog.sound)
        let file = folder.path + "/products.json"
        #expect(
            CatalogLoader.load(folder: file).faults.map(\.pointer) == [""])
        #expect(
            CatalogLoader.load(folder: file).faults.first?.message.hasSuffix(
                "a catalog is a folder that holds placements.json") == true)
        let missing = CatalogLoader.load(folder: "/nowhere/at all")
        #expect(
            missing.faults.map(\.description) == [
                ".#: \"/nowhere/at all\" is not there; give the folder that holds placements.json"
            ])
        #expect(missing.catalog == nil)
        #expect(
            CatalogLoader.load(folder: "").faults.map(\.description)
                == [".#: the path of the catalog's folder is empty"])
    }

    @Test("an empty folder misses placements.json")
    func empty() throws {
        #expect(
            try Folder().lines == [
                "placements.json#: the file is missing; a catalog has at least this one, with "
                    + "{\"placements\": […]}"
            ])
    }

    @Test("what is no part of a catalog is named, as a typo in a file's name may be")
    func strangers() throws {
        let folder = try Folder(BrokenCatalog.sound)
        try "x".write(toFile: folder.path + "/flows/g.jsn", atomically: false, encoding: .utf8)
        try "x".write(toFile: folder.path + "/product.json", atomically: false, encoding: .utf8)
        #expect(
            folder.lines.map { String($0.prefix { $0 != ":" }) }
                == ["flows/g.jsn#", "product.json#"])
        #expect(CatalogLoader.load(folder: folder.path).catalog != nil)
    }

    @Test("a folder or a pipe where a file is due is a fault, not a wait")
    func noRegularFile() throws {
        let folder = try Folder(BrokenCatalog.sound)
        try FileManager.default.removeItem(atPath: folder.path + "/products.json")
        #expect(mkfifo(folder.path + "/products.json", 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/flows/d.json", withIntermediateDirectories: false)
        #expect(
            folder.lines == [
                "products.json#: not a regular file; expected a file with JSON text",
                "flows/d.json#: not a regular file; expected a file with JSON text",
            ])
    }

    @Test("a link is followed, and one to nowhere is a fault that says why")
    func links() throws {
        let folder = try Folder(BrokenCatalog.sound)
        let files = FileManager.default
        try files.moveItem(
            atPath: folder.path + "/products.json", toPath: folder.path + "/.products")
        try files.createSymbolicLink(
            atPath: folder.path + "/products.json", withDestinationPath: ".products")
        #expect(folder.lines == [])
        try files.removeItem(atPath: folder.path + "/.products")
        #expect(
            folder.lines == [
                "products.json#: cannot read the file: No such file or directory; the broker's "
                    + "user needs to read it"
            ])
    }

    @Test("a file over the limit is refused without being read")
    func oversize() throws {
        let folder = try Folder(BrokenCatalog.sound)
        #expect(truncate(folder.path + "/products.json", CatalogLimits.fileBytesMax + 1) == 0)
        #expect(
            folder.lines == [
                "products.json#: the file has 67108865 bytes; at most 67108864 are read: split "
                    + "it or leave out what is not needed"
            ])
    }
}
