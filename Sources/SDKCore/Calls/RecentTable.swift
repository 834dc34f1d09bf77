import FlowEngine

/// The values that were put in last, by exact name: of more than `limit` the one goes that was put
/// in longest ago. What an operation costs does not grow with what is kept.
package struct RecentTable<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        let name: ExactText
        var value: Value
        /// Places of the neighbours in age; -1: there is none.
        var older: Int
        var newer: Int
    }

    private let limit: Int
    private var slots: [Slot] = []
    private var places: [ExactText: Int] = [:]
    private var oldest = -1
    private var newest = -1

    /// Makes an empty table for that many values; at least one.
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many values are kept.
    package var count: Int { slots.count }

    /// The value of that name; nil: none was put in, or it has gone.
    package subscript(name: String) -> Value? {
        places[ExactText(name)].map { slots[$0].value }
    }

    /// The values, the one that was put in last at the end.
    package var values: [Value] {
        var values: [Value] = []
        var place = oldest
        while place >= 0 {
            values.append(slots[place].value)
            place = slots[place].newer
        }
        return values
    }

    /// Puts a value in, in place of one of that name.
    package mutating func put(_ value: Value, name: String) {
        let name = ExactText(name)
        if let place = places[name] {
            slots[place].value = value
            unlink(place)
            link(place)
            return
        }
        let slot = Slot(name: name, value: value, older: -1, newer: -1)
        var place = slots.count
        if place < limit {
            slots.append(slot)
        } else {
            place = oldest
            unlink(place)
            places[slots[place].name] = nil
            slots[place] = slot
        }
        places[name] = place
        link(place)
    }

    /// Forgets all.
    package mutating func removeAll() {
        self = RecentTable(limit: limit)
    }

    /// Takes a slot out of the order of age.
    private mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
        if newer >= 0 { slots[newer].older = older } else { newest = older }
    }

    /// Makes a slot the newest.
    private mutating func link(_ place: Int) {
        slots[place].older = newest
        slots[place].newer = -1
        if newest >= 0 { slots[newest].newer = place } else { oldest = place }
        newest = place
    }
}
