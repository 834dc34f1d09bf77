import FlowEngine

/// Looks up what a flow or onboarding names: screens, elements, timers, products and so on.
struct ReferenceCheck {
    let scope: DocumentScope
    /// Nil when they are not known because their file could not be parsed.
    let products: Set<String>?
    let placements: Set<String>?

    /// Reports every name that stands for nothing.
    func run() {
        for mention in scope.mentions { check(mention.reference, mention.cursor) }
    }

    private func check(_ reference: DocumentScope.Reference, _ cursor: JSONCursor) {
        switch reference {
        case .screen(let id): report(missing("screen", id, among: scope.screens.keys), cursor)
        case .timer(let id): report(missing("timer", id, among: scope.timers), cursor)
        case .variable(let id): checkVariable(id, cursor)
        case .element(let screen, let element, let options):
            checkCondition(screen, element, options, cursor)
        case .target(let screen, let element, let value):
            checkTarget(screen, element, value, cursor)
        case .navigator(let id): checkNavigator(id, cursor)
        case .productList(let id): checkProductList(id, cursor)
        case .product(let id): checkProduct(id, cursor)
        case .placement(let id): checkPlacement(id, cursor)
        }
    }

    private func report(_ fault: String?, _ cursor: JSONCursor) {
        if let fault { cursor.fault(fault) }
    }

    private func missing(
        _ kind: String, _ id: String, among ids: some Collection<String>
    ) -> String? {
        if ids.holds(id) { return nil }
        let list = ids.sorted().prefix(10).map(\.shown).joined(separator: ", ")
        let known =
            ids.isEmpty ? "there is none" : "there are \(list)\(ids.count > 10 ? ", …" : "")"
        return "unknown \(kind) \(id.shown); \(known)"
    }

    private func checkVariable(_ id: String, _ cursor: JSONCursor) {
        guard let fault = missing("variable", id, among: scope.variables) else { return }
        cursor.fault("\(fault); add it to \"variables\", with null if it has no value at first")
    }

    /// The fault stays a warning, as it can be met and reported at run time (ACT-9).
    private func checkNavigator(_ id: String, _ cursor: JSONCursor) {
        if let fault = missing("navigator", id, among: scope.navigators) {
            cursor.warn("\(fault); opening a screen in it fails with 4106 (ACT-9)")
        }
    }

    private func checkProductList(_ id: String, _ cursor: JSONCursor) {
        let lists = scope.screens.values.flatMap { elements in
            elements.filter { $0.value.kind == .productList }.keys
        }
        report(missing("product list", id, among: lists), cursor)
    }

    private func checkProduct(_ id: String, _ cursor: JSONCursor) {
        guard let products, !products.holds(id) else { return }
        cursor.fault("unknown product \(id.shown); add it to products.json")
    }

    private func checkPlacement(_ id: String, _ cursor: JSONCursor) {
        guard let placements, !id.isBlank, !placements.holds(id) else { return }
        cursor.warn(
            "no placement has the ID \(id.shown): the app cannot open a paywall with it (OB-19)")
    }
}

extension ReferenceCheck {
    /// The element of that name; nil, and a fault, when there is none or it has no value.
    private func element(_ screen: String, _ id: String, _ cursor: JSONCursor) -> NamedElement? {
        guard let elements = scope.screens[screen] else {
            report(missing("screen", screen, among: scope.screens.keys), cursor)
            return nil
        }
        if let fault = missing("element", id, among: elements.keys) {
            cursor.fault("\(fault) on the screen \(screen.shown)")
            return nil
        }
        guard let element = elements[id], element.kind.hasValue else {
            cursor.fault("the element \(id.shown) has no value to look at or to set")
            return nil
        }
        return element
    }

    private func checkCondition(
        _ screen: String, _ id: String, _ options: [String], _ cursor: JSONCursor
    ) {
        guard let element = element(screen, id, cursor),
            element.kind == .singleChoice || element.kind == .multiChoice
        else { return }
        for option in options {
            if let fault = missing("option", option, among: element.optionIDs) {
                cursor.warn("\(fault) in the group \(id.shown): it is never selected")
            }
        }
    }

    /// What the element cannot hold is met and reported at run time, so it is a warning (ACT-9).
    private func checkTarget(
        _ screen: String, _ id: String, _ value: VariableValue, _ cursor: JSONCursor
    ) {
        guard let element = element(screen, id, cursor) else { return }
        let wanted = element.wants(value)
        if let wanted {
            cursor.warn(
                "the element \(id.shown) holds \(wanted); setting something else fails with 4105 "
                    + "(ACT-9)")
        }
    }
}

extension NamedElement {
    /// What the element holds, when it is not such a value; nil when it is.
    fileprivate func wants(_ value: VariableValue) -> String? {
        switch (kind, value) {
        case (.field, .text), (.field, .number), (.picker, .number), (.toggle, .flag): return nil
        case (.singleChoice, .text(let id)), (.multiChoice, .text(let id)):
            return holds([id]) ? nil : optionWords
        case (.multiChoice, .items(let ids)): return holds(ids) ? nil : optionWords
        case (.singleChoice, .items(let ids)):
            return ids.count <= 1 && holds(ids) ? nil : optionWords
        case (.field, _): return "a text"
        case (.picker, _): return "Unix milliseconds"
        case (.toggle, _): return "true or false"
        case (.singleChoice, _), (.multiChoice, _): return optionWords
        default: return "what the user selects only"
        }
    }

    private var optionWords: String {
        "options out of \(optionIDs.prefix(10).map(\.shown).joined(separator: ", "))"
    }

    private func holds(_ ids: [String]) -> Bool {
        ids.allSatisfy { id in optionIDs.contains { $0.isExactly(id) } }
    }
}

extension Collection<String> {
    /// Whether it has that text, code point by code point; in constant time for sets and keys.
    func holds(_ text: String) -> Bool {
        firstIndex(of: text).map { self[$0].isExactly(text) } ?? false
    }
}
