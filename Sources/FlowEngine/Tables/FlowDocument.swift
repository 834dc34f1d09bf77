/// A flow made ready to run: its content and the tables that all of its sessions share.
///
/// Making one walks the whole flow once. After that a gesture costs the same whatever the flow's
/// size.
public final class FlowDocument: Sendable {
    /// The content it was made from.
    public let content: FlowContent
    /// The groups that never report, in the order of the screens (IN-71).
    public let silentGroups: [SilentGroup]

    let screens: ScreenSet
    /// Every product that a list or a purchase names, once.
    let products: [String]
    let productPlaces: [ExactText: Int32]
    /// The product lists with a preselection, in the order of the catalog (ACT-20).
    let preselections: [ProductListEntry]
    /// Pickers with a preset value.
    let presetPickers: [PickerEntry]
    /// Timers that no text shows: they start with the view.
    let hiddenTimers: [Int]
    /// Variables with their initial values.
    let variables: [ExactText: VariableValue]
    private let navigatorPlaces: [ExactText: Int]
    private let timerPlaces: [ExactText: Int]

    /// Makes the tables. What every flow has to have, and this one has not, is put in: a locale
    /// and a navigator. (The catalog loader refuses such content; this keeps the rest safe.)
    public init(_ content: FlowContent) {
        var content = content
        content.defaultLocale = LocaleDocument.complete(
            &content.locales, default: content.defaultLocale)
        if content.navigators.isEmpty {
            content.navigators = [NavigatorDocument(id: "main", order: 0)]
        }
        self.content = content
        variables = Dictionary(
            content.variables.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { a, _ in a }
        )
        navigatorPlaces = ScreenSet.places(of: content.navigators.map(\.id))
        let timers = ScreenSet.places(of: content.timers.map(\.id))
        timerPlaces = timers
        var builder = ScreenTableBuilder(defaultLocale: content.defaultLocale)
        let silence = SilenceRules(content)
        let last = LastScreenRule(screens: ScreenSet.places(of: content.screens.map(\.id)))
        var silent: [SilentGroup] = []
        let tables = content.screens.enumerated().map { index, screen in
            let names = NameTable(screen.elements.map(\.id))
            let here = screen.elements.indices.compactMap { place in
                silence.silence(of: screen.elements[place]).map { why in
                    SilentGroup(
                        screen: index, element: place, rule: why.rule, reason: why.reason)
                }
            }
            silent += here
            return ScreenTable(
                index: index, document: screen, names: names,
                entries: builder.entries(
                    of: screen, names: names, silent: Set(here.map(\.element))),
                isLast: last.isLast(screen), timers: FlowDocument.timers(of: screen, timers))
        }
        screens = ScreenSet(tables)
        silentGroups = silent
        content.forEachAction { action in
            switch action {
            case .purchase(.product(let id), _), .webPurchase(.product(let id), _):
                _ = builder.place(ofProduct: id)
            default: break
            }
        }
        products = builder.products
        productPlaces = builder.placesOfProducts
        let entries = tables.flatMap(\.entries)
        preselections = entries.compactMap {
            guard case .productList(let list) = $0.content else { return nil }
            return list.preselected == nil ? nil : list
        }
        presetPickers = entries.compactMap {
            guard case .picker(let picker) = $0.content else { return nil }
            return picker.document.initial == nil ? nil : picker
        }
        let shown = Set(tables.flatMap(\.timers))
        hiddenTimers = content.timers.indices.filter { !shown.contains($0) }
    }

    /// The index of a locale id, compared exactly (FC-2); nil: a miss, which means the default.
    public func localeIndex(of id: String) -> Int? {
        content.locales.firstIndex { $0.id.isExactly(id) }
    }

    func navigator(_ id: String) -> Int? {
        navigatorPlaces[ExactText(id)]
    }

    func timer(_ id: String) -> Int? {
        timerPlaces[ExactText(id)]
    }

    private static func timers(of screen: ScreenDocument, _ places: [ExactText: Int]) -> [Int] {
        var found: [Int] = []
        for element in screen.elements {
            guard case .text(let text) = element.content, let id = text.timerID,
                let place = places[ExactText(id)], !found.contains(place)
            else { continue }
            found.append(place)
        }
        return found
    }
}
