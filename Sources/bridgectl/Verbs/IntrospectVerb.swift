import BridgeProtocol

/// `introspect`: the fields of a method's request, with examples.
enum IntrospectVerb: Verb {
    static let name = "introspect"
    static let operands = "METHOD"
    static let operandCount = 1...1
    static let summary = "show the request of a method: its fields, their types, an example"
    static let details = """
        Shows each field with its type, what answers, and example requests: of fields that exclude
        each other every one is in some example. Comes from the schema of this program and needs no
        broker. With --example one example is all that is printed, ready for `call`.
        """
    static let examples = [
        "bridgectl introspect perform", "bridgectl introspect open_device --example",
        "bridgectl introspect subscribe -j",
        "echo '{\"id\":1,\"describe\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["example"]

    /// No oneof of the schema has more members.
    private static let variantsMax = 64

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let method = try Session.method(arguments.operands[0])
        if arguments.wantsExample { return output.printJSON(request(method, variant: 0)) }
        let rows = SchemaIndex(Schema.fileDescriptorSet).rows(of: "flowbridge.v1.\(method.request)")
        if output.isJSONAsked {
            output.printJSON(json(method, rows))
        } else {
            output.print(text(method, rows, output))
        }
    }

    private static func text(_ method: MethodInfo, _ rows: [FieldRow], _ output: Output) -> String {
        let fields = rows.map { ["  \($0.path)", $0.type, note($0)] }
        let list = rows.isEmpty ? "  none" : Table.text(fields)
        let examples = requests(method).map { "  bridgectl call \(method.name) '\($0)'" }
        return """
            \(output.heading(method.name)) (\(method.jsonName)): \(MethodMeaning.of(method.name))

            Fields of \(method.request):
            \(list)

            Answer: \(method.replyMessage)

            Examples:
            \(examples.joined(separator: "\n"))
              echo '\(method.exampleRequest())' | nc -U -N "$FLOWBRIDGE_SOCKET"
            """
    }

    private static func note(_ row: FieldRow) -> String {
        let oneof = row.oneof.map { "one of \($0)" } ?? ""
        return [oneof, row.comment].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private static func json(_ method: MethodInfo, _ rows: [FieldRow]) -> String {
        let fields = rows.map { row in
            let oneof = row.oneof.map { ",\"oneof\":\(JSONText.quoted($0))" } ?? ""
            return "{\"path\":\(JSONText.quoted(row.path)),\"type\":"
                + "\(JSONText.quoted(row.type))\(oneof),\"comment\":\(JSONText.quoted(row.comment))}"
        }
        return "{\"method\":\"\(method.name)\",\"meaning\":"
            + "\(JSONText.quoted(MethodMeaning.of(method.name))),\"request\":\"\(method.request)\","
            + "\"reply\":\"\(method.replyMessage)\",\"fields\":[\(fields.joined(separator: ","))],"
            + "\"examples\":[\(requests(method).joined(separator: ","))]}"
    }

    /// Distinct examples that show every member of every oneof.
    private static func requests(_ method: MethodInfo) -> [String] {
        var found: [String] = []
        for variant in 0..<variantsMax {
            let example = request(method, variant: variant)
            if !found.contains(example) { found.append(example) }
        }
        return found
    }

    /// `{"id":"1","getFlow":{…}}` without what is around the request.
    private static func request(_ method: MethodInfo, variant: Int) -> String {
        let frame = method.exampleRequest(variant: variant)
        let head = "{\"id\":\"1\",\"\(method.jsonName)\":"
        return String(frame.dropFirst(head.count).dropLast())
    }
}
