/// Values by slot number, holding only those that were ever set.
///
/// A session keeps what differs from its document in these, so its size follows what the user
/// touched and not the size of the flow. Look-up is a binary search; setting a slot that is
/// there already allocates nothing.
struct SlotMap<Value: Sendable>: Sendable {
    private var entries: [(slot: Int32, value: Value)] = []

    subscript(slot: Int32) -> Value? {
        let place = firstPlace(notBefore: slot)
        return place < entries.count && entries[place].slot == slot ? entries[place].value : nil
    }

    mutating func set(_ slot: Int32, to value: Value) {
        let place = firstPlace(notBefore: slot)
        if place < entries.count && entries[place].slot == slot {
            entries[place].value = value
        } else {
            entries.insert((slot, value), at: place)
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    private func firstPlace(notBefore slot: Int32) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].slot < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
