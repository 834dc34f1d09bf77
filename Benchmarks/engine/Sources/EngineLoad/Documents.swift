import FlowEngine
import SDKCore

/// The flows that are measured.
enum Documents {
    /// A screen as one of the sample's: a field, a multi choice with titles, a single choice, a
    /// toggle, a picker and a button; then fields up to the count.
    static func screen(_ id: String, elements count: Int = 10) -> ScreenDocument {
        let options = ["sports", "music", "travel", "reading"].map {
            OptionDocument(
                elementID: $0, elementTitle: "What I like is " + $0, text: LocalizedText([$0]))
        }
        var elements = [
            element("name", .field(FieldDocument(kind: .text))),
            element("interests", .choice(ChoiceDocument(isMultiple: true, options: options))),
            element("experience", .choice(ChoiceDocument(isMultiple: false, options: options))),
            element("reminders", .toggle(isOn: false)),
            element("birthday", .picker(PickerDocument(kind: .date))),
            element(
                "next",
                .button(ButtonDocument(actions: [.openScreen("scr_last", navigator: nil)]))),
        ]
        elements += (elements.count..<count).map {
            element("field_number_\($0)", .field(FieldDocument(kind: .text)))
        }
        // On other screens the same Group IDs would silence the groups.
        if id != "scr_registration" {
            for place in elements.indices { elements[place].id = "\(id)_\(place)" }
        }
        return ScreenDocument(id: id, elements: elements)
    }

    static func flow(screens count: Int) -> FlowContent {
        let others = (1..<max(count - 1, 1)).map { screen("scr_number_\($0)") }
        return FlowContent(
            id: "registration_v1",
            screens: [screen("scr_registration")] + others + [screen("scr_last")])
    }

    static let catalog = Catalog(
        placements: [
            PlacementDocument(
                id: "onboarding", type: .flow,
                audiences: [
                    AudienceDocument(
                        name: "All Users", priority: 0, isAllUsers: true, versionID: "pav_1",
                        variations: [
                            VariationDocument(
                                variationID: "var_registration", contentID: "registration",
                                name: "Registration", flowVersionID: "registration_v1")
                        ])
                ])
        ], flows: ["registration_v1": flow(screens: 2)], onboardings: [:], products: [:])

    private static func element(_ id: String, _ content: ElementContent) -> ElementDocument {
        ElementDocument(id: id, text: LocalizedText(["The text of \(id)"]), content: content)
    }
}

extension TimeZoneRules {
    /// Days of 24 hours from 1970 on; enough for what is measured.
    static let simple = TimeZoneRules(
        name: "UTC",
        resolve: { date, time in
            .unique(Int64(date.day) * 86_400_000 + Int64(time.hour) * 3_600_000)
        },
        civil: { _ in (CivilDate(year: 1970, month: 1, day: 1), .midnight) },
        dayExists: { (1...31).contains($0.day) })
}
