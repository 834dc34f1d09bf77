// Goes through the steps of docs/conformance.md and prints the transcript. BridgeClient speaks
// binary frames; the golden frames are read in both forms.
//
//     FLOWBRIDGE_SOCKET=… conformance binary

import BridgeClient
import BridgeProtocol
import Foundation

let big: UInt64 = (1 << 53) + 1  // no double holds it
let clock = with(DeviceClock()) {
    $0.kind = .manual
    $0.startMs = 1_767_225_600_000  // 1 January 2026
}
let firstMissed: UInt64 = 18
let longInputs = 24
let longBytes = 32_000

var client = try await BridgeClient.connect(clientName: "conformance")
var events = try await greetAndOpen()
try await drive()
try await updateProfile()
try await giveUpACall()
try await comeBack()
client.close()
try await lag()
try breakTheFraming()
try readGoldenFrames()

// The steps

func greetAndOpen() async throws -> EventStream {
    let welcome = client.welcome
    say(1, "hello major \(welcome.protocolMajor) max_frame \(welcome.maxFrame)")
    let opened = try await client.openDevice(
        with(OpenDeviceRequest()) {
            $0.device = "conformance"
            $0.timeZone = "Asia/Kolkata"
            $0.randomSeed = big
            $0.clock = clock
        })
    let info = opened.info ?? DeviceInfo()
    say(
        2,
        "open_device created \(opened.created) time_ms \(info.timeMs) random_seed \(info.randomSeed)"
    )
    let events = try await client.subscribe(device: "conformance")
    say(3, "subscribe next_sequence \(events.nextSequence)")
    say(4, "get_profile error " + (await errorText { try await client.getProfile() }))
    try await activate(client)
    say(5, "activate")
    show(events)
    return events
}

func drive() async throws {
    let flow = try await client.getFlow(placementId: "onboarding")
    let locales = flow.remoteConfigs.map(\.locale).joined(separator: " ")
    say(6, "get_flow \(flow.id) \(quoted(flow.name)) remote configs \(locales)")
    let view = try await showFlow(client)
    say(7, "present")
    show(events)
    for (name, gesture) in gestures() {
        try await client.perform(gesture, on: view)
        say(8, "perform \(name)")
        show(events)
    }
    let error = await errorText {
        try await client.perform(.blur(BlurGesture()), on: "no-such-view")
    }
    say(9, "perform error \(error)")
}

func updateProfile() async throws {
    try await client.updateProfile(
        with(UpdateProfileRequest()) {
            $0.firstName = "Zoë"
            $0.email = "zoe@example.com"
            $0.birthday = "1960-06-15"
            $0.customAttributes = [
                attribute("experience", .string("pro")), attribute("score", .double(3.25)),
            ]
        })
    say(10, "update_profile set")
    show(events)
    try await update(client, attribute("experience", .remove(true)))
    say(11, "update_profile remove")
    show(events)
    let seen = try await client.inspectProfile()
    say(
        12,
        "inspect_profile \(quoted(seen.firstName)) \(quoted(seen.email)) \(seen.birthday) "
            + "age \(seen.age ?? 0)\(attributes(seen.profile))")
}

/// The clock of the device stands, so only this side can notice that time is up.
func giveUpACall() async throws {
    try await client.setConditions(
        with(SetConditionsRequest()) {
            $0.calls = [
                with(CallCondition()) {
                    $0.method = "get_flow"
                    $0.latencyMs = 60_000
                }
            ]
        })
    let error = await errorText {
        try await client.getFlow(placementId: "onboarding", deadline: .milliseconds(200))
    }
    say(13, "get_flow error \(error)")
    let ping = with(PingRequest()) { $0.payload = Array("still here".utf8) }
    guard case .ping(let echo) = try await client.call(.ping(ping)) else { return }
    say(14, "ping \(quoted(bytes: echo.payload))")
    try await client.setConditions(with(SetConditionsRequest()) { $0.clear = true })
}

/// Misses three events, and gets them from the record.
func comeBack() async throws {
    client.close()
    let other = try await BridgeClient.connect(clientName: "conformance while away")
    try await other.openDevice(with(OpenDeviceRequest()) { $0.device = "conformance" })
    for number in [1.0, 2.0, 3.0] {
        try await update(other, attribute("missed", .double(number)))
    }
    other.close()
    client = try await client.reconnected()
    try await client.openDevice(with(OpenDeviceRequest()) { $0.device = "conformance" })
    events = try await client.subscribe(device: "conformance", fromSequence: firstMissed)
    try await update(client, attribute("missed", .remove(true)))
    say(15, "reconnect")
    show(events)
}

/// BridgeClient reads also while nobody takes the events; beyond what it may keep for a stream it
/// says `lagged` itself, in the broker's words.
func lag() async throws {
    var options = ClientOptions(clientName: "conformance slow")
    options.bufferedEventBytesMax = 256 << 10
    let reader = try await BridgeClient.connect(options: options)
    let writer = try await BridgeClient.connect(clientName: "conformance lag")
    try await writer.openDevice(
        with(OpenDeviceRequest()) {
            $0.device = "lag"
            $0.clock = clock
        })
    try await activate(writer)
    let view = try await showFlow(writer)
    let slow = try await reader.subscribe(device: "lag")
    for number in 0..<longInputs {
        let text = String(repeating: ["x", "y"][number % 2], count: longBytes)
        try await writer.perform(focus("name"), on: view)
        try await writer.perform(.enterText(with(EnterTextGesture()) { $0.text = text }), on: view)
        try await writer.perform(.blur(BlurGesture()), on: view)
    }
    writer.close()
    try await reader.ping()  // everything before its answer has been read
    var seen: [UInt64] = []
    var missed: Set<UInt64> = []
    for try await event in slow {
        if case .lagged(let lagged) = event.kind {
            missed.formUnion(lagged.fromSequence...lagged.toSequence)
        } else {
            seen.append(event.sequence)
        }
        if seen.count + missed.count == longInputs { break }
    }
    say(16, "lagged \(missed.isEmpty ? "nothing" : "told")")
    let first = slow.nextSequence
    seen += try await recorded(reader, from: first).filter(missed.contains)
    let whole = seen.sorted() == Array(first..<first + UInt64(longInputs))
    say(17, "get_events \(whole ? "nothing missing, nothing twice" : "not the missing ones")")
    reader.close()
}

/// The sequences of the record, page by page.
func recorded(_ client: BridgeClient, from first: UInt64) async throws -> [UInt64] {
    var request = GetEventsRequest()
    request.device = "lag"
    request.fromSequence = first
    request.pageSize = 8
    var found: [UInt64] = []
    while true {
        let page = try await client.getEvents(request)
        found += page.events.map(\.sequence)
        if page.atEnd { return found }
        request.fromSequence = page.nextFromSequence
    }
}

/// A length of 0: answered, then closed.
func breakTheFraming() throws {
    let path = ProcessInfo.processInfo.environment["FLOWBRIDGE_SOCKET"] ?? client.path
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(fd) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard status == 0, send(fd, [0, 0, 0, 0], 4, 0) == 4 else { fatalError("no connection") }
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(fd, &chunk, chunk.count, 0), count > 0 {
        received += chunk[..<count]
    }
    let answer = try serverFrame(Array(received.dropFirst(4)))
    guard case .error(let error) = answer.body else { fatalError("no error") }
    let text = describe(error.bridgeError)
    say(18, "broken framing id \(answer.id) error \(text), then the end")
}

// The golden frames

func readGoldenFrames() throws {
    guard case .event(let newer) = try serverFrame(payload("read/unknown-event-kind")).body,
        case let fields = try serverFrame(payload("read/unknown-fields")),
        case .ping(let ping) = fields.body
    else { fatalError("other golden frames") }
    say(19, eventText(newer))
    say(20, "unknown fields id \(fields.id) ping \(quoted(bytes: ping.payload))")
    for kind in ["string", "int64", "double", "bool", "string-list", "none"] {
        guard case .event(let event) = try serverFrame(payload("server/value-\(kind)")).body
        else { fatalError(kind) }
        say(21, eventText(event))
    }
    let all = try FileManager.default.subpathsOfDirectory(atPath: goldenFolder)
    let names = all.filter { $0.hasSuffix(".hex") }.map { String($0.dropLast(4)) }.sorted()
    let wrong = names.filter { !isRead($0) }
    say(
        22,
        "golden frames \(names.isEmpty || !wrong.isEmpty ? wrong.joined(separator: " ") : "all read")"
    )
}

var goldenFolder: String {
    ProcessInfo.processInfo.environment["FLOWBRIDGE_GOLDEN"] ?? "proto/golden"
}

func file(_ name: String) throws -> String {
    try String(contentsOfFile: "\(goldenFolder)/\(name)", encoding: .utf8)
}

/// The message of a commented hex file, without its length.
func payload(_ name: String) throws -> [UInt8] {
    let digits = try file(name + ".hex").split(separator: "\n")
        .flatMap { $0.prefix { $0 != "#" }.split(separator: " ") }
    return digits.compactMap { UInt8($0, radix: 16) }.dropFirst(4).map { $0 }
}

func serverFrame(_ bytes: [UInt8]) throws -> ServerFrame {
    try bytes.withUnsafeBytes { try WireCoder().decodeServerFrame(binary: $0) }
}

/// Whether the bytes of a golden frame give exactly its JSON.
func isRead(_ name: String) -> Bool {
    do {
        let bytes = try payload(name)
        let line =
            if name.hasPrefix("client/") {
                try FrameJSON.line(
                    of: bytes.withUnsafeBytes { try WireCoder().decodeClientFrame(binary: $0) })
            } else {
                FrameJSON.line(of: try serverFrame(bytes))
            }
        return try line.utf8.elementsEqual(
            file(name + ".json").trimmingCharacters(in: .newlines).utf8)
    } catch {
        return false
    }
}
