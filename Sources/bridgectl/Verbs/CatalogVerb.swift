import BridgeClient
import BridgeProtocol
import Glibc

/// `catalog`: what a broker serves, and whether a folder could be served.
enum CatalogVerb: Verb {
    static let name = "catalog"
    static let operands = "check DIR | list"
    static let operandCount = 1...2
    static let summary = "list the placements of the broker, or check a folder"
    static let details = """
        list: every placement of the catalog that the broker serves. check: reads a folder with
        `flowbridged --check-catalog`, which is found beside this program, on PATH, or by --broker,
        and prints each fault with its file and place; needs no running broker, and ends with 65
        when there are faults.
        """
    static let examples = [
        "bridgectl catalog list", "bridgectl catalog list -j | jq -r '.[].placementId'",
        "bridgectl catalog check examples/catalog",
        "echo '{\"id\":1,\"listPlacements\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["broker"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        switch (arguments.operands[0], arguments.operands.count) {
        case ("list", 1): try await list(arguments, output)
        case ("check", 2): try check(arguments.operands[1], arguments.broker)
        case ("check", _): throw .usage("catalog check needs a folder")
        case ("list", _): throw .usage("catalog list takes no further word")
        default:
            throw .usage("catalog \(arguments.operands[0]): check DIR or list is wanted")
        }
    }

    private static func list(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        var placements: [PlacementInfo] = []
        var token = ""
        repeat {
            let request = with(ListPlacementsRequest()) { $0.pageToken = token }
            do throws(BridgeError) {
                guard
                    case .listPlacements(let page) = try await client.call(.listPlacements(request))
                else { return }
                placements += page.placements
                token = page.nextPageToken
            } catch {
                throw .answered("list_placements", error)
            }
        } while !token.isEmpty
        if output.prefersJSON {
            let reply = with(ListPlacementsReply()) { $0.placements = placements }
            let text = WireJSON.text(of: .listPlacements(reply))
            output.printJSON(try items(of: text, "placements"))
        } else {
            let rows = placements.map { [$0.placementId, "\($0.type)"] }
            output.print(Table.text([["placement", "type"]] + rows))
        }
    }

    private static func items(of json: String, _ name: String) throws(Exit) -> String {
        do {
            return try JSONTreeReader.read(json)[name]?.compact ?? "[]"
        } catch {
            throw .failure("the list of placements cannot be read")
        }
    }

    /// Becomes `flowbridged`, so that its output and its exit code are those of this program.
    private static func check(_ folder: String, _ broker: String?) throws(Exit) {
        let program = try ChildBroker.program(broker)
        let words = [program, "--check-catalog", folder]
        var pointers = words.map { strdup($0) } + [nil]
        execv(program, &pointers)
        throw .failure("\(program): \(errorText(errno))")
    }
}
