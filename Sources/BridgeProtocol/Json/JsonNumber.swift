/// A whole number as JSON may spell it: sign and size apart, so that all of 64 bits fit.
struct WholeNumber {
    var isNegative = false
    var magnitude: UInt64 = 0

    init(_ value: Int64) {
        isNegative = value < 0
        magnitude = value.magnitude
    }

    init(_ value: UInt64) {
        magnitude = value
    }

    /// A double that stands for exactly one whole number; nil beyond 2^53 or with a fraction.
    init?(exactly value: Double) {
        guard value.magnitude <= WholeNumber.exactMax else { return nil }
        // Int64(exactly:) would need libm, which nothing else here does.
        let whole = Int64(value)
        guard Double(whole) == value else { return nil }
        self.init(whole)
    }

    /// 2^53: beyond it not every whole number has a double of its own.
    static let exactMax = 9_007_199_254_740_992.0

    /// A text in the grammar of JSON numbers, such as `-12`, `1.0` or `1e3`.
    ///
    /// - Throws: What is wrong: not a number, a fraction left over, or over 64 bits.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(JsonFault) {
        var reader = NumberReader(text)
        isNegative = reader.take(UInt8(ascii: "-"))
        guard let whole = reader.digits(), !(whole.count > 1 && whole.first == 0x30) else {
            throw WholeNumber.notANumber
        }
        var digits = Array(whole)
        var exponent = 0
        if reader.take(UInt8(ascii: ".")) {
            guard let fraction = reader.digits() else { throw WholeNumber.notANumber }
            digits += fraction
            exponent = -fraction.count
        }
        if reader.take(UInt8(ascii: "e")) || reader.take(UInt8(ascii: "E")) {
            let isDown = reader.take(UInt8(ascii: "-"))
            if !isDown { _ = reader.take(UInt8(ascii: "+")) }
            guard let power = reader.digits() else { throw WholeNumber.notANumber }
            let size = power.prefix(6).reduce(0) { $0 * 10 + Int($1 - 0x30) }
            exponent += (isDown ? -1 : 1) * (power.count > 6 ? 1_000_000 : size)
        }
        guard reader.isAtEnd else { throw WholeNumber.notANumber }
        magnitude = try WholeNumber.value(digits, exponent)
    }

    /// The number with these digits, times ten to the exponent.
    private static func value(_ digits: [UInt8], _ exponent: Int) throws(JsonFault) -> UInt64 {
        var digits = digits[...]
        var exponent = exponent
        while exponent < 0, let last = digits.last {
            guard last == 0x30 else { throw fraction }
            digits.removeLast()
            exponent += 1
        }
        var value: UInt64 = 0
        for digit in digits { value = try grown(value, UInt64(digit - 0x30)) }
        while exponent > 0 && value > 0 {
            value = try grown(value, 0)
            exponent -= 1
        }
        return value
    }

    private static func grown(_ value: UInt64, _ digit: UInt64) throws(JsonFault) -> UInt64 {
        let (tens, high) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(digit)
        if high || carry { throw tooLarge }
        return sum
    }

    static let notANumber = JsonFault(
        "expected a whole number, got a text that is none; write it as 12, \"12\", 1.0 or 1e3")
    static let fraction = JsonFault("expected a whole number, got one with a fraction")
    static let tooLarge = JsonFault("is out of range: the number has more than 64 bits")
    static let inexact = JsonFault(
        "expected a whole number; beyond 2^53 write all of its digits, without point or exponent")

    /// The number as 64 bits with a sign, if it is in the range.
    func signed(_ range: ClosedRange<Int64>) throws(JsonFault) -> Int64 {
        let value =
            isNegative ? Int64(exactly: magnitude).map { -$0 } ?? lowest : Int64(exactly: magnitude)
        guard let value, range.contains(value) else {
            throw outOfRange("\(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private var lowest: Int64? { magnitude == Int64.min.magnitude ? Int64.min : nil }

    /// The number as 64 bits without a sign, if it is at most `limit`.
    func unsigned(_ limit: UInt64) throws(JsonFault) -> UInt64 {
        guard magnitude <= limit, !isNegative || magnitude == 0 else {
            throw outOfRange("0 to \(limit)")
        }
        return magnitude
    }

    private func outOfRange(_ range: String) -> JsonFault {
        JsonFault("\(isNegative ? "-" : "")\(magnitude) is out of range: it takes \(range)")
    }
}

/// Walks the characters of a number.
struct NumberReader {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ text: UnsafeBufferPointer<UInt8>) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ code: UInt8) -> Bool {
        guard rest.first == code else { return false }
        rest.removeFirst()
        return true
    }

    /// One digit or more; nil if there is none.
    mutating func digits() -> Slice<UnsafeBufferPointer<UInt8>>? {
        let found = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
        rest = rest[found.endIndex...]
        return found.isEmpty ? nil : found
    }
}

/// Whether a text is a number in JSON's grammar.
func isJsonNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var reader = NumberReader(text)
    _ = reader.take(UInt8(ascii: "-"))
    guard let whole = reader.digits(), !(whole.count > 1 && whole.first == 0x30) else {
        return false
    }
    if reader.take(UInt8(ascii: ".")) && reader.digits() == nil { return false }
    if reader.take(UInt8(ascii: "e")) || reader.take(UInt8(ascii: "E")) {
        if !reader.take(UInt8(ascii: "-")) { _ = reader.take(UInt8(ascii: "+")) }
        if reader.digits() == nil { return false }
    }
    return reader.isAtEnd
}
