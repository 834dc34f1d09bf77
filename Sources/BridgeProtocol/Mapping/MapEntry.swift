/// An entry of a map, which travels as a list of entries.
protocol MapEntry {
    var key: String { get }
}

extension Array where Element: MapEntry {
    /// Keeps the last entry of each key, as protobuf says of a map whose key came twice, at the
    /// place of its first; keys are compared byte by byte.
    mutating func keepLastOfEachKey() {
        guard count > 1, hasKeyTwice else { return }
        var places: [[UInt8]: Int] = [:]
        var kept: [Element] = []
        for entry in self {
            let key = [UInt8](entry.key.utf8)
            if let place = places[key] {
                kept[place] = entry
            } else {
                places[key] = kept.count
                kept.append(entry)
            }
        }
        self = kept
    }

    /// Without an allocation for the few entries that most maps have.
    private var hasKeyTwice: Bool {
        guard count <= 8 else { return Set(map { [UInt8]($0.key.utf8) }).count < count }
        for (place, entry) in enumerated() {
            let key = entry.key.utf8
            for other in self[..<place].lazy.map(\.key.utf8)
            where other.count == key.count && other.elementsEqual(key) {
                return true
            }
        }
        return false
    }
}
