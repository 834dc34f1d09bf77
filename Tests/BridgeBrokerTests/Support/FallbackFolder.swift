import Foundation

/// A folder for fallback files that goes with the test.
final class FallbackFolder {
    let path = NSTemporaryDirectory() + "fallback-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    func write(_ text: String, _ name: String = "fallback.json") throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// A file with one flow a placement: variation and flow version by placement ID, and documents
    /// by flow version.
    static func text(
        _ flows: [(placement: String, variation: String, version: String)] = [],
        documents: [(version: String, json: String)] = [],
        meta: String = #"{"version":10,"response_created_at":2000}"#
    ) -> String {
        let placements = flows.map { flow in
            """
            "\(flow.placement)":{"meta":{"placement":{"developer_id":"\(flow.placement)",\
            "audience_name":"All Users","placement_audience_version_id":"pav_file","revision":1,\
            "ab_test_name":""}},"data":[{"variation_id":"\(flow.variation)","weight":100,\
            "flow_id":"f","flow_name":"Of the file","flow_version_id":"\(flow.version)",\
            "variations":[]}]}
            """
        }
        let builder = documents.map { "\"\($0.version)\":\($0.json)" }
        return """
            {"data":{\(placements.joined(separator: ","))},\
            "ui_builder":{\(builder.joined(separator: ","))},"meta":\(meta)}
            """
    }

    /// A document that can be shown: one screen with a button that closes.
    static let document =
        #"{"screens":[{"id":"scr_file","elements":[{"type":"button","element_id":"close","text":"Close","actions":[{"type":"close"}]}]}]}"#
}
