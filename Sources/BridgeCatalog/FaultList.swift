/// Gathers the faults of one run and puts them in order.
///
/// Readers and checks find faults in any order; the list is sorted by file and by place in the
/// file, so that two runs over the same files print the same lines.
final class FaultList {
    private struct Entry {
        let fault: CatalogFault
        let places: [Int]
        let number: Int
    }

    private var entries: [Entry] = []
    private var filesWithErrors: Set<String> = []

    /// Notes a fault of a file as a whole, or of a place in it.
    func add(
        _ message: String, file: String, at pointer: JSONPointer? = nil, isWarning: Bool = false
    ) {
        let fault = CatalogFault(
            file: file, pointer: pointer?.text ?? "", message: message, isWarning: isWarning)
        entries.append(
            Entry(fault: fault, places: pointer?.places ?? [], number: entries.count))
        if !isWarning { filesWithErrors.insert(file) }
    }

    /// Whether a fault of that file, or of any file, is more than a warning.
    func hasErrors(in file: String? = nil) -> Bool {
        file.map(filesWithErrors.contains) ?? !filesWithErrors.isEmpty
    }

    /// All faults: the folder, placements, products, flows, onboardings; each in reading order.
    var sorted: [CatalogFault] {
        entries.sorted(by: Self.precedes).map(\.fault)
    }

    private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
        let (rankA, rankB) = (rank(of: a.fault.file), rank(of: b.fault.file))
        if rankA != rankB { return rankA < rankB }
        if a.fault.file != b.fault.file { return a.fault.file < b.fault.file }
        if a.places != b.places { return a.places.lexicographicallyPrecedes(b.places) }
        return a.number < b.number
    }

    private static func rank(of file: String) -> Int {
        if file == CatalogFile.folder { return 0 }
        if file == CatalogFile.placements { return 1 }
        if file == CatalogFile.products { return 2 }
        if file.hasPrefix(CatalogFile.flowsPrefix) { return 3 }
        return file.hasPrefix(CatalogFile.onboardingsPrefix) ? 4 : 5
    }
}
