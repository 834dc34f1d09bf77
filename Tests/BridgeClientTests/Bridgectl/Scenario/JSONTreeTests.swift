import Testing

@testable import bridgectl

@Suite("bridgectl: JSON trees")
struct JSONTreeTests {
    @Test(
        "what is read is written again, numbers as they were",
        arguments: [
            "null", "true", "-0.50e+3", "9007199254740993", "3.0", "\"\"", "[]", "{}",
            "[1,\"a\",[null],{\"b\":false}]", "{\"a\":{\"b\":[1,2]},\"c\":\"d\"}",
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONTreeReader.read(text).compact == text)
    }

    @Test(
        "escapes become what they stand for",
        arguments: [
            (#""\n\t\r\b\f\"\\\/""#, "\n\t\r\u{8}\u{C}\"\\/"), (#""\u0041\u00e4""#, "Aä"),
            (#""\ud83d\ude00""#, "😀"), (#""e\u0301""#, "e\u{301}"),
        ])
    func escapes(text: String, wanted: String) throws {
        let read = try #require(try JSONTreeReader.read(text).text)
        #expect(Array(read.utf8) == Array(wanted.utf8))
    }

    @Test(
        "what is no JSON is told by line and column",
        arguments: [
            ("", 1, 1, "ends here"), ("{\n  \"a\": ,\n}", 2, 8, "value is wanted"),
            ("[1 2]", 1, 4, "comma or ]"), ("{\"a\" 1}", 1, 6, "colon"), ("{a:1}", 1, 2, "quotes"),
            ("{\"a\":1,\n\"a\":2}", 2, 1, "there twice"), ("[1] x", 1, 5, "nothing may follow"),
            ("01", 1, 2, "nothing may follow"), ("1.", 1, 3, "digit"), ("\"a", 1, 3, "no end"),
            ("\"a\nb\"", 1, 3, "control character"), (#""\x""#, 1, 3, "no such escape"),
            (#""\ud800""#, 1, 8, "surrogate"), (#""\u+123""#, 1, 4, "hexadecimal"),
            ("tru", 1, 1, "value is wanted"),
        ] as [(String, Int, Int, String)])
    func faults(text: String, line: Int, column: Int, message: String) {
        let fault = #expect(throws: JSONTreeFault.self) { try JSONTreeReader.read(text) }
        #expect(fault?.line == line)
        #expect(fault?.column == column)
        #expect(fault?.message.contains(message) == true)
    }

    @Test("nesting ends at 64")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONTreeReader.read(nested(65)).items.count == 1)
        #expect(throws: JSONTreeFault.self) { try JSONTreeReader.read(nested(66)) }
    }

    @Test("every value knows its line")
    func lines() throws {
        let tree = try JSONTreeReader.read("{\n\"a\": 1,\n\"b\": [\n2,\n3]}")
        #expect(tree["a"]?.line == 2)
        #expect(tree["b"]?.line == 3)
        #expect(tree["b"]?.items.map(\.line) == [4, 5])
    }

    @Test("what fits stays on one line, the rest is broken at its outermost level")
    func layout() throws {
        let tree = try JSONTreeReader.read(#"{"a":{"b":1,"c":2},"d":["eeeeeeee","ffffffff"]}"#)
        let wanted = """
            {
              "a": {"b": 1, "c": 2},
              "d": [
                "eeeeeeee",
                "ffffffff"
              ]
            }
            """
        #expect(tree.laidOut(columns: 28) == wanted)
        #expect(try JSONTreeReader.read(wanted).compact == tree.compact)
    }
}
