import BridgeProtocol
import CJansson

/// Known in every file here, those that speak of no message too.
typealias JSONText = BridgeProtocol.JSONText

/// Messages as line mode writes and reads them.
enum WireJSON {
    /// The member of an answer's frame: what stands behind the method's name in its line.
    static func text(of body: ServerFrame.Body) -> String {
        FrameJSON.member(of: body)
    }

    /// Reads the request of a method.
    ///
    /// - Throws: what is wrong, where: line and column for what is no JSON, the path of a field
    ///   else.
    static func request(_ method: MethodInfo, _ json: String) throws(Exit) -> ClientFrame.Body {
        try checkSyntax(json)
        let line = "{\"id\":1,\"\(method.jsonName)\":\(json)}"
        do throws(WireFault) {
            let frame = try Array(line.utf8).withUnsafeBufferPointer { (bytes) throws(WireFault) in
                try WireCoder().decodeClientFrame(line: UnsafeRawBufferPointer(bytes))
            }
            if let body = frame.body { return body }
        } catch {
            throw .usage("the request of \(method.name) is wrong: \(error.text)")
        }
        throw .usage("the request of \(method.name) is empty")
    }

    private static func checkSyntax(_ json: String) throws(Exit) {
        var error = json_error_t()
        var json = json
        let document = json.withUTF8 { bytes in
            UnsafeRawBufferPointer(bytes).withMemoryRebound(to: CChar.self) {
                fb_json_load($0.baseAddress, $0.count, 0, &error)
            }
        }
        guard let document else {
            throw .usage(
                "the request is not JSON at line \(error.line), column \(error.column); see "
                    + "bridgectl introspect METHOD for an example")
        }
        defer { json_decref(document) }
        guard document.pointee.type == JSON_OBJECT else {
            throw .usage("the request has to be one JSON object such as {\"placementId\":\"x\"}")
        }
    }
}

extension WireFault {
    fileprivate var text: String {
        switch self {
        case .undecodable(let text): text
        case .payload(_, let error): error.message
        }
    }
}
