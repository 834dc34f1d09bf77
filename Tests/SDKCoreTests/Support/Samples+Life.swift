import FlowEngine

@testable import SDKCore

extension Samples {
    /// A flow with an element of every kind, timers of every mode, an alert and a sheet, and an
    /// onboarding of two screens.
    static let life = Catalog(
        placements: [
            PlacementDocument(
                id: "main", type: .flow,
                audiences: [
                    audience(
                        "All", versionID: "pav_life", isAllUsers: true,
                        variations: [
                            variation("v-one", version: "life-v1", weight: 50),
                            variation("v-two", version: "life-v1", weight: 50),
                        ])
                ]), intro(),
        ], flows: ["life-v1": lifeFlow()], onboardings: ["onb": lifeOnboarding()],
        products: ["p.month": product("p.month"), "p.year": product("p.year")])

    private static func lifeFlow() -> FlowContent {
        FlowContent(
            id: "life-v1",
            screens: [
                ScreenDocument(
                    id: "first",
                    elements: inputs() + [
                        label("continuing"), label("restarting"),
                        button("next", [.openScreen("second", navigator: nil)]),
                        button("sheet", [.openScreen("sheet", navigator: "sheet")]),
                        button("ask", [alert()]), button("close", [.close, .custom("never")]),
                        button(
                            "own",
                            [
                                .custom("hello"),
                                .sendEvent(
                                    name: "own",
                                    params: ["isCustomerEvent": .bool(true), "n": .double(0.5)]),
                            ]),
                        button(
                            "fill",
                            [.setVariable(.element(screen: "first", element: "name"), .text("x"))]),
                    ]),
                ScreenDocument(
                    id: "second",
                    elements: [
                        label("persisting"), button("next", [.back]),
                        button("site", [.openURL("https://a.example", .browserInApp)]),
                        ElementDocument(id: "name", content: .field(FieldDocument(kind: .email))),
                    ]),
                ScreenDocument(
                    id: "sheet",
                    elements: [
                        button("next", [.closeNavigator("sheet")]),
                        ElementDocument(id: "extra", content: .toggle(isOn: true)),
                    ], hooks: ScreenHooks(didAppear: [.custom("sheet is there")])),
            ],
            navigators: [
                NavigatorDocument(id: "main", order: 0), NavigatorDocument(id: "sheet", order: 1),
            ], timers: timers())
    }

    private static func inputs() -> [ElementDocument] {
        [
            ElementDocument(id: "name", content: .field(FieldDocument(kind: .text, maxLength: 5))),
            ElementDocument(id: "secret", content: .field(FieldDocument(kind: .password))),
            ElementDocument(id: "day", content: .picker(PickerDocument(kind: .date))),
            ElementDocument(id: "clock", content: .picker(PickerDocument(kind: .time))),
            choice(),
            ElementDocument(
                id: "likes",
                content: .choice(
                    ChoiceDocument(
                        isMultiple: true,
                        options: ["a", "b", "c"].map {
                            OptionDocument(elementID: $0, text: LocalizedText([$0]))
                        }, maxSelected: 2))),
            ElementDocument(id: "flag", content: .toggle(isOn: false)),
            ElementDocument(
                id: "products",
                content: .productList(
                    ProductListDocument(
                        vendorProductIDs: ["p.month", "p.year"], preselected: "p.year"))),
        ]
    }

    private static func label(_ timer: String) -> ElementDocument {
        ElementDocument(
            id: "label_\(timer)", text: LocalizedText([timer]),
            content: .text(TextDocument(timerID: timer)))
    }

    private static func alert() -> ActionDocument {
        .showAlert(
            title: "Sure?", message: "",
            actions: [
                AlertActionDocument(
                    id: "yes", title: "Yes", style: .default,
                    actions: [.openScreen("second", navigator: nil)]),
                AlertActionDocument(id: "no", title: "No", style: .cancel, actions: []),
            ])
    }

    /// One that a text shows of each mode but `custom`, which starts with the view.
    private static func timers() -> [TimerDocument] {
        [
            TimerDocument(
                id: "continuing", mode: .continue, durationMs: 9_000, actions: [.custom("9 s")]),
            TimerDocument(
                id: "restarting", mode: .restart, durationMs: 4_000,
                actions: [.openScreen("second", navigator: nil)]),
            TimerDocument(
                id: "persisting", mode: .persisted, durationMs: 15_000, actions: [.back]),
            TimerDocument(
                id: "given", mode: .custom, durationMs: 1_000, actions: [.custom("given")]),
        ]
    }

    private static func lifeOnboarding() -> OnboardingContent {
        OnboardingContent(
            id: "onb",
            screens: [
                ScreenDocument(
                    id: "welcome",
                    elements: inputs().dropLast() + [
                        button("next", [.openScreen("final", navigator: nil)]),
                        button("close", [.close]), button("own", [.openPaywall("offer")]),
                    ]), ScreenDocument(id: "final", elements: [button("next", [.back])]),
            ])
    }
}
