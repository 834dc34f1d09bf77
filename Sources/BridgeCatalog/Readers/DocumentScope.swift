import FlowEngine

/// What the readers of one flow or onboarding share: what it declares, and what refers to it.
final class DocumentScope {
    /// Something that an action, a condition or an element names.
    enum Reference {
        case screen(String)
        /// An element that a condition looks at, with the options that it compares with.
        case element(screen: String, element: String, options: [String])
        /// An element that Set Variable writes to.
        case target(screen: String, element: String, value: VariableValue)
        case productList(String)
        case product(String)
        case timer(String)
        case navigator(String)
        case variable(String)
        /// A placement that a paywall button of an onboarding means.
        case placement(String)
    }

    /// A reference, with the place where it stands and the screen it acts on.
    struct Mention {
        let reference: Reference
        let cursor: JSONCursor
        /// Nil in a timer, which belongs to no screen.
        let origin: String?
    }

    let isOnboarding: Bool
    var locales: [LocaleDocument] = []
    var defaultLocale = 0
    /// The screen being read.
    var screen: String?
    /// The Action ID of the onboarding's button being read, empty when it has none; nil elsewhere.
    var actionID: String?
    /// Where that Action ID stands.
    var actionIDCursor: JSONCursor?
    private(set) var mentions: [Mention] = []
    /// Elements by id, by screen.
    var screens: [String: [String: NamedElement]] = [:]
    /// Where the screens that were read have their ids, in the order of the file.
    var screenCursors: [(id: String, cursor: JSONCursor)] = []
    /// Where the elements that were read stand, by index of screen and of element.
    var elementCursors: [[JSONCursor]] = []
    var variables: Set<String> = []
    var timers: Set<String> = []
    var navigators: Set<String> = []

    /// Makes the scope of a flow or of an onboarding.
    init(isOnboarding: Bool) {
        self.isOnboarding = isOnboarding
    }

    /// Notes that something is named here; it is looked up when the whole document is read.
    func mention(_ reference: Reference, at cursor: JSONCursor) {
        mentions.append(Mention(reference: reference, cursor: cursor, origin: screen))
    }
}
