import Testing

@testable import BridgeProtocol

@Suite struct ErrorReplyTests {
    @Test(
        "every class of fault travels as its number and comes back", arguments: BridgeError.Code.all
    )
    func codes(_ code: BridgeError.Code) {
        let error = BridgeError(code, "what", field: "a.b[1]", isRetryable: true)
        let reply = ErrorReply(error)
        #expect(reply.bridge.rawValue == code.number)
        #expect(reply.bridgeError.code == code)
        #expect(reply.bridgeError.message == "what")
        #expect(reply.bridgeError.field == "a.b[1]")
        #expect(reply.bridgeError.isRetryable)
    }

    @Test("the names of the classes are those of the schema")
    func names() throws {
        let coder = WireCoder()
        for code in BridgeError.Code.all {
            let line = "{\"error\":{\"bridge\":\"\(code.name)\"}}"
            guard case .error(let reply) = try coder.server(line: line).body else {
                Issue.record("no error")
                return
            }
            #expect(reply.bridge.rawValue == code.number)
        }
    }

    @Test("ERR: an error of the SDK keeps its code, name and text")
    func sdk() {
        let sdk = BridgeError.SDK(code: 2_002, name: "notActivated", message: "activate first")
        let error = BridgeError(sdk: sdk, isRetryable: false)
        #expect(ErrorReply(error).bridge == ErrorReply.Bridge.none)
        #expect(ErrorReply(error).bridgeError.sdk == sdk)
        #expect(ErrorReply(error).bridgeError.code == BridgeError.Code.none)
    }
}
