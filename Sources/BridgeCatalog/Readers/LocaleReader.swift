import FlowEngine

/// Reads the locales of a document, and texts in them.
struct LocaleReader {
    let scope: DocumentScope

    /// Reads `locales` and `default_locale` (FC-7); the default is the first one, `en` without any.
    func readLocales(of object: JSONObject) {
        let items = object["locales"] == nil ? nil : object.requiredItems("locales", "a locale id")
        for item in (items ?? []).prefix(CatalogLimits.localesMax) { add(item) }
        if let items, items.count > CatalogLimits.localesMax {
            object["locales"]?.fault(
                "\(items.count) locales; a document has at most \(CatalogLimits.localesMax)")
        }
        if scope.locales.isEmpty { scope.locales = [LocaleDocument(id: "en")] }
        guard let cursor = object["default_locale"], let id = cursor.name() else { return }
        if let index = scope.locales.firstIndex(where: { $0.id.isExactly(id) }) {
            scope.defaultLocale = index
        } else {
            cursor.fault(
                "the default locale \(id.shown) is not among the locales \(localeList) (FC-7)")
        }
    }

    private func add(_ item: JSONCursor) {
        var locale = LocaleDocument(id: "")
        if item.isObject, let object = item.object() {
            locale.id = object.requiredName("id", "the locale id, as written in the builder")
            locale.isRightToLeft = object.flag("right_to_left", default: false)
            object.close()
        } else {
            locale.id = item.name("a locale id or an object with \"id\"") ?? ""
        }
        if locale.id.isEmpty { return }
        if scope.locales.contains(where: { $0.id == locale.id }) {
            item.fault("the locale \(locale.id.shown) is there twice (FC-7)")
        } else {
            scope.locales.append(locale)
        }
    }

    private var localeList: String {
        scope.locales.map(\.id.shown).joined(separator: ", ")
    }

    /// Reads a text: a string in the default locale, or an object from locale to string.
    func text(_ cursor: JSONCursor?) -> LocalizedText? {
        guard let cursor else { return nil }
        var text = LocalizedText([String?](repeating: nil, count: scope.locales.count))
        if cursor.isString {
            text.texts[scope.defaultLocale] = cursor.rawString
            return text
        }
        guard cursor.object("a text, or an object from locale to text") != nil else { return nil }
        for (key, value) in cursor.members {
            if let index = scope.locales.firstIndex(where: { $0.id.isExactly(key) }) {
                text.texts[index] = value.string()
            } else if key == "comment" {
                _ = value.string()
            } else {
                value.fault("unknown locale \(key.shown); the document has \(localeList)")
            }
        }
        warnIfUntold(text, cursor)
        return text
    }

    private func warnIfUntold(_ text: LocalizedText, _ cursor: JSONCursor) {
        if text.texts[scope.defaultLocale] != nil { return }
        let id = scope.locales[scope.defaultLocale].id
        cursor.warn(
            "no text in the default locale \(id.shown): nothing is shown where a locale lacks it")
    }
}
