import Testing

@testable import BridgeCatalog

@Suite("Walking over JSON without values")
struct JSONScannerTests {
    /// What the scanner says of a whole text: nil if it is JSON.
    static func fault(_ text: String, depthMax: Int = 512) -> JSONSyntaxFault? {
        fault(Array(text.utf8), depthMax: depthMax)
    }

    static func fault(_ bytes: [UInt8], depthMax: Int = 512) -> JSONSyntaxFault? {
        bytes.withUnsafeBytes { text in
            var scanner = JSONScanner(text, in: 0..<text.count, depthMax: depthMax)
            do throws(JSONSyntaxFault) {
                _ = try scanner.value()
                try scanner.finish()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(
        "every sort of value of RFC 8259 is walked over",
        arguments: [
            "0", "-0", "12", "-1.5", "1e3", "1E+3", "0.1e-7", "true", "false", "null", "\"\"",
            "\"a\"", "{}", "[]", " [ ] ", "[1,2]", "{\"a\":1}", "{ \"a\" : [ { } , null ] }",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"", "\"é ờ 😀 \u{10FFFF}\"",
            "\t\r\n1\n", "[[[[]]]]", "\"12345678\"", "\"1234567\\n12345678\"", "\"\u{7F}\"",
            "                  1                 ",
        ])
    func valid(text: String) {
        #expect(Self.fault(text) == nil)
    }

    @Test(
        "what is no JSON is refused where it stands",
        arguments: [
            ("", 0), (" ", 1), ("01", 1), ("-", 1), ("1.", 2), (".5", 0), ("1e", 2), ("+1", 0),
            ("tru", 0), ("nul", 0), ("True", 0), ("NaN", 0), ("\"", 1), ("\"a", 2), ("\"\\", 2),
            ("\"\\x\"", 2), ("\"\\u12g4\"", 3), ("\"\\u12", 3), ("\"a\nb\"", 2), ("'a'", 0),
            ("[1", 2), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("{\"a\"}", 4),
            ("{\"a\":}", 5), ("{a:1}", 1), ("{\"a\":1,}", 7), ("{\"a\":1", 6), ("{1:2}", 1),
            ("1 2", 2), ("{}}", 2), ("]", 0), ("//", 0), ("\u{FEFF}1", 0), ("\"12345678\u{1}\"", 9),
            ("{\"a\":1]", 6),
        ])
    func invalid(text: String, offset: Int) {
        #expect(Self.fault(text)?.offset == offset)
    }

    @Test(
        "bytes that are not UTF-8 are refused, within a string and elsewhere",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x82], [0xC3, 0x28], [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x98, 0x28],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(Self.fault([0x22] + bytes + [0x22])?.what == "a byte that is not UTF-8")
        #expect(Self.fault([0x22] + bytes) != nil)
        #expect(Self.fault(bytes) != nil)
    }

    @Test("as many levels as allowed, and not one more")
    func depth() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ levels: Int) -> String {
                String(repeating: open, count: levels) + "1"
                    + String(repeating: close, count: levels)
            }
            #expect(Self.fault(nested(10), depthMax: 10) == nil)
            #expect(Self.fault(nested(11), depthMax: 10)?.what.contains("10 levels") == true)
        }
        #expect(Self.fault(String(repeating: "[", count: 1_000_000)) != nil, "no stack is used up")
    }

    @Test("the place of each member of an object")
    func members() throws {
        let text = Array(#" {"a" : [1, 2], "b\u00e9":{"c":"}"} ,"\ud800": 1} "#.utf8)
        var found: [String] = []
        try text.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes, in: 0..<bytes.count, depthMax: 4)
            try scanner.object { (key, scanner) throws(JSONSyntaxFault) in
                let place = try scanner.value()
                let name = JSONKey.text(bytes, in: key) ?? "none"
                found.append(name + "=" + String(decoding: bytes[place], as: UTF8.self))
            }
            try scanner.finish()
        }
        #expect(found == ["a=[1, 2]", "b\u{e9}={\"c\":\"}\"}", "none=1"])
    }

    @Test("line and column of a fault")
    func position() {
        let text = Array("{\n  \"a\": tru\n}".utf8)
        let position = text.withUnsafeBytes {
            JSONSyntaxFault(offset: 9, what: "").position(in: $0)
        }
        #expect(position == "line 2, column 8")
    }

    @Test("it takes and refuses what jansson does, in 6 000 damaged texts, seed 11")
    func againstJansson() {
        let seed: [UInt8] = Array(
            #"{"a":[1,-2.5e3,true,null,"x\n\u00e9 é😀"],"b":{"c":{},"d":[[]]},"e":"12345678 90"}"#
                .utf8)
        let pieces = Array("{}[]:,\"\\u0eE+-.tfn 19\u{1}".utf8) + [0xC3, 0xA9, 0xFF]
        var random = MutatedCatalogTests.Generator(state: 11)
        var (taken, refused) = (0, 0)
        for _ in 0..<6_000 {
            var text = seed
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(pieces.randomElement(using: &random) ?? 0, at: place)
                default: text[place] = pieces.randomElement(using: &random) ?? 0
                }
            }
            let isTaken = Self.fault(text) == nil
            let faults = FaultList()
            let isJSON = JSONDocument.parse(text, file: "f", faults: faults) != nil
            if isJSON { #expect(isTaken, "\(String(decoding: text, as: UTF8.self))") }
            if isTaken && !isJSON {
                // What stands for no text or number is refused when it is read.
                let message = faults.sorted.first?.message ?? ""
                #expect(
                    message.contains("Unicode") || message.contains("NUL")
                        || message.contains("overflow") || message.contains("\\u0000"),
                    "\(String(decoding: text, as: UTF8.self)): \(message)")
            }
            if isTaken { taken += 1 } else { refused += 1 }
        }
        #expect(taken > 500 && refused > 500, "\(taken) taken, \(refused) refused")
    }
}
