import Testing

@testable import BridgeBroker

@Suite("Stored records")
struct RecordCodingTests {
    private struct Inner: Codable, Equatable {
        var name = ""
        var numbers: [Int64] = []
        var nested: [[String]] = []
    }

    private enum Choice: String, Codable { case one, two }

    private enum Payload: Codable, Equatable {
        case text(String)
        case pair(Double, label: String)
        case nothing
    }

    private struct Sample: Codable, Equatable {
        var flag = false
        var text = ""
        var small: Int32 = 0
        var large: UInt64 = 0
        var real = 0.0
        var maybe: String?
        var inner = Inner()
        var more: [Inner] = []
        var named: [String: Payload] = [:]
        var choice: Choice?
        var payload: Payload?
    }

    @Test("every kind of member comes back as it was")
    func roundTrip() throws {
        var sample = Sample()
        sample.flag = true
        sample.text = "\"quoted\" \u{e9} e\u{301} \u{1F600} \u{2028}\n\t\\"
        sample.small = .min
        sample.large = .max
        sample.real = 0.1
        sample.maybe = ""
        sample.inner = Inner(name: "a", numbers: [.min, 0, .max], nested: [[], ["x", "y"]])
        sample.more = [Inner(), sample.inner]
        sample.named = ["k": .text("v"), "": .pair(-2, label: "l"), "n": .nothing]
        sample.choice = .two
        sample.payload = .pair(1e300, label: "")
        let record = try RecordEncoder.encode(sample)
        let found = try RecordDecoder.decode(Sample.self, from: record)
        #expect(found == sample)
        #expect(Array(found.text.unicodeScalars) == Array(sample.text.unicodeScalars))
        #expect(
            try RecordDecoder.decode(Sample.self, from: RecordEncoder.encode(Sample())) == Sample())
    }

    @Test("members that an older program did not write read as empty; unknown ones are passed over")
    func otherVersions() throws {
        #expect(try RecordDecoder.decode(Sample.self, from: Array("{}".utf8)) == Sample())
        let newer = #"{"text":"t","later":{"deep":[1,2]},"inner":{"name":"n","other":true}}"#
        let found = try RecordDecoder.decode(Sample.self, from: Array(newer.utf8))
        #expect(found.text == "t")
        #expect(found.inner == Inner(name: "n"))
    }

    @Test(
        "what is no record, or of another type, is refused",
        arguments: [
            "", "{", "[]", "7", #"{"text":1}"#, #"{"flag":"yes"}"#, #"{"small":3000000000}"#,
            #"{"more":{}}"#, #"{"inner":[]}"#, #"{"choice":"three"}"#, #"{"payload":{"a":1}}"#,
            #"{"real":"x"}"#,
        ])
    func refused(text: String) {
        #expect(throws: (any Error).self) {
            try RecordDecoder.decode(Sample.self, from: Array(text.utf8))
        }
    }
}
