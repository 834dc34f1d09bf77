import SDKCore

/// Looks whether a condition of a segment can ever hold.
struct SegmentCheck {
    private static let texts = [
        "customer_user_id", "gender", "language", "country", "platform", "app_version",
        "os_version", "access_level", "attribution_source",
    ]
    private static let customPrefix = "custom:"

    /// The attributes of PL-17, in words.
    static let attributeList =
        "\"custom:<key>\", \"age\", " + texts.map(\.shown).joined(separator: ", ")

    let condition: SegmentCondition
    let cursor: JSONCursor

    /// Whether a segment may use an attribute of that name (PL-17, PL-10 of its key: PRO-10).
    static func isKnown(_ attribute: String) -> Bool {
        guard attribute.hasPrefix(customPrefix) else {
            return attribute == "age" || texts.contains(attribute)
        }
        let key = attribute.dropFirst(customPrefix.count).utf8
        return (1...30).contains(key.count) && key.allSatisfy(isKeyByte)
    }

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
        guard let wanted = matchingTexts, let form = Self.form(of: attribute) else { return }
        let hopeless = wanted.filter { !form.accepts($0) }
        if !wanted.isEmpty, hopeless.count == wanted.count {
            cursor.warn(
                "never matches: \(attribute.shown) is \(form.words), not "
                    + hopeless.map(\.shown).joined(separator: ", "))
        }
    }

    private var comparedTexts: [String] {
        switch condition.operand {
        case .equals(let text), .notEquals(let text): [text]
        case .isIn(let texts), .isNotIn(let texts): texts
        default: []
        }
    }

    /// The texts of which one has to be there for a match; nil for other operators.
    private var matchingTexts: [String]? {
        switch condition.operand {
        case .equals(let text): [text]
        case .isIn(let texts): texts
        default: nil
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
        let accepts: (String) -> Bool
    }

    private static func form(of attribute: String) -> Form? {
        switch attribute {
        case "language":
            Form(words: "a code of two small letters, such as \"pt\" (PL-18)") {
                $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            }
        case "country":
            Form(words: "a region in capital letters, such as \"BR\" (PL-81)") { text in
                !text.utf8.contains { (0x61...0x7A).contains($0) }
            }
        case "gender":
            Form(words: "\"f\", \"m\" or \"o\" (PRO-4)") { ["f", "m", "o"].contains($0) }
        case "app_version", "os_version":
            Form(
                words: "a version without leading zeros, such as \"26.3.4\" (PL-19)",
                accepts: isVersion)
        case _ where attribute.hasPrefix(customPrefix):
            Form(words: "a text of 1 to 50 characters without white space around it (PRO-12)") {
                (1...50).contains($0.count) && $0.trimmed == $0
            }
        default: nil
        }
    }

    private static func isVersion(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            part == "0" || !part.hasPrefix("0") && !part.isEmpty
        }
    }
}
