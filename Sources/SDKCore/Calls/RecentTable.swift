import FlowEngine

/// The values that were put in last, by exact name: of more than `limit` the one goes that was put
/// in longest ago. What an operation costs does not grow with what is kept.
package struct RecentTable<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        let name: ExactText
        var value: Value
        /// Places of the neighbours in age; -1: there is none.
        var older: Int32
        var newer: Int32
    }

    /// Up to so many names are compared one by one: a table of places would take more room than
    /// the values of most tables.
    private static var scannedMax: Int { 8 }

    private let limit: Int32
    private var oldest: Int32 = -1
    private var newest: Int32 = -1
    private var slots: [Slot] = []
    /// Empty as long as names are compared one by one.
    private var places: [ExactText: Int32] = [:]
    /// Grows with each change of a table.
    package private(set) var writes: UInt64 = 0

    /// Makes an empty table for that many values; at least one.
    package init(limit: Int) {
        self.limit = Int32(clamping: max(1, limit))
    }

    /// How many values are kept.
    package var count: Int { slots.count }

    /// The value of that name; nil: none was put in, or it has gone.
    package subscript(name: String) -> Value? {
        place(of: ExactText(name)).map { slots[Int($0)].value }
    }

    /// The values, the one that was put in last at the end.
    package var values: [Value] {
        var values: [Value] = []
        var place = oldest
        while place >= 0 {
            values.append(slots[Int(place)].value)
            place = slots[Int(place)].newer
        }
        return values
    }

    /// Puts a value in, in place of one of that name.
    package mutating func put(_ value: Value, name: String) {
        writes += 1
        let name = ExactText(name)
        if let place = place(of: name) {
            slots[Int(place)].value = value
            unlink(place)
            link(place)
            return
        }
        let slot = Slot(name: name, value: value, older: -1, newer: -1)
        var place = Int32(slots.count)
        if place < limit {
            slots.append(slot)
        } else {
            place = oldest
            unlink(place)
            places[slots[Int(place)].name] = nil
            slots[Int(place)] = slot
        }
        link(place)
        note(name, at: place)
    }

    private func place(of name: ExactText) -> Int32? {
        if !places.isEmpty { return places[name] }
        return slots.firstIndex { $0.name == name }.map(Int32.init)
    }

    private mutating func note(_ name: ExactText, at place: Int32) {
        if slots.count <= Self.scannedMax { return }
        if places.isEmpty {
            for place in slots.indices { places[slots[place].name] = Int32(place) }
        } else {
            places[name] = place
        }
    }

    /// Forgets all.
    package mutating func removeAll() {
        let writes = writes
        self = RecentTable(limit: Int(limit))
        self.writes = writes + 1
    }

    /// Takes a slot out of the order of age.
    private mutating func unlink(_ place: Int32) {
        let (older, newer) = (slots[Int(place)].older, slots[Int(place)].newer)
        if older >= 0 { slots[Int(older)].newer = newer } else { oldest = newer }
        if newer >= 0 { slots[Int(newer)].older = older } else { newest = older }
    }

    /// Makes a slot the newest.
    private mutating func link(_ place: Int32) {
        slots[Int(place)].older = newest
        slots[Int(place)].newer = -1
        if newest >= 0 { slots[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }
}
