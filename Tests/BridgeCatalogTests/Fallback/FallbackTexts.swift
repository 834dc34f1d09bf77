import BridgeCatalog
import SDKCore

/// Fallback files for the tests, by their parts.
enum FallbackTexts {
    static let meta = #"{"version":10,"response_created_at":1779548581818}"#

    static func file(
        meta: String = meta, data: String = "{}", uiBuilder: String? = nil
    ) -> String {
        let documents = uiBuilder.map { ",\"ui_builder\":\($0)" } ?? ""
        return "{\"data\":\(data)\(documents),\"meta\":\(meta)}"
    }

    /// A placement with these variations.
    static func placement(_ variations: String, meta: String? = nil) -> String {
        let about =
            meta
            ?? #"{"placement":{"developer_id":"p","audience_name":"All Users","placement_audience_version_id":"pav","revision":3,"ab_test_name":"T"},"response_created_at":1}"#
        return "{\"meta\":\(about),\"data\":[\(variations)]}"
    }

    static func flow(_ id: String, weight: Int = 100, more: String = "") -> String {
        """
        {"variation_id":"\(id)","weight":\(weight),"flow_id":"f_\(id)","flow_name":"Flow \(id)",\
        "variations":[]\(more)}
        """
    }

    static func load(_ text: String) throws -> LoadedFallback {
        LoadedFallback(try FallbackLoader.load(Array(text.utf8)))
    }

    /// A file whose one placement `p` is that JSON.
    static func placement(of json: String) throws -> FallbackPlacement? {
        try load(file(data: "{\"p\":\(json)}")).placement("p")
    }

    /// What a file is refused with; nil if it is taken.
    static func refusal(_ text: String) -> FallbackFault? {
        do throws(FallbackFault) {
            _ = try FallbackLoader.load(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }
}

extension FallbackFault {
    var message: String {
        switch self {
        case .notLocal(let text), .broken(let text), .oversize(let text): text
        }
    }

    var isBroken: Bool { if case .broken = self { true } else { false } }
}
