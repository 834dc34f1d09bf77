/// Looks whether the tags in a text and its `tags` are the same (FC-10 to FC-12).
enum TagCheck {
    /// Warns of a tag without initial value, and of one that the text does not have.
    static func run(on object: JSONObject, tags: [String: String]) {
        guard let cursor = object["text"] else { return }
        let texts = cursor.isString ? [cursor.rawString] : cursor.members.map(\.value.rawString)
        let used = Set(texts.flatMap(names))
        for name in used.subtracting(tags.keys).sorted() {
            cursor.warn(
                "{{\(name)}} is no tag of this text and stays as it is; give its initial value in "
                    + "\"tags\" (FC-12)")
        }
        for name in Set(tags.keys).subtracting(used).sorted() {
            object["tags"]?.warn("no text here has the tag {{\(name)}}")
        }
    }

    /// The names between `{{` and the next `}}`.
    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = text.unicodeScalars[...]
        while let start = place(after: "{", in: rest),
            let end = place(after: "}", in: rest[start...])
        {
            let name = rest[start..<end].dropLast(2)
            names.append(String(name))
            rest = rest[end...]
        }
        return names
    }

    /// The place after the next pair of that scalar.
    private static func place(
        after scalar: Unicode.Scalar, in text: Substring.UnicodeScalarView
    ) -> String.Index? {
        var rest = text
        while let first = rest.firstIndex(of: scalar) {
            rest = rest[text.index(after: first)...]
            if rest.first == scalar { return text.index(after: rest.startIndex) }
        }
        return nil
    }
}
