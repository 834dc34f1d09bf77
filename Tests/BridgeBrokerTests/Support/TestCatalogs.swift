import BridgeCatalog
import SDKCore

/// Catalogs that tests are served.
enum TestCatalogs {
    /// The built-in sample.
    static let sample: Catalog = {
        let report = CatalogLoader.sample()
        guard let catalog = report.catalog else {
            preconditionFailure("the sample has faults: \(report.faults)")
        }
        return catalog
    }()

    /// A catalog out of files in memory, which must have no faults.
    static func load(_ files: [(name: String, text: String)]) -> Catalog {
        let report = CatalogLoader.load(files: files.map { ($0.name, Array($0.text.utf8)) })
        guard let catalog = report.catalog else {
            preconditionFailure("the catalog has faults: \(report.faults)")
        }
        return catalog
    }

    /// A catalog with one placement a flow, all users, no test: flow texts by placement ID.
    static func flows(_ flows: [(placement: String, text: String)]) -> Catalog {
        let placements = flows.map { flow in
            """
            {"id":"\(flow.placement)","type":"flow","audiences":[{"name":"All Users",
            "all_users":true,"version_id":"pav_\(flow.placement)","variations":[
            {"variation_id":"var_\(flow.placement)","flow_id":"\(flow.placement)",
            "name":"\(flow.placement)","flow_version_id":"\(flow.placement)_v1"}]}]}
            """
        }
        let placementFile = "{\"placements\":[\(placements.joined(separator: ","))]}"
        return load(
            [("placements.json", placementFile)]
                + flows.map { ("flows/\($0.placement)_v1.json", $0.text) })
    }

    private static let name = #"{"type":"text_input","element_id":"name"}"#
    private static let email = #"{"type":"email_input","element_id":"email"}"#
    private static let next =
        #"{"type":"button","element_id":"next","actions":[{"type":"open_screen","screen_id":"scr_done"}]}"#

    /// A flow that takes its time to read.
    static let bigFlow = screens(
        (0..<100).map { ("scr_\($0)", [closeButton("a"), closeButton("b")]) })

    private static func closeButton(_ id: String) -> String {
        #"{"type":"button","element_id":"\#(id)","actions":[{"type":"close"}]}"#
    }

    private static func screens(_ screens: [(id: String, elements: [String])], more: String = "")
        -> String
    {
        let texts = screens.map { screen in
            #"{"id":"\#(screen.id)","elements":[\#(screen.elements.joined(separator: ","))]}"#
        }
        return "{\(more)\"screens\":[\(texts.joined(separator: ","))]}"
    }

    /// The flows of UC-1 and UC-3, and one that was published before the feature (NAV-13).
    static let registration = flows([
        (
            "registration",
            screens([
                ("scr_registration", [name, email, next]), ("scr_done", [closeButton("done")]),
            ])
        ),
        ("unsafe", screens([("scr_registration", [email, closeButton("close")])])),
        (
            "before_the_feature",
            screens(
                [("scr_registration", [name, closeButton("done")])],
                more: #""reports_analytics":false,"#)
        ),
    ])
}
