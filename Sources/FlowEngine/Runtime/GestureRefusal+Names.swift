extension GestureRefusal {
    /// Names of a list that a refusal tells at most.
    static let namesMax = 20

    /// No element of that name on the screen; tells what there is (GEN-6).
    static func noElement(
        _ name: String, on screen: ScreenTable, elsewhere: ScreenTable? = nil
    ) -> GestureRefusal {
        let place = "screen \"\(screen.id)\""
        if screen.names.isAmbiguous(name) {
            return GestureRefusal(
                .notFound,
                "\(quoted(name)) names several elements on \(place); "
                    + "use their places: \(list(screen.names.names))")
        }
        let where_ = elsewhere.map { "; it is on screen \"\($0.id)\", which is not in control" }
        return GestureRefusal(
            .notFound,
            "no element \(quoted(name)) on \(place)\(where_ ?? ""); "
                + "it has \(list(screen.names.names))")
    }

    /// No option, product or tab of that name in the element; tells what there is.
    static func noOption(
        _ name: String, what: String, in element: String, names: NameTable, field: String
    ) -> GestureRefusal {
        let start =
            names.isAmbiguous(name)
            ? "\(quoted(name)) names several \(what)s of \"\(element)\"; use their places"
            : "no \(what) \(quoted(name)) in \"\(element)\""
        return GestureRefusal(.notFound, "\(start): it has \(list(names.names))", field: field)
    }

    /// The element is there but of another kind.
    static func wrongKind(_ name: String, is kind: String, wanted: String) -> GestureRefusal {
        GestureRefusal(.wrongState, "\"\(name)\" is a \(kind), not a \(wanted)")
    }

    static func disabled(_ name: String) -> GestureRefusal {
        GestureRefusal(.wrongState, "\"\(name)\" is disabled")
    }

    /// A name that the client gave, cut after 64 characters.
    static func quoted(_ name: String) -> String {
        name.utf8.count <= 64 ? "\"\(name)\"" : "\"\(name.prefix(64))…\""
    }

    /// The names in quotes, the first ones of a long list.
    static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        let shown = names.prefix(namesMax).map(quoted).joined(separator: ", ")
        let rest = names.count - namesMax
        return rest > 0 ? "\(shown) and \(rest) more" : shown
    }
}
