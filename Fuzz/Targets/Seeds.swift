import BridgeProtocol
import Foundation

/// What libFuzzer begins with: golden frames, examples out of the schema, the example catalogs.
public enum Seeds {
    /// Writes the seeds of a target into a folder.
    ///
    /// - Parameters:
    ///   - golden: the folder `proto/golden`.
    ///   - examples: the folder `examples`.
    public static func write(
        _ target: FuzzTarget, into folder: String, golden: String, examples: String
    ) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (place, seed) in try seeds(target, golden, examples).enumerated() {
            try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(place)"))
        }
    }

    /// Writes a dictionary of the words of the schema.
    public static func writeDictionary(to path: String) throws {
        let examples = MethodTable.all.map { $0.exampleRequest() + $0.exampleReply() }
        var words = Set(examples.joined().split(separator: "\"").map(String.init))
        words.formUnion(EventKindTable.names)
        words.formUnion([
            "$view", "$configuration", "$question", "$variation", "phone", "onboarding",
        ])
        let kept = words.filter { word in
            (2...40).contains(word.utf8.count)
                && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }
        }
        let lines = kept.sorted().map { "\"\($0)\"" }
        try (lines.joined(separator: "\n") + "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func seeds(
        _ target: FuzzTarget, _ golden: String, _ examples: String
    ) throws -> [[UInt8]] {
        switch target {
        case .frames:
            return try frames(golden, "client").map { [0xFF] + $0 }
                + [[0x02] + frames(golden, "client").prefix(6).joined()]
        case .messages: return messageSeeds()
        case .lines:
            return MethodTable.all.flatMap {
                [Array($0.exampleRequest().utf8), Array($0.exampleReply().utf8)]
            }
                + EventKindTable.names.compactMap { kind in
                    EventKindTable.exampleLine(of: kind).map { Array($0.utf8) }
                }
        case .catalog:
            return try ["catalog", "catalog-everything", "catalog-quiz"].map {
                try catalog(examples + "/" + $0)
            }
        case .fallback: return [try bytes(examples + "/fallback.json")]
        case .onboarding: return onboardingSeeds.map { Array($0.utf8) }
        case .broker: return brokerSeeds.map { Array($0.utf8) }
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    private static func frames(_ golden: String, _ role: String) throws -> [[UInt8]] {
        try files("\(golden)/\(role)").filter { $0.hasSuffix(".hex") }.map { name in
            let text = String(decoding: try bytes("\(golden)/\(role)/\(name)"), as: UTF8.self)
            let digits = text.split(separator: "\n").flatMap { row in
                row.prefix { $0 != "#" }.compactMap(\.hexDigitValue)
            }
            return stride(from: 0, to: digits.count - 1, by: 2).map {
                UInt8(digits[$0] << 4 | digits[$0 + 1])
            }
        }
    }

    private static func catalog(_ folder: String) throws -> [UInt8] {
        try files(folder).filter { $0.hasSuffix(".json") }.flatMap { name in
            Array("=== \(name)\n".utf8) + (try bytes("\(folder)/\(name)"))
        }
    }

    /// An example of each sort of message, without the frame around it.
    private static func messageSeeds() -> [[UInt8]] {
        MessageTarget.sorts.enumerated().compactMap { place, sort in
            let name = sort.name.split(separator: " ").last.map(String.init) ?? ""
            let line: String?
            if sort.isEvent {
                let kind = EventKindTable.names.first { camel($0) == name }
                line = kind.flatMap { EventKindTable.exampleLine(of: $0) }
            } else if sort.isRequest {
                line = MethodTable.named(name)?.exampleRequest()
            } else {
                line = MethodTable.all.first { camel($0.reply) == name || $0.reply == name }?
                    .exampleReply()
            }
            guard let line, let payload = payload(Array(line.utf8), sort) else { return nil }
            return [UInt8(place)] + payload
        }
    }

    private static func camel(_ name: String) -> String {
        let parts = name.split(separator: "_")
        return parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + $1.capitalized }
    }

    /// The bytes of the one member of a frame, or of an event.
    private static func payload(_ line: [UInt8], _ sort: MessageTarget.Sort) -> [UInt8]? {
        let coder = WireCoder()
        let buffer = ByteBuffer()
        do {
            if sort.isRequest {
                let frame = try line.withUnsafeBytes { try coder.decodeClientFrame(line: $0) }
                try coder.encode(frame, mode: .binary, into: buffer)
            } else {
                let frame = try line.withUnsafeBytes { try coder.decodeServerFrame(line: $0) }
                coder.encode(frame, mode: .binary, into: buffer)
            }
        } catch {
            return nil
        }
        let message = Array(buffer.readable.dropFirst(4))
        let frame = sort.isEvent ? member(message, 3) ?? [] : message
        return member(frame, sort.number)
    }

    /// The payload of a field of bytes.
    private static func member(_ message: [UInt8], _ number: UInt64) -> [UInt8]? {
        var rest = message[...]
        func varint() -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }
        while !rest.isEmpty {
            let tag = varint()
            switch tag & 7 {
            case 0: _ = varint()
            case 1: rest = rest.dropFirst(8)
            case 5: rest = rest.dropFirst(4)
            default:
                let length = Int(varint())
                if tag >> 3 == number { return Array(rest.prefix(length)) }
                rest = rest.dropFirst(length)
            }
        }
        return nil
    }

    private static let meta =
        #""meta":{"onboarding_id":"o","screen_cid":"s","screen_index":0,"total_screens":3}"#

    private static let onboardingSeeds = [
        #"{"type":"onboarding_loaded",\#(meta)}"#,
        #"{"type":"close","action_id":"x",\#(meta)}"#,
        #"{"type":"custom","action_id":"x",\#(meta)}"#,
        #"{"type":"open_paywall","action_id":"x",\#(meta)}"#,
        #"{"type":"analytics","name":"screen_completed","params":{"element_id":"e","reply":"r"},\#(meta)}"#,
        #"{"type":"state_updated","element_id":"e","element_type":"select","value":{"id":"1","value":"2","label":"3"},\#(meta)}"#,
        #"{"type":"state_updated","element_id":"e","element_type":"multi_select","value":[{"id":"1","value":"2","label":"3"}],\#(meta)}"#,
        #"{"type":"state_updated","element_id":"e","element_type":"input","value":{"type":"number","value":1.5},\#(meta)}"#,
        #"{"type":"state_updated","element_id":"e","element_type":"date_picker","value":{"day":1,"month":2,"year":2000},\#(meta)}"#,
    ]

    private static let start = """
        {"id":1,"openDevice":{"device":"phone","timeZone":"Europe/Madrid","clock":{"kind":"MANUAL","startMs":"5"}}}
        {"id":2,"subscribe":{}}
        {"id":3,"activate":{}}

        """

    private static let flow =
        start + """
            {"id":4,"getFlow":{"placementId":"onboarding"}}
            {"id":5,"getFlowConfiguration":{"variationId":"$variation"}}
            {"id":6,"createFlowController":{"configurationId":"$configuration"}}
            {"id":7,"present":{"viewId":"$view"}}

            """

    private static let onboarding =
        start + """
            {"id":4,"getOnboarding":{"placementId":"legacy_onboarding"}}
            {"id":5,"getOnboardingConfiguration":{"variationId":"$variation"}}
            {"id":6,"createOnboardingController":{"configurationId":"$configuration"}}
            {"id":7,"present":{"viewId":"$view"}}

            """

    private static let gestures: [String] = [
        #""focus":{"elementId":"name"}"#, #""enterText":{"elementId":"name","text":"Jane"}"#,
        #""openPicker":{"elementId":"birthday"}"#,
        #""pick":{"date":{"year":1990,"month":6,"day":15}}"#,
        #""closePicker":{}"#, #""tapOption":{"elementId":"experience","optionId":"pro"}"#,
        #""tapToggle":{"elementId":"newsletter"}"#, #""tapButton":{"elementId":"continue"}"#,
        ##""tapButton":{"elementId":"#1"}"##, #""goBack":{}"#, #""tapOutside":{}"#,
        #""dismissBySystem":{}"#,
    ]

    private static let brokerSeeds: [String] =
        [
            flow
                + gestures.map { #"{"id":8,"perform":{"viewId":"$view",\#($0)}}"# }
                .joined(separator: "\n"),
            flow + #"{"id":8,"getScreen":{"viewId":"$view"}}"# + "\n"
                + #"{"id":9,"advanceClock":{"byMs":"60000"}}"# + "\n"
                + #"{"id":10,"dismiss":{"viewId":"$view","destroy":true}}"#,
            onboarding
                + onboardingSeeds.map {
                    let text = $0.replacingOccurrences(of: "\"", with: "\\\"")
                    return #"{"id":8,"postOnboardingMessage":{"viewId":"$view","json":"\#(text)"}}"#
                }.joined(separator: "\n"),
            start
                + #"{"id":4,"updateProfile":{"firstName":"J","birthday":"1990-06-15","customAttributes":[{"key":"a","double":1.5},{"key":"b","remove":true}]}}"#
                + "\n" + #"{"id":5,"identify":{"customerUserId":"u"}}"# + "\n"
                + #"{"id":6,"logout":{}}"#
                + "\n" + #"{"id":7,"getProfile":{}}"# + "\n" + #"{"id":8,"inspectProfile":{}}"#,
            start
                + #"{"id":4,"setConditions":{"offline":true,"calls":[{"method":"get_flow","latencyMs":400,"httpStatus":503,"calls":1}]}}"#
                + "\n" + #"{"id":5,"deadlineMs":9000,"getFlow":{"placementId":"onboarding"}}"#
                + "\n"
                + #"{"id":6,"cancel":{"id":5}}"# + "\n"
                + #"{"id":7,"advanceClock":{"byMs":"10000"}}"#,
            start + #"{"id":4,"closeDevice":{"device":"phone"}}"# + "\n" + start
                + #"{"id":5,"getEvents":{"pageSize":5}}"#,
        ] + MethodTable.all.map { start + $0.exampleRequest(id: 9) }
}
