/// Loads catalogs: JSON files in a folder, as `docs/catalog.md` describes them.
public struct CatalogLoader {
    /// Loads the catalog in a folder.
    ///
    /// Blocking: yes, it reads every file. The report names every fault of every file at once.
    /// - Parameter folder: Path of the folder that holds `placements.json`.
    public static func load(folder: String) -> CatalogReport {
        let faults = FaultList()
        let files = CatalogFolder(path: folder, faults: faults).files()
        return report(files, faults)
    }

    /// Loads a catalog from memory: names relative to the folder, such as `flows/a.json`, and
    /// the bytes of the files.
    public static func load(files: [(name: String, bytes: [UInt8])]) -> CatalogReport {
        let faults = FaultList()
        let files = files.map { CatalogFile(name: $0.name, bytes: $0.bytes) }.filter { file in
            if !file.isKnown { faults.add(CatalogFile.unknown, file: file.name, isWarning: true) }
            return file.isKnown
        }
        return report(files, faults)
    }

    /// Loads the built-in catalog, which is that of `examples/catalog`.
    public static func sample() -> CatalogReport {
        load(
            files: SampleCatalog.files.map { name, text in
                (name, text.withUTF8Buffer { [UInt8]($0) })
            })
    }

    private static func report(_ files: [CatalogFile], _ faults: FaultList) -> CatalogReport {
        var names = Set<String>()
        let single = files.filter { file in
            let isFirst = names.insert(file.name).inserted
            if !isFirst {
                faults.add(
                    "the file is there twice, maybe in another Unicode normalisation",
                    file: file.name)
            }
            return isFirst
        }
        var reading = CatalogReading(faults: faults)
        return reading.read(single)
    }
}
