/// Looks whether the tags in a text and its `tags` are the same (FC-10 to FC-12).
enum TagCheck {
    /// Warns of a tag without initial value, and of one that the text does not have.
    static func run(on object: JSONObject, tags: [String: String]) {
        guard let cursor = object["text"] else { return }
        let texts = cursor.isString ? [cursor.rawString] : cursor.members.map(\.value.rawString)
        let used = Set(texts.flatMap(names))
        for name in used.subtracting(tags.keys).sorted() {
            cursor.warn(
                "the tag {{\(name)}} has no initial value in \"tags\"; without one from the app "
                    + "it shows nothing (FC-12)")
        }
        for name in Set(tags.keys).subtracting(used).sorted() {
            object["tags"]?.warn("no text here has the tag {{\(name)}}")
        }
    }

    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = text.unicodeScalars[...]
        while let start = opening(in: rest) {
            rest = rest[start...]
            guard let end = rest.firstIndex(of: "}") else { break }
            let next = rest.index(after: end)
            if next < rest.endIndex, rest[next] == "}" { names.append(String(rest[..<end])) }
            rest = rest[next...]
        }
        return names
    }

    /// The place after the next `{{`.
    private static func opening(in text: Substring.UnicodeScalarView) -> String.Index? {
        var index = text.startIndex
        while let brace = text[index...].firstIndex(of: "{") {
            index = text.index(after: brace)
            if index < text.endIndex, text[index] == "{" { return text.index(after: index) }
        }
        return nil
    }
}
