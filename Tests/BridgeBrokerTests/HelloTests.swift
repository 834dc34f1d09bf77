import BridgeProtocol
import Foundation
import Testing

@Suite("hello and welcome")
struct HelloTests {
    static let binary: [Wire] = [.binaryInProcess, .binarySocket]
    static let line: [Wire] = [.lineInProcess, .lineSocket]

    private func request(major: UInt32 = 1, minor: UInt32 = 0, maxFrame: UInt32 = 0)
        -> ClientFrame.Body
    {
        .hello(
            with(HelloRequest()) {
                $0.protocolMajor = major
                $0.protocolMinor = minor
                $0.clientName = "test"
                $0.maxFrame = maxFrame
            })
    }

    private func welcome(_ client: TestClient, maxFrame: UInt32 = 0) throws -> WelcomeReply {
        guard case .welcome(let welcome) = try client.call(request(maxFrame: maxFrame)) else {
            throw Unexpected("no welcome")
        }
        return welcome
    }

    @Test("anything before hello is WRONG_STATE and a close in binary mode", arguments: binary)
    func notFirst(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = TestClient(wire: try broker.connect(), mode: .binary)
        try client.send(.ping(PingRequest()), id: 3)
        _ = try? client.send(request(), id: 4)
        let frames = try client.untilClosed()
        #expect(frames.map(\.id) == [3])
        guard case .error(let error) = frames.first?.body else { throw Unexpected(frames) }
        #expect(error.bridge == .wrongState)
        #expect(error.message.holds(["hello", "ping"]))
        try broker.expectServesOthers()
    }

    @Test("a faulty first message is answered and closed in binary mode", arguments: binary)
    func faultyFirst(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = TestClient(wire: try broker.connect(), mode: .binary)
        try client.wire.send(ProtoBytes.request(3, 10, ProtoBytes.bytes(3, [0xFF])))
        let frames = try client.untilClosed()
        #expect(frames.map(\.id) == [3])
        try broker.expectServesOthers()
    }

    @Test("in line mode hello may come, first or later", arguments: line)
    func optional(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: .line)
        try client.expectServed()
        #expect(try welcome(client).protocolMajor == 1)
        try client.expectServed()
    }

    @Test("a second hello is WRONG_STATE and the connection stays", arguments: Wire.allCases)
    func second(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        try client.hello()
        #expect(try client.refusal(request()).code == .wrongState)
        try client.expectServed()
    }

    @Test("an unknown major version is refused with both versions", arguments: Wire.allCases)
    func major(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = TestClient(wire: try broker.connect(), mode: wire.mode)
        let error = try client.refusal(request(major: 2, minor: 3))
        #expect(error.code == .invalidArgument)
        #expect(error.message.holds(["2.3", "1.1"]), "\(error.message)")
        if wire.mode == .binary {
            #expect(try client.nextFrame() == nil)
        } else {
            try client.expectServed()
        }
        try broker.expectServesOthers()
    }

    @Test("a newer minor version is spoken to", arguments: Wire.allCases)
    func minor(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        guard case .welcome = try client.call(request(minor: 99)) else { throw Unexpected("") }
        try client.expectServed()
    }

    @Test(
        "max_frame: 512 KiB at least, the broker's own at most",
        arguments: Wire.allCases, [(0, 1 << 20), (512 << 10, 512 << 10), (UInt32.max, 1 << 20)])
    func maxFrame(wire: Wire, sizes: (asked: UInt32, given: UInt32)) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        #expect(try welcome(client, maxFrame: sizes.asked).maxFrame == sizes.given)
    }

    @Test("a max_frame under 512 KiB is refused", arguments: Wire.allCases, [1, (512 << 10) - 1])
    func maxFrameTooSmall(wire: Wire, bytes: UInt32) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        let error = try client.refusal(request(maxFrame: bytes))
        #expect(error.code == .invalidArgument)
        #expect(error.message.holds(["\(bytes)", "524288"]))
        #expect(error.field == "hello.max_frame")
    }

    @Test("max_frame caps frames to the broker too", arguments: binary)
    func capsInput(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: .binary)
        _ = try welcome(client, maxFrame: 512 << 10)
        try client.wire.send([0x00, 0x08, 0x00, 0x01])
        let (id, error) = try client.nextError()
        #expect(id == 0)
        #expect(error.message.holds(["524289", "524288"]))
        #expect(try client.nextFrame() == nil)
    }

    @Test(
        "an answer over max_frame is LIMIT_EXCEEDED with its size; smaller pages pass",
        arguments: Wire.allCases)
    func answerTooLarge(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        _ = try welcome(client, maxFrame: 512 << 10)
        let version = String(repeating: "9", count: 300_000)
        // A line may be four times as long as a frame.
        let devices = wire.mode == .binary ? 2 : 8
        for number in 0..<devices {
            try client.call(
                .openDevice(
                    with(OpenDeviceRequest()) {
                        $0.device = "d\(number)"
                        $0.appVersion = version
                    }))
        }
        let error = try client.refusal(.listDevices(ListDevicesRequest()))
        #expect(error.code == .limitExceeded)
        #expect(error.message.holds(["list_devices", "524288"]), "\(error.message)")
        let numbers = error.message.split { !$0.isNumber }.compactMap { Int($0) }
        #expect(numbers.contains { $0 > devices * 300_000 && $0 < devices * 301_000 })
        let reply = try client.call(
            .listDevices(with(ListDevicesRequest()) { $0.pageSize = 1 }))
        guard case .listDevices(let page) = reply else { throw Unexpected(reply) }
        #expect(page.devices.count == 1)
        #expect(page.nextPageToken != "")
    }

    @Test(
        "the hash of the welcome is that of the descriptor set that describe gives",
        arguments: Wire.allCases)
    func schemaHash(wire: Wire) throws {
        let client = TestClient(wire: try TestBroker.start(wire).connect(), mode: wire.mode)
        let hash = try client.hello().schemaSha256
        guard case .describe(let described) = try client.call(.describe(DescribeRequest())) else {
            throw Unexpected("no description")
        }
        #expect(described.schemaSha256 == hash)
        #expect(try sha256(described.fileDescriptorSet) == hash)
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("fbtest-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return String(text.prefix(64))
    }
}
