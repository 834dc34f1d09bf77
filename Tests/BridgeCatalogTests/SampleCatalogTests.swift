import FlowEngine
import Foundation
import SDKCore
import Testing

@testable import BridgeCatalog

@Suite("The sample catalogs")
struct SampleCatalogTests {
    private static let root = SchemaTests.root

    @Test("the built-in catalog loads without a fault or warning")
    func sampleIsClean() throws {
        let report = CatalogLoader.sample()
        #expect(report.faults.map(\.description) == [])
        let catalog = try #require(report.catalog)
        #expect(
            catalog.placements.map(\.id) == ["onboarding", "premium_offer_1", "legacy_onboarding"])
    }

    @Test(
        "the catalogs of examples/ load without a fault or warning",
        arguments: ["catalog", "catalog-quiz", "catalog-everything"])
    func examplesAreClean(_ name: String) {
        let report = CatalogLoader.load(folder: Self.root.path + "/examples/" + name)
        #expect(report.faults.map(\.description) == [])
        #expect(report.catalog != nil)
    }

    @Test("the built-in catalog is that of examples/catalog; else run scripts/embed-sample")
    func sampleIsFresh() {
        let faults = FaultList()
        let files = CatalogFolder(
            path: Self.root.path + "/examples/catalog", faults: faults
        ).files()
        #expect(files.map(\.name) == SampleCatalog.files.map(\.name))
        #expect(
            files.map { String(decoding: $0.bytes, as: UTF8.self) }
                == SampleCatalog.files.map { "\($0.text)" })
    }

    @Test("the built-in catalog is there within a small part of the start-up time")
    func sampleIsFast() {
        #if DEBUG
            let limit = Duration.milliseconds(25)
        #else
            let limit = Duration.milliseconds(2)
        #endif
        let clock = ContinuousClock()
        let spans = (0..<20).map { _ in clock.measure { _ = CatalogLoader.sample() } }
        #expect(spans.min() ?? .zero < limit)
    }

    private func screens(_ flow: String) throws -> [ScreenDocument] {
        let catalog = try #require(CatalogLoader.sample().catalog)
        return try #require(catalog.flows[flow]).screens
    }

    private func names(_ screen: ScreenDocument) -> [String] {
        screen.elements.compactMap(\.id)
    }

    @Test("the registration flow has the screens and inputs of the main job")
    func registration() throws {
        let screens = try screens("registration_v1")
        #expect(screens.map(\.id) == ["scr_registration", "scr_quiz", "scr_done"])
        #expect(
            screens.map(names) == [
                ["name", "email", "phone", "age", "password", "birthday", "next"],
                ["experience", "interests", "reminders", "next"], ["done"],
            ])
        let catalog = try #require(CatalogLoader.sample().catalog)
        let document = try #require(catalog.flowDocuments["registration_v1"])
        #expect(document.silentGroups == [])
        #expect(document.content.locales.map(\.id) == ["en", "de"])
        guard case .choice(let experience) = screens[1].elements[0].content,
            case .choice(let interests) = screens[1].elements[1].content,
            case .button(let done) = screens[2].elements[1].content
        else {
            Issue.record("other kinds of elements")
            return
        }
        #expect(experience.options.map(\.elementID) == ["beginner", "amateur", "pro"])
        #expect(experience.options[2].elementTitle == "I train professionally")
        #expect(!experience.isMultiple && interests.isMultiple)
        #expect(interests.options.map(\.elementID) == ["sports", "music", "travel"])
        #expect(interests.options.map(\.elementTitle) == ["Sports", "Music", "Travel"])
        #expect(done.actions == [.close])
    }

    @Test("the offer has two products that its paywall brings, and its three buttons")
    func offer() throws {
        let elements = try screens("premium_offer_v1")[0].elements
        let catalog = try #require(CatalogLoader.sample().catalog)
        let variation = try #require(catalog.placement("premium_offer_1")).audiences[0].variations[
            0]
        #expect(
            variation.paywalls[0].products.map(\.vendorProductID)
                == ["premium_monthly", "premium_yearly"])
        let actions = elements.compactMap { element in
            if case .button(let button) = element.content { button.actions } else { nil }
        }
        #expect(actions == [[.purchase(.selected("plans"))], [.restore()], [.close]])
    }

    @Test("OB-20 OB-32 the onboarding has what the documented examples name")
    func onboarding() throws {
        let catalog = try #require(CatalogLoader.sample().catalog)
        let onboarding = try #require(catalog.onboardings["onboarding_123"])
        #expect(
            onboarding.screens.map(\.id) == [
                "welcome_screen", "profile_screen", "preferences_screen", "interests_screen",
                "pricing_screen", "final",
            ])
        #expect(
            names(onboarding.screens[1]) == [
                "name_input", "email_input", "age_input", "birthday_picker",
                "allow_notifications", "profile_form",
            ])
        guard case .choice(let preference) = onboarding.screens[2].elements[0].content,
            case .choice(let interests) = onboarding.screens[3].elements[0].content,
            case .button(let allow) = onboarding.screens[1].elements[4].content,
            case .button(let offer) = onboarding.screens[4].elements[0].content,
            case .button(let close) = onboarding.screens[5].elements[1].content
        else {
            Issue.record("other kinds of elements")
            return
        }
        #expect(preference.options[0].elementID == "option_1")
        #expect(preference.options[0].value == "premium")
        #expect(preference.options[0].text.resolved(locale: 0, default: 0) == "Premium Plan")
        #expect(interests.options.map(\.value) == ["sports", "music", "travel"])
        #expect(
            [allow, offer, close].map(\.actionID)
                == ["allowNotifications", "premium_offer_1", "close_button"])
    }
}
