/// Checks custom attributes in the order given, as the SDK's builder does (PRO-10 to PRO-18).
struct AttributeBuilder: Sendable, Equatable {
    /// The last change of each key; nil removes it.
    private(set) var changes: [String: AttributeValue?] = [:]
    private var valueCount = 0

    /// Takes one more change: checks its key, then its value, then the count (PRO-17).
    ///
    /// - Parameter place: The place of the change in its call, for the error.
    /// - Throws: `wrongParam` (PRO-10, PRO-12, PRO-15); INVALID_ARGUMENT for a number that is not
    ///   finite (PRO-9).
    mutating func add(_ change: AttributeChange, place: Int) throws(DeviceFault) {
        let key = change.key.trimmed()
        guard Self.isKey(key) else {
            throw .sdk(
                AdaptyError(
                    .wrongParam,
                    "custom attribute key \"\(key.readable())\": 1 to 30 characters out of "
                        + "A-Z a-z 0-9 . _ -"))
        }
        let value = try Self.checked(change.value, key: key, place: place)
        if case .some(.some) = changes[key] { valueCount -= 1 }
        if value != nil { valueCount += 1 }
        changes[key] = .some(value)
        try Self.check(count: valueCount)
    }

    /// The attributes after removals and then additions (PRO-16, PRO-20).
    ///
    /// - Throws: `wrongParam` when too many would have a value.
    func merged(
        into attributes: [String: AttributeValue]
    ) throws(DeviceFault) -> [String: AttributeValue] {
        var merged = attributes
        for (key, value) in changes { merged[key] = value }
        try Self.check(count: merged.count)
        return merged
    }

    private static func check(count: Int) throws(DeviceFault) {
        guard count > SDKLimits.customAttributesMax else { return }
        throw .sdk(
            AdaptyError(
                .wrongParam,
                "at most \(SDKLimits.customAttributesMax) custom attributes with a value, "
                    + "got \(count)"))
    }

    private static func isKey(_ key: String) -> Bool {
        let bytes = key.utf8
        return !bytes.isEmpty && bytes.count <= SDKLimits.attributeKeyCharactersMax
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// The value to store: trimmed; nil for a blank text, which removes (PRO-14).
    private static func checked(
        _ value: AttributeValue?, key: String, place: Int
    ) throws(DeviceFault) -> AttributeValue? {
        switch value {
        case nil: return nil
        case .number(let number):
            guard number.isFinite else {
                throw .invalidArgument(
                    "custom attribute \"\(key)\": a number has to be finite",
                    field: "custom_attributes[\(place)].double")
            }
            return value
        case .string(let text):
            let trimmed = text.trimmed()
            let count = trimmed.count
            guard count <= SDKLimits.attributeTextCharactersMax else {
                throw .sdk(
                    AdaptyError(
                        .wrongParam,
                        "custom attribute \"\(key)\": a text value has at most "
                            + "\(SDKLimits.attributeTextCharactersMax) characters, got \(count)"))
            }
            return trimmed.isEmpty ? nil : .string(trimmed)
        }
    }
}
