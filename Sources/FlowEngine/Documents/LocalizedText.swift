/// A text with its translations: one place for each locale of the document, in its order.
public struct LocalizedText: Sendable, Equatable {
    /// By index of `FlowDocument.locales`; nil where that locale says nothing.
    public var texts: [String?]

    /// Makes a text from one entry for each locale of the document.
    public init(_ texts: [String?]) {
        self.texts = texts
    }

    /// The text in that locale, else in the default locale, else empty (FC-5).
    public func resolved(locale: Int, default defaultLocale: Int) -> String {
        if texts.indices.contains(locale), let text = texts[locale] { return text }
        if texts.indices.contains(defaultLocale), let text = texts[defaultLocale] { return text }
        return ""
    }
}

/// A locale of a flow.
public struct LocaleDocument: Sendable, Equatable {
    /// As written in the builder; compared exactly (FC-2).
    public var id: String
    /// Whether its script runs from right to left (FC-6).
    public var isRightToLeft: Bool

    /// Makes a locale.
    public init(id: String, isRightToLeft: Bool = false) {
        self.id = id
        self.isRightToLeft = isRightToLeft
    }
}

extension LocaleDocument {
    /// Sees to it that there is a locale, and gives an index of the default one that exists.
    static func complete(_ locales: inout [LocaleDocument], default index: Int) -> Int {
        if locales.isEmpty { locales = [LocaleDocument(id: "en")] }
        return locales.indices.contains(index) ? index : 0
    }
}
