/// The closed devices whose stored state is kept, in the order of closing.
///
/// Taking one out leaves its place behind; such places are dropped when they are as many as those
/// that count, so that a closing costs the same however many devices there are.
struct ClosedDevices {
    private var closings: [(device: Device, number: UInt64)] = []
    /// The places before this one do not count.
    private var first = 0
    private var last: UInt64 = 0
    /// Devices in it.
    private(set) var count = 0

    mutating func add(_ device: Device) {
        last += 1
        device.closing = last
        closings.append((device, last))
        count += 1
    }

    /// Takes a device out, which opens again or is forgotten.
    mutating func remove(_ device: Device) {
        guard device.closing != 0 else { return }
        device.closing = 0
        count -= 1
        if closings.count > 2 * count + 64 {
            closings.removeAll { $0.device.closing != $0.number }
            first = 0
        }
        while first < closings.count, !counts(first) { first += 1 }
    }

    /// The device that was closed longest ago and that no connection uses; nil: all are used.
    var oldestUnused: Device? {
        for place in first..<closings.count where counts(place) && !closings[place].device.isUsed {
            return closings[place].device
        }
        return nil
    }

    private func counts(_ place: Int) -> Bool {
        closings[place].device.closing == closings[place].number
    }
}
