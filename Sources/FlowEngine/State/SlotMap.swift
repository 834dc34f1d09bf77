/// Values by slot number, holding only those that were ever set.
///
/// A session keeps what differs from its document in these, so its size follows what the user
/// touched and not the size of the flow. Look-up is a binary search; setting a slot that is
/// there already allocates nothing.
struct SlotMap<Value: Sendable>: Sendable {
    private var slots: [Int32] = []
    private var values: [Value] = []

    subscript(slot: Int32) -> Value? {
        let place = firstPlace(notBefore: slot)
        return place < slots.count && slots[place] == slot ? values[place] : nil
    }

    mutating func set(_ slot: Int32, to value: Value) {
        let place = firstPlace(notBefore: slot)
        if place < slots.count && slots[place] == slot {
            values[place] = value
        } else {
            slots.insert(slot, at: place)
            values.insert(value, at: place)
        }
    }

    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    private func firstPlace(notBefore slot: Int32) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle] < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
