import FlowEngine
import Testing

@testable import SDKCore

@Suite("Segments")
struct SegmentMatchingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var attribute: String
        var operand: SegmentOperand
        var type: SegmentValueType?
        var holds: Bool

        init(
            _ attribute: String, _ operand: SegmentOperand, _ holds: Bool,
            type: SegmentValueType? = nil
        ) {
            self.attribute = attribute
            self.operand = operand
            self.holds = holds
            self.type = type
        }

        var testDescription: String { "\(attribute) \(operand) \(holds)" }
    }

    @Test(
        "PL-13 PL-16 text operators compare code point by code point",
        arguments: [
            Case("custom:plan", .equals("Pro"), true), Case("custom:plan", .equals("pro"), false),
            Case("custom:plan", .notEquals("pro"), true),
            Case("custom:plan", .notEquals("Pro"), false),
            Case("custom:plan", .isIn(["x", "Pro"]), true), Case("custom:plan", .isIn([]), false),
            Case("custom:plan", .isIn(["x", "y"]), false),
            Case("custom:plan", .isNotIn(["x", "y"]), true),
            Case("custom:plan", .isNotIn(["x", "Pro"]), false),
            Case("custom:name", .equals("e\u{301}"), true),
            Case("custom:name", .equals("\u{e9}"), false),
            Case("custom:name", .notEquals("\u{e9}"), true),
            Case("custom:plan", .isSet, true), Case("custom:plan", .isNotSet, false),
        ])
    func texts(example: Case) { check(example) }

    @Test(
        "PL-13 PL-16 number operators compare doubles; between includes both ends",
        arguments: [
            Case("custom:level", .numberEquals(5), true),
            Case("custom:level", .numberEquals(5.5), false),
            Case("custom:level", .numberNotEquals(5), false),
            Case("custom:level", .numberNotEquals(6), true),
            Case("custom:level", .greater(4.9), true), Case("custom:level", .greater(5), false),
            Case("custom:level", .less(5.1), true), Case("custom:level", .less(5), false),
            Case("custom:level", .greaterOrEqual(5), true),
            Case("custom:level", .greaterOrEqual(5.1), false),
            Case("custom:level", .lessOrEqual(5), true),
            Case("custom:level", .lessOrEqual(4.9), false),
            Case("custom:level", .between(5, 6), true), Case("custom:level", .between(4, 5), true),
            Case("custom:level", .between(5.1, 6), false),
            Case("age", .greaterOrEqual(18), true), Case("age", .numberEquals(36), true),
        ])
    func numbers(example: Case) { check(example) }

    @Test(
        "PL-14 a missing attribute satisfies is_not_set alone",
        arguments: [
            Case("custom:none", .equals(""), false), Case("custom:none", .notEquals("x"), false),
            Case("custom:none", .isIn(["x"]), false), Case("custom:none", .isNotIn(["x"]), false),
            Case("custom:none", .numberNotEquals(1), false), Case("custom:none", .less(1), false),
            Case("custom:none", .between(-1, 1), false), Case("custom:none", .isSet, false),
            Case("custom:none", .isNotSet, true), Case("unknown", .isNotSet, true),
            Case("country", .isNotSet, false),
        ])
    func missing(example: Case) { check(example) }

    @Test(
        "PL-15 a value of another type counts as missing",
        arguments: [
            Case("custom:digit", .numberNotEquals(6), false),
            Case("custom:digit", .numberEquals(5), false),
            Case("custom:digit", .greaterOrEqual(0), false),
            Case("custom:level", .notEquals("x"), false),
            Case("custom:level", .isNotIn(["x"]), false),
            Case("custom:digit", .isNotSet, true, type: .number),
            Case("custom:digit", .isSet, false, type: .number),
            Case("custom:digit", .isSet, true, type: .text),
            Case("custom:level", .isNotSet, true, type: .text),
            Case("custom:level", .isSet, true), Case("custom:digit", .isSet, true),
        ])
    func otherTypes(example: Case) { check(example) }

    @Test(
        "PL-17 PL-81 attributes of profile and device",
        arguments: [
            Case("customer_user_id", .equals("u1"), true), Case("gender", .equals("f"), true),
            Case("gender", .equals("female"), true), Case("gender", .notEquals("male"), true),
            Case("gender", .notEquals("female"), false), Case("country", .equals("BR"), true),
            Case("country", .equals("br"), false), Case("platform", .equals("iOS"), true),
            Case("access_level", .equals("premium"), true),
            Case("access_level", .equals("gold"), false),
            Case("access_level", .isIn(["gold", "vip"]), true),
            Case("attribution_source", .equals("adjust"), true),
            Case("attribution_source", .notEquals("branch"), false),
            Case("attribution_source", .isNotIn(["other"]), true),
        ])
    func attributes(example: Case) { check(example) }

    @Test(
        "PL-18 the language has two letters, and a longer one never matches",
        arguments: [
            Case("language", .equals("pt"), true), Case("language", .equals("pt-BR"), false),
            Case("language", .notEquals("pt-BR"), false), Case("language", .notEquals("en"), true),
            Case("language", .isIn(["pt-BR", "pt"]), true),
            Case("language", .isNotIn(["pt-BR"]), false), Case("language", .isNotIn(["de"]), true),
        ])
    func languages(example: Case) { check(example) }

    @Test(
        "PL-19 versions compare as semantic versions; a leading zero never matches",
        arguments: [
            Case("app_version", .equals("2.10.1"), true),
            Case("app_version", .equals("2.10.1.0"), true),
            Case("app_version", .version(.greater, "2.9"), true),
            Case("app_version", .version(.less, "2.9"), false),
            Case("app_version", .version(.greaterOrEqual, "2.10.1"), true),
            Case("app_version", .version(.lessOrEqual, "2.10.0"), false),
            Case("app_version", .version(.greater, "2.10.1-beta.2"), true),
            Case("app_version", .versionBetween("2.10.1", "3"), true),
            Case("app_version", .versionBetween("2.2", "2.10"), false),
            Case("app_version", .greaterOrEqual(2), true), Case("app_version", .less(2.5), false),
            Case("app_version", .version(.greater, "2.09"), false),
            Case("app_version", .notEquals("2.09"), false), Case("app_version", .isSet, true),
            Case("os_version", .version(.greater, "1"), false),
            Case("os_version", .notEquals("1"), false),
            Case("os_version", .equals("26.03.4"), false),
        ])
    func versions(example: Case) { check(example) }

    @Test(
        "PL-19 precedence of pre-releases",
        arguments: [
            ("1.0.0-alpha", "1.0.0-alpha.1"), ("1.0.0-alpha.1", "1.0.0-alpha.beta"),
            ("1.0.0-beta.2", "1.0.0-beta.11"), ("1.0.0-rc.1", "1.0.0"), ("1", "1.0.1"),
        ])
    func precedence(lower: String, higher: String) throws {
        let low = try #require(SemanticVersion(lower))
        let high = try #require(SemanticVersion(higher))
        #expect(low < high)
        #expect(!(high < low))
    }

    @Test("PL-19 what is no version", arguments: ["", "1.", ".1", "a", "1.02", "01", "1.-1", "٣"])
    func noVersions(text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    @Test("PL-12 conditions are joined with AND; none matches everybody")
    func conjunction() {
        func audience(_ conditions: [SegmentCondition]) -> AudienceDocument {
            Samples.audience("x", versionID: "v", conditions, variations: [])
        }
        let iOS = SegmentCondition("platform", "iOS")
        let android = SegmentCondition("platform", "Android")
        let brazil = SegmentCondition("country", "BR")
        #expect(firstMatch([audience([])]) == 0)
        #expect(firstMatch([audience([iOS, brazil])]) == 0)
        #expect(firstMatch([audience([android, brazil])]) == nil)
        #expect(firstMatch([audience([iOS, android])]) == nil)
        let both = [audience([android]), audience([iOS, android]), audience([brazil, iOS])]
        #expect(firstMatch(both) == 2, "each has its own conditions")
    }

    @Test(
        "PL-18 PL-81 language and country of a locale",
        arguments: [
            ("en-US", "en", "US"), ("pt_BR", "pt", "BR"), ("de", "de", ""),
            ("zh-Hant-TW", "zh", "TW"), ("es-419", "es", "419"), ("EN-gb", "en", "GB"),
            ("en-u-ca-buddhist", "en", ""), ("fil-PH", "", "PH"), ("", "", ""),
        ])
    func locales(locale: String, language: String, country: String) {
        let facts = DeviceFacts(
            DeviceConfiguration(name: "d", locale: locale, zone: .fixed()))
        #expect(facts.language == language)
        #expect(facts.country == country)
    }

    private func check(_ example: Case) {
        let condition = SegmentCondition(
            attribute: example.attribute, operand: example.operand, valueType: example.type)
        let audience = Samples.audience("x", versionID: "v", [condition], variations: [])
        #expect((firstMatch([audience]) == 0) == example.holds)
    }

    private func firstMatch(_ audiences: [AudienceDocument]) -> Int? {
        PreparedSegments(audiences).firstMatch(subject, mayJoin: false)
    }

    private var subject: SegmentSubject {
        var record = ProfileRecord(profile: Profile(profileID: "p"))
        record.profile.customerUserID = "u1"
        record.profile.customAttributes = [
            "plan": .string("Pro"), "level": .number(5), "digit": .string("5"),
            "name": .string("e\u{301}"),
        ]
        for (id, isActive) in [("premium", true), ("gold", false), ("vip", true)] {
            record.profile.accessLevels[id] = AccessLevel(
                id: id, isActive: isActive, vendorProductID: "p", store: "s", activatedAtMs: 0)
        }
        record.profile.appliedAttributionSources = ["adjust", "branch"]
        record.gender = "f"
        record.age = 36
        return SegmentSubject(
            record: record,
            facts: DeviceFacts(
                DeviceConfiguration(
                    name: "d", locale: "pt-BR", zone: .fixed(), appVersion: "2.10.1",
                    osVersion: "26.03.4")))
    }
}
