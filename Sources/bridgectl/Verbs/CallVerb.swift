import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// `call`: one request, its result as JSON.
enum CallVerb: Verb {
    static let name = "call"
    static let operands = "METHOD [JSON|-|@FILE]"
    static let operandCount = 1...2
    static let summary = "call a method and print its result"
    static let details = """
        METHOD is a name of `bridgectl list`, in either spelling: get_flow or getFlow. The request
        is one JSON object as in line mode: given as a word, read from standard input with -, or
        from a file with @FILE; without any it is {}. The result is printed as line mode prints it.

        An error goes to standard error as one line, and with -j also to standard output as
        {"error":{…}}; the exit code tells its class.
        """
    static let examples = [
        "bridgectl call get_flow '{\"placementId\":\"onboarding\"}'",
        "bridgectl call updateProfile '{\"firstName\":\"Jane\"}'",
        "bridgectl call list_views --device test",
        "bridgectl introspect describe --example | bridgectl call describe -",
        "bridgectl call set_conditions @offline.json",
        "bridgectl call get_screen '{\"viewId\":\"x\"}' --graceful NOT_FOUND",
        "echo '{\"id\":1,\"getFlow\":{\"placementId\":\"onboarding\"}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["device", "graceful"]

    /// A request, in bytes; more does not fit a line of the broker.
    private static let requestBytesMax = 64 << 20

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let method = try Session.method(arguments.operands[0])
        let json = try text(arguments.operands.count > 1 ? arguments.operands[1] : "{}")
        let body = RequestPaths.absolute(try WireJSON.request(method, json))
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let aimed = aimed(body, at: arguments.device)
        if aimed == nil { try await Session.attach(client, arguments.device) }
        let answer: ServerFrame.Body
        do throws(BridgeError) {
            answer = try await client.exchange(aimed ?? body)
        } catch {
            throw .answered(method.name, error)
        }
        guard case .error(let error) = answer else {
            output.printJSON(WireJSON.text(of: answer))
            return
        }
        for fault in error.catalogFaults { output.say(fault.line) }
        for preload in error.preloadErrors { output.say(preload.line) }
        tellOfReading(body, error, output)
        if output.isJSONAsked { output.printJSON("{\"error\":\(WireJSON.text(of: answer))}") }
        let fault = Exit.answered(method.name, error.bridgeError)
        guard Graceful.covers(error.bridgeError, arguments.watching.graceful) else { throw fault }
        output.say(fault.message)
    }

    /// Says that the broker could not read what this program can: it runs as somebody else, or sees
    /// other files.
    private static func tellOfReading(
        _ body: ClientFrame.Body, _ error: ErrorReply, _ output: Output
    ) {
        guard let path = RequestPaths.readable(body),
            error.message.contains("cannot read") || error.message.contains("is not there")
        else { return }
        output.say(
            "\(path) can be read from here, but not by the broker: look at its user and mode")
    }

    /// A request that names its device, as it must not open it first; nil for all others.
    private static func aimed(_ body: ClientFrame.Body, at device: String) -> ClientFrame.Body? {
        switch body {
        case .closeDevice(var request):
            if request.device.isEmpty { request.device = device }
            return .closeDevice(request)
        case .resetDevice(var request):
            if request.device.isEmpty { request.device = device }
            return .resetDevice(request)
        default: return nil
        }
    }

    private static func text(_ word: String) throws(Exit) -> String {
        let bound = FileBytes.Bound(
            bytesMax: requestBytesMax, reason: "which no request may have")
        if word == "-" { return try text(try FileBytes.read(word, bound), "standard input") }
        guard word.hasPrefix("@") else { return word }
        let path = String(word.dropFirst())
        return try text(try FileBytes.readFile(path, bound), path)
    }

    private static func text(_ bytes: [UInt8], _ name: String) throws(Exit) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failure("\(name) is not valid UTF-8")
        }
        return text
    }
}

extension ErrorReply.PreloadErrorsEntry {
    /// One line for a placement that failed.
    fileprivate var line: String {
        "\(key): SDK error \(value.code) \(value.name): \(value.message)"
    }
}

extension CatalogFault {
    /// One line, as `flowbridged --check-catalog` prints it.
    fileprivate var line: String {
        "\(file)#\(pointer): \(isWarning ? "warning: " : "")\(message)"
    }
}
