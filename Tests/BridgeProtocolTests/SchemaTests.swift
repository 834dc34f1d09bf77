import CBridgeWire
import CProtobufC
import Foundation
import Testing

@testable import BridgeProtocol

/// Runs a program with text on its standard input and returns what it prints.
private func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("flowbridge-\(UUID().uuidString)")
    try Data(input).write(to: file)
    defer {
        do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
}

@Suite struct SchemaTests {
    @Test("the embedded descriptor set has the digest that is embedded beside it")
    func digest() throws {
        let printed = try run("/usr/bin/sha256sum", [], input: Schema.fileDescriptorSet)
        #expect(printed.prefix(64) == Schema.sha256)
    }

    @Test("the methods and kinds of events are those of the descriptor set")
    func members() throws {
        let script = """
            import sys
            from google.protobuf import descriptor_pb2
            files = descriptor_pb2.FileDescriptorSet()
            files.ParseFromString(sys.stdin.buffer.read())
            for file in files.file:
                for message in file.message_type:
                    if message.name in ("ClientFrame", "Event"):
                        for field in message.field:
                            if field.HasField("oneof_index"):
                                print(message.name, field.name, field.number)
            """
        let printed = try run("/usr/bin/python3", ["-c", script], input: Schema.fileDescriptorSet)
        let lines = Set(printed.split(separator: "\n").map(String.init))
        let methods = MethodTable.all.map { "ClientFrame \($0.name) \($0.number)" }
        #expect(lines.filter { $0.hasPrefix("ClientFrame") } == Set(methods))
        let kinds = lines.filter { $0.hasPrefix("Event") }.map { $0.split(separator: " ")[1] }
        #expect(Set(kinds.map(String.init)) == Set(EventKindTable.names))
    }

    @Test("protobuf for Python reads the lines that are printed, as the same bytes")
    func python() throws {
        let coder = WireCoder()
        var input = ""
        var expected: [String] = []
        for method in MethodTable.all {
            for variant in 0..<6 {
                let request = try coder.client(line: method.exampleRequest(variant: variant))
                let reply = try coder.server(line: method.exampleReply(variant: variant))
                let binary = ByteBuffer()
                let line = ByteBuffer()
                try coder.encode(request, mode: .binary, into: binary)
                try coder.encode(request, mode: .line, into: line)
                input += "ClientFrame \(text(line))"
                expected.append(hex(message(binary)))
                binary.removeAll(keepingCapacity: true)
                line.removeAll(keepingCapacity: true)
                coder.encode(reply, mode: .binary, into: binary)
                coder.encode(reply, mode: .line, into: line)
                input += "ServerFrame \(text(line))"
                expected.append(hex(message(binary)))
            }
        }
        let printed = try run(
            "/usr/bin/python3", ["-c", SchemaTests.reader, hex(Schema.fileDescriptorSet)],
            input: Array(input.utf8))
        #expect(printed.split(separator: "\n").map(String.init) == expected)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Reads lines of a message's name and its JSON, prints each message in hexadecimal digits.
    private static let reader = """
        import sys
        from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
        files = descriptor_pb2.FileDescriptorSet()
        files.ParseFromString(bytes.fromhex(sys.argv[1]))
        pool = descriptor_pool.DescriptorPool()
        for file in files.file:
            pool.Add(file)
        factory = message_factory.MessageFactory(pool)
        for line in sys.stdin:
            name, json = line.split(" ", 1)
            kind = factory.GetPrototype(pool.FindMessageTypeByName("flowbridge.v1." + name))
            message = json_format.Parse(json, kind())
            print(message.SerializeToString(deterministic=True).hex())
        """

    @Test("names are found in both spellings, and no others are")
    func names() {
        for i in 0..<Int(fb_schema_message_count) {
            let schema = fb_schema_at(i)
            for k in 0..<Int(schema.pointee.field_count) {
                guard let field = schema.pointee.fields.map({ $0 + k }) else { continue }
                let snake = String(cString: field.pointee.name)
                let camel = String(cString: field.pointee.json_key).dropFirst().dropLast(2)
                for name in [snake, String(camel)] {
                    #expect(fb_schema_field_named(schema, name, name.utf8.count) == field)
                    #expect(fb_schema_field_named(schema, name + "X", name.utf8.count + 1) == nil)
                }
                #expect(fb_schema_field_numbered(schema, UInt32(field.pointee.number)) == field)
            }
            #expect(fb_schema_field_named(schema, "", 0) == nil)
            #expect(fb_schema_field_numbered(schema, 0) == nil)
            #expect(fb_schema_field_numbered(schema, .max) == nil)
        }
    }
}
