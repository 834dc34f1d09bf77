/// Puts tags into the text of a text element (FC-10 to FC-13).
enum TagText {
    /// The text with `{{name}}` replaced for every tag of the element.
    ///
    /// If one of the element's tags has no given text, all of them show their initial ones
    /// (FC-12). What is put in is not looked at again; names that are no tag of the element stay.
    static func shown(_ text: String, initial: [String: String], given: [String: String])
        -> String
    {
        guard !initial.isEmpty else { return text }
        let isComplete = initial.keys.allSatisfy { given.exactly($0) != nil }
        return replacing(in: text) { name in
            guard let start = initial.exactly(name) else { return nil }
            return isComplete ? given.exactly(name) : start
        }
    }

    private static func replacing(in text: String, _ value: (String) -> String?) -> String {
        var shown = ""
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(ofPair: "{") {
            let start = rest.index(open, offsetBy: 2)
            guard let close = rest[start...].firstIndex(ofPair: "}") else { break }
            let end = rest.index(close, offsetBy: 2)
            if let put = value(String(rest[start..<close])) {
                shown += String(rest[..<open]) + put
                rest = rest[end...]
            } else {
                shown += String(rest[..<start])
                rest = rest[start...]
            }
        }
        return shown + String(rest)
    }
}

extension Substring.UnicodeScalarView {
    /// The first place where that scalar stands twice.
    fileprivate func firstIndex(ofPair scalar: Unicode.Scalar) -> Index? {
        indices.first { place in
            guard self[place] == scalar else { return false }
            let next = index(after: place)
            return next < endIndex && self[next] == scalar
        }
    }
}
