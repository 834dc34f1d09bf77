/// What gestures call the elements of a screen or the options of a group, and where those are.
///
/// A name is the ID from the builder if that is usable: there, not blank, not given twice, and
/// not of the form `#n` itself. Else it is `#n`, the place counted from 0.
struct NameTable: Sendable {
    /// Up to so many names are compared one by one, which is quicker than hashing.
    private static let scannedMax = 12

    let names: [String]
    private let places: [ExactText: Int32]
    /// IDs that were given twice, for the text of a refusal.
    private let ambiguous: Set<ExactText>

    init(_ ids: [String?]) {
        var seen: [ExactText: Int] = [:]
        for case .some(let id) in ids { seen[ExactText(id), default: 0] += 1 }
        names = ids.enumerated().map { index, id in
            guard let id, !id.isBlank, seen[ExactText(id)] == 1, !NameTable.isPlace(id) else {
                return "#\(index)"
            }
            return id
        }
        places = Dictionary(
            names.enumerated().map { (ExactText($1), Int32($0)) }, uniquingKeysWith: { a, _ in a })
        ambiguous = Set(seen.filter { $0.value > 1 }.keys)
    }

    /// The place of what goes by that name.
    func place(of name: String) -> Int? {
        if names.count <= NameTable.scannedMax {
            return names.firstIndex { $0.isExactly(name) }
        }
        return places[ExactText(name)].map(Int.init)
    }

    /// Whether several go by that ID, so that it names none of them.
    func isAmbiguous(_ id: String) -> Bool {
        ambiguous.contains(ExactText(id))
    }

    private static func isPlace(_ id: String) -> Bool {
        let bytes = id.utf8
        return bytes.first == 0x23 && bytes.count > 1
            && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
