/// Looks up what a flow or onboarding names: screens, elements, timers, products and so on.
struct ReferenceCheck {
    let scope: DocumentScope
    /// Nil when they are not known because their file could not be parsed.
    let products: Set<String>?
    let placements: Set<String>?

    /// Reports every name that stands for nothing.
    func run() {
        for mention in scope.mentions {
            if let fault = fault(of: mention.reference) { mention.cursor.fault(fault) }
            if case .placement(let id) = mention.reference, let placements,
                !id.isBlank, !placements.contains(id)
            {
                mention.cursor.warn(
                    "no placement has the ID \(id.shown): the app cannot open a paywall with it "
                        + "(OB-19)")
            }
        }
    }

    private func fault(of reference: DocumentScope.Reference) -> String? {
        switch reference {
        case .screen(let id): missing("screen", id, among: scope.screens.keys)
        case .timer(let id): missing("timer", id, among: scope.timers)
        case .navigator(let id): missing("navigator", id, among: scope.navigators)
        case .variable(let id): missing("variable", id, among: scope.variables)
        case .element(let screen, let element): elementFault(screen, element)
        case .productList(let id): productListFault(id)
        case .product(let id): productFault(id)
        case .placement: nil
        }
    }

    private func missing(_ kind: String, _ id: String, among ids: some Collection<String>)
        -> String?
    {
        if ids.contains(id) { return nil }
        let list = ids.sorted().prefix(10).map(\.shown).joined(separator: ", ")
        let known =
            ids.isEmpty ? "there is none" : "there are \(list)\(ids.count > 10 ? ", …" : "")"
        return "unknown \(kind) \(id.shown); \(known)"
    }

    private func elementFault(_ screen: String, _ element: String) -> String? {
        guard let elements = scope.screens[screen] else {
            return missing("screen", screen, among: scope.screens.keys)
        }
        guard let kind = elements[element] else {
            let inputs = elements.filter { $0.value.hasValue }.keys
            return missing("element", element, among: inputs).map {
                "\($0) on the screen \(screen.shown)"
            }
        }
        return kind.hasValue ? nil : "the element \(element.shown) has no value: it is no input"
    }

    private func productListFault(_ id: String) -> String? {
        let lists = scope.screens.values.flatMap { elements in
            elements.filter { $0.value == .productList }.keys
        }
        return missing("product list", id, among: lists)
    }

    private func productFault(_ id: String) -> String? {
        guard let products, !products.contains(id) else { return nil }
        return "unknown product \(id.shown); add it to products.json"
    }
}
