import SDKCore

/// Looks whether a condition of a segment can ever hold.
struct SegmentCheck {
    private static let texts = [
        "customer_user_id", "gender", "language", "country", "platform", "access_level",
        "attribution_source",
    ]
    private static let versions = ["app_version", "os_version"]
    private static let customPrefix = "custom:"

    /// The attributes of PL-17, in words.
    static let attributeList =
        "\"custom:<key>\", \"age\", " + (texts + versions).map(\.shown).joined(separator: ", ")

    let condition: SegmentCondition
    let cursor: JSONCursor

    /// Whether a segment may use an attribute of that name (PL-17; the key of a custom one: PRO-10).
    static func isKnown(_ attribute: String) -> Bool {
        guard attribute.hasPrefix(customPrefix) else {
            return attribute == "age" || (texts + versions).contains(attribute)
        }
        let key = attribute.dropFirst(customPrefix.count).utf8
        return (1...30).contains(key.count) && key.allSatisfy(isKeyByte)
    }

    /// Whether the values of the attribute are versions (PL-19).
    static func isVersion(_ attribute: String) -> Bool { versions.contains(attribute) }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D: true
        default: false
        }
    }

    /// Warns when no profile can match.
    func run() {
        let attribute = condition.attribute
        if attribute == "age", !comparedTexts.isEmpty {
            cursor.warn("never matches: \"age\" is a number (PL-15)")
        } else if Self.texts.contains(attribute), comparesNumber {
            cursor.warn("never matches: \(attribute.shown) is a text (PL-15)")
        }
        guard let form = Self.form(of: attribute) else { return }
        let hopeless = comparedTexts.filter { !form.accepts($0) }
        let isHopeless =
            matchesAnyText ? hopeless.count == comparedTexts.count : form.holdsForNegations
        if !hopeless.isEmpty, isHopeless {
            cursor.warn(
                "never matches: \(attribute.shown) is \(form.words), not "
                    + hopeless.map(\.shown).joined(separator: ", "))
        }
    }

    private var comparedTexts: [String] {
        switch condition.operand {
        case .equals(let text), .notEquals(let text), .version(_, let text): [text]
        case .isIn(let texts), .isNotIn(let texts): texts
        case .versionBetween(let low, let high): [low, high]
        default: []
        }
    }

    /// Whether one of the texts is enough for a match.
    private var matchesAnyText: Bool {
        switch condition.operand {
        case .equals, .isIn: true
        default: false
        }
    }

    private var comparesNumber: Bool {
        switch condition.operand {
        case .numberEquals, .numberNotEquals, .greater, .less, .greaterOrEqual, .lessOrEqual,
            .between:
            true
        default: false
        }
    }
}

extension SegmentCheck {
    /// What the values of an attribute look like.
    private struct Form {
        let words: String
        /// Whether a text of another form also keeps `!=` and `not_in` from matching.
        var holdsForNegations = false
        let accepts: (String) -> Bool
    }

    private static func form(of attribute: String) -> Form? {
        switch attribute {
        case "language":
            Form(
                words: "a code of two small letters, such as \"pt\" (PL-18)",
                holdsForNegations: true
            ) { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
        case "country":
            Form(words: "a region in capital letters, such as \"BR\" (PL-81)") { text in
                !text.utf8.contains { (0x61...0x7A).contains($0) }
            }
        case "gender":
            Form(words: "\"f\", \"m\", \"o\", \"female\", \"male\" or \"other\" (PRO-4)") {
                ["f", "m", "o", "female", "male", "other"].contains($0)
            }
        case "app_version", "os_version":
            Form(
                words: "a version without leading zeros, such as \"26.3.4\" (PL-19)",
                holdsForNegations: true
            ) { SemanticVersion($0) != nil }
        case _ where attribute.hasPrefix(customPrefix):
            Form(words: "a text of 1 to 50 characters without white space around it (PRO-12)") {
                (1...50).contains($0.count) && $0.trimmed == $0
            }
        default: nil
        }
    }
}
