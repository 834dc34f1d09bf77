/// The name that was probably meant; nil when none is near.
func nearest(to word: String, in names: [String]) -> String? {
    let wanted = folded(word)
    let ranked = names.map { (name: $0, distance: editDistance(wanted, folded($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, wanted.count / 3) ? best.name : nil
}

/// Without what the two spellings of a name differ in.
private func folded(_ name: String) -> [UInt8] {
    Array(name.lowercased().utf8).filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
}

/// Insertions, removals, replacements and swaps of neighbours from one text to the other.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older = [Int](repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    for i in 0..<a.count {
        var next = [i + 1] + [Int](repeating: 0, count: b.count)
        for j in 0..<b.count {
            let cost = a[i] == b[j] ? 0 : 1
            next[j + 1] = min(row[j + 1] + 1, next[j] + 1, row[j] + cost)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                next[j + 1] = min(next[j + 1], older[j - 1] + 1)
            }
        }
        older = row
        row = next
    }
    return row[b.count]
}
