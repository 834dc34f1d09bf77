import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeTransport
import SDKCore

/// A broker over the built-in catalog that lives for one input: lines of requests, in which
/// `$view`, `$configuration`, `$question` and `$variation` stand for what it said last.
///
/// Every line is answered, none with INTERNAL, and what comes back are lines to the last byte.
enum BrokerTarget {
    private static let catalog: Catalog? = CatalogLoader.sample().catalog

    static func verdict(_ bytes: [UInt8]) -> String {
        guard let catalog else { violated("the sample catalog does not load") }
        let timers = TimerQueue()
        let broker = Broker(
            configuration: BrokerConfiguration(catalog: catalog, catalogName: "sample"),
            timers: timers, worker: DirectWorker(), wallMs: { 1_750_000_000_000 },
            log: Log(level: .error, write: { _ in }))
        var limits = Limits()
        limits.frameBytesMax = 512 << 10
        let transport = InProcessTransport(limits: limits, handler: broker)
        return withExtendedLifetime(broker) {
            let talk = BrokerTalk(transport)
            for line in bytes.split(separator: 0x0A).prefix(40) { talk.say(Array(line)) }
            // A second client is served whatever the first one did.
            let other = transport.connect()
            let pong = transport.exchange(Array("{\"id\":7,\"ping\":{}}\n".utf8), on: other)
            guard pong == Array("{\"id\":\"7\",\"ping\":{\"payload\":\"\"}}\n".utf8) else {
                violated("another client is not served")
            }
            _ = transport.endInput(of: other)
            return talk.summary
        }
    }
}

/// One connection in line mode that remembers what requests need.
private final class BrokerTalk {
    private let transport: InProcessTransport
    private let connection: Connection
    private let coder = WireCoder()
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(_ transport: InProcessTransport) {
        self.transport = transport
        connection = transport.connect()
    }

    var summary: String {
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    func say(_ line: [UInt8]) {
        guard !connection.isClosing else { return }
        var text = String(decoding: line, as: UTF8.self)
        // The host's files are no business of made-up input.
        if text.contains("oadCatalog") || text.contains("oad_catalog") || text.contains("allback") {
            return
        }
        for (name, value) in names where text.contains(name) {
            text = text.replacing(name, with: value)
        }
        hear(transport.exchange(Array(text.utf8) + [0x0A], on: connection))
    }

    private func hear(_ bytes: [UInt8]) {
        // A first byte of 0 has chosen the other mode, which is the business of `frames`.
        if connection.mode == .binary { return }
        guard bytes.isEmpty || bytes.last == 0x0A else { violated("an unfinished line came back") }
        for line in bytes.split(separator: 0x0A) {
            let frame = withExactBytes(line) { raw in
                do throws(WireFault) {
                    return try coder.decodeServerFrame(line: raw)
                } catch {
                    violated("what came back is no frame: \(words(error))")
                }
            }
            learn(frame)
        }
    }

    private func learn(_ frame: ServerFrame) {
        switch frame.body {
        case .error(let error):
            if error.bridge == .internal { violated("INTERNAL: \(error.message)") }
            if error.message.isEmpty { violated("an error without a text") }
            counts[error.bridgeError.code.name, default: 0] += 1
        case .event(let event):
            counts["events", default: 0] += 1
            if case .alertShown(let alert) = event.kind {
                names["$question"] = alert.question?.questionId
            }
            if case .permissionRequested(let request) = event.kind {
                names["$question"] = request.question?.questionId
            }
            if case .didFailLoadingProducts(let failed) = event.kind {
                names["$question"] = failed.question?.questionId
            }
        case let body?:
            counts["answers", default: 0] += 1
            if case .createFlowController(let reply) = body { names["$view"] = reply.viewId }
            if case .createOnboardingController(let reply) = body { names["$view"] = reply.viewId }
            if case .getFlowConfiguration(let reply) = body {
                names["$configuration"] = reply.configurationId
            }
            if case .getOnboardingConfiguration(let reply) = body {
                names["$configuration"] = reply.configurationId
            }
            if case .getFlow(let reply) = body { names["$variation"] = reply.flow?.variationId }
            if case .getOnboarding(let reply) = body {
                names["$variation"] = reply.onboarding?.variationId
            }
        case nil: violated("a frame without a body")
        }
    }
}
