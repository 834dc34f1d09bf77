import BridgeProtocol

/// What is fed with made-up input. Each gives a verdict on it, which has to be the same each time;
/// what must not be, such as a value that changes on its way, ends the process.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A stream of frames towards the broker: the first byte is the size of the pieces in which it
    /// comes, less one.
    case frames
    /// One message of each sort: the first byte chooses which.
    case messages
    /// A line, towards the broker and towards a client.
    case lines
    /// The files of a catalog, each behind a line `=== NAME`.
    case catalog
    /// A fallback file.
    case fallback
    /// A message as the page of an onboarding posts it.
    case onboarding
    /// Lines to a broker that lives for one input.
    case broker

    /// What became of the input.
    ///
    /// - Parameter ignored: bits of faults that the decoder of `messages` passes over, for tests of
    ///   the tests.
    public func verdict(_ bytes: [UInt8], ignoring ignored: UInt32 = 0) -> String {
        switch self {
        case .frames: StreamTarget.verdict(bytes)
        case .messages: MessageTarget.verdict(bytes, ignoring: ignored)
        case .lines: LineTarget.verdict(bytes)
        case .catalog: CatalogTarget.verdict(bytes)
        case .fallback: FallbackTarget.verdict(bytes)
        case .onboarding: OnboardingTarget.verdict(bytes)
        case .broker: BrokerTarget.verdict(bytes)
        }
    }
}

/// Ends the process: the input has shown a fault of the project.
func violated(_ what: @autoclosure () -> String) -> Never {
    fatalError("a promise is broken: \(what())")
}

/// The verdict of a decoder in words.
func words(_ fault: WireFault) -> String {
    switch fault {
    case .undecodable: return "no message"
    case .payload(_, let error):
        let codes: [BridgeError.Code] = [.invalidArgument, .unknownMethod, .limitExceeded]
        guard codes.contains(error.code) else { violated("refused with \(error.code.name)") }
        guard !error.message.isEmpty else { violated("a fault without a text") }
        return error.field.isEmpty ? error.code.name : "\(error.code.name) \(error.field)"
    }
}

/// Bytes in memory of exactly their size, so that a sanitizer sees a read past them.
func withExactBytes<T>(
    _ bytes: some Collection<UInt8>, _ work: (UnsafeRawBufferPointer) -> T
) -> T {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return work(UnsafeRawBufferPointer(memory))
}
