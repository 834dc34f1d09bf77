import FlowEngine
import Testing

@testable import SDKCore

@Suite("getProfile and updateProfile")
struct ProfileCallTests {
    @Test("PRO-25 a change sends one didLoadLatestProfile before the answer, none without a change")
    func announcements() throws {
        var bench = activated()
        let first = bench.call(.attributes([("plan", .string("x"))]))
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(first.isDone)
        #expect(first.callbacks == [.didLoadLatestProfile(profile)])
        #expect(profile.customAttributes == ["plan": .string("x")])
        let again = bench.call(.attributes([("plan", .string(" x "))]))
        #expect(again.isDone)
        #expect(again.callbacks.isEmpty)
        #expect(bench.device.profileRecord?.profile == profile, "the version stays too")
    }

    @Test("PRO-25 PRO-28 a change that the app cannot read is announced as well")
    func hiddenChange() throws {
        var bench = activated()
        let outcome = bench.call(.update { $0.email = "jane@example.com" })
        #expect(outcome.callbacks.count == 1)
        #expect(bench.device.profileRecord?.email == "jane@example.com")
        #expect(bench.call(.update { $0.email = "jane@example.com" }).callbacks.isEmpty)
    }

    @Test("PRO-25 a decomposed spelling is a change")
    func exactChange() {
        var bench = activated()
        bench.call(.update { $0.firstName = "Ren\u{e9}" })
        #expect(bench.call(.update { $0.firstName = "Rene\u{301}" }).callbacks.count == 1)
        #expect(bench.device.profileRecord?.firstName.isExactly("Rene\u{301}") == true)
    }

    @Test("PRO-22 an empty update is a sync: it announces what another device changed")
    func emptyUpdate() throws {
        var bench = activated(user: "u1")
        #expect(bench.call(.update { _ in }).callbacks.isEmpty)
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        other.call(.attributes([("plan", .string("x"))]))
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(bench.call(.update { _ in }).callbacks == [.didLoadLatestProfile(profile)])
        #expect(bench.call(.update { _ in }).callbacks.isEmpty)
    }

    @Test("ID-26 ID-29 PRO-31 getProfile announces a difference to the stored copy, once")
    func otherDevice() throws {
        var bench = activated(user: "u1")
        #expect(bench.call(.getProfile).callbacks.isEmpty)
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        other.call(.attributes([("plan", .string("x"))]))
        let outcome = bench.call(.getProfile)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(outcome.profile == profile)
        #expect(bench.call(.getProfile).callbacks.isEmpty)
    }

    @Test("ID-27 PRO-31 changed and changed back is no difference to the stored copy")
    func changedBack() {
        var bench = activated(user: "u1")
        bench.call(.attributes([("plan", .string("x"))]))
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        other.call(.attributes([("plan", .string("y"))]))
        other.call(.attributes([("plan", .string("x"))]))
        #expect(bench.call(.getProfile).callbacks.isEmpty)
    }

    @Test("ID-27 an older copy never replaces a newer one")
    func olderCopy() {
        var identity = DeviceIdentity()
        var stored = ProfileRecord(profile: Profile(profileID: "p"))
        stored.profile.versionMs = 10
        identity.stored = stored
        var older = stored
        older.email = "x"
        older.profile.versionMs = 9
        let tookOlder = identity.adopt(older)
        #expect(!tookOlder)
        #expect(identity.stored == stored)
        older.profile.versionMs = 10
        let tookSame = identity.adopt(older)
        #expect(tookSame)
        var stranger = older
        stranger.profile = Profile(profileID: "q")
        stranger.profile.versionMs = 99
        let tookStranger = identity.adopt(stranger)
        #expect(!tookStranger)
        #expect(identity.stored == older)
    }

    @Test("ID-27 a changed profile gets a later version, also when the clock stands or goes back")
    func versions() throws {
        var bench = activated()
        let first = try #require(bench.device.profileRecord?.profile.versionMs)
        bench.call(.attributes([("a", .number(1))]))
        bench.now = Instant(ms: 5)
        bench.call(.attributes([("a", .number(2))]))
        let last = try #require(bench.device.profileRecord?.profile.versionMs)
        #expect(last == first + 2)
    }

    @Test(
        "ID-25 getProfile returns the stored profile on any failure",
        arguments: [
            0, 401, 404, 429, 499, 500, 503,
        ] as [UInt32])
    func failingRead(status: UInt32) throws {
        var bench = activated(user: "u1")
        let stored = try #require(bench.device.profileRecord?.profile)
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        other.call(.attributes([("plan", .string("x"))]))
        if status == 0 {
            try bench.setOffline(true)
        } else {
            try bench.setCondition("get_profile", httpStatus: status)
        }
        let outcome = bench.call(.getProfile)
        #expect(outcome.profile == stored)
        #expect(outcome.callbacks.isEmpty)
    }

    @Test(
        "PRO-26 a failing update has the code of its cause and applies nothing",
        arguments: [
            (nil, 2005), (401, 2002), (403, 2002), (400, 2003), (404, 2003), (429, 2004),
            (499, 2004), (500, 2004), (599, 2004),
        ] as [(UInt32?, Int32)])
    func failingUpdate(status: UInt32?, code: Int32) throws {
        var bench = activated()
        let record = bench.device.profileRecord
        if let status {
            try bench.setCondition("update_profile", httpStatus: status, calls: 1)
        } else {
            try bench.setOffline(true)
        }
        let outcome = bench.call(.attributes([("plan", .string("x"))]))
        #expect(outcome.code == code)
        #expect(outcome.callbacks.isEmpty)
        #expect(bench.device.profileRecord == record)
        try bench.setOffline(false)
        #expect(bench.call(.attributes([("plan", .string("x"))])).isDone)
    }

    @Test("PRO-27 throttling is a condition of updateProfile alone")
    func throttling() throws {
        var bench = activated()
        try bench.setCondition("update_profile", httpStatus: 429, calls: 2)
        #expect(bench.call(.update { _ in }).code == 2004)
        #expect(bench.call(.getProfile).profile != nil)
        #expect(bench.call(.getFlow("main")).flow != nil)
        #expect(bench.call(.update { _ in }).code == 2004)
        #expect(bench.call(.update { _ in }).isDone)
    }

    @Test("PRO-7 PRO-8 analytics disabled stops backend events, also if the backend failed")
    func analyticsDisabled() throws {
        var bench = activated()
        bench.call(.getFlow("main"))
        #expect(bench.backend.events(limit: 100).count == 1)
        try bench.setOffline(true)
        #expect(bench.call(.update { $0.analyticsDisabled = true }).code == 2005)
        try bench.setOffline(false)
        #expect(bench.device.profileRecord?.isAnalyticsDisabled == false)
        #expect(bench.call(.getFlow("main")).flow != nil)
        #expect(bench.backend.events(limit: 100).count == 1)
        bench.call(.update { $0.firstName = "x" })
        bench.call(.getFlow("main"))
        #expect(bench.backend.events(limit: 100).count == 1)
        bench.call(.update { $0.analyticsDisabled = false })
        bench.call(.getFlow("main"))
        #expect(bench.backend.events(limit: 100).count == 2)
    }

    @Test(
        "PRO-7 PRO-8 with analytics disabled a view's customer events come, its backend events do not"
    )
    func analyticsOfViews() throws {
        var bench = activated()
        bench.call(.update { $0.analyticsDisabled = true })
        let view = try bench.createFlow()
        #expect(try bench.present(view).count == 3)
        #expect(bench.backend.events(limit: 100).isEmpty)
    }

    @Test("PRO-7 PRO-16 PRO-17 a fault of the attributes stores nothing, on the device neither")
    func faultStoresNothing() {
        var bench = activated()
        let tooMany = bench.call(
            .update {
                $0.analyticsDisabled = true
                $0.firstName = "Ann"
                $0.customAttributes = [AttributeChange(key: "a b", value: .number(1))]
            })
        #expect(tooMany.code == 3001)
        #expect(!bench.device.identity.isAnalyticsDisabled)
        bench.call(.attributes((1...30).map { ("k\($0)", .number(1)) }))
        let merged = bench.call(
            .update {
                $0.analyticsDisabled = true
                $0.firstName = "Ann"
                $0.customAttributes = [AttributeChange(key: "k31", value: .number(1))]
            })
        #expect(merged.code == 3001)
        #expect(!bench.device.identity.isAnalyticsDisabled)
        #expect(bench.device.profileRecord?.firstName == "")
    }

    @Test("PRO-17 a fault found on the device uses up no condition of the backend")
    func faultBeforeBackend() throws {
        var bench = activated()
        try bench.setCondition("update_profile", httpStatus: 500, calls: 1)
        #expect(bench.call(.attributes([("a b", .number(1))])).code == 3001)
        #expect(bench.call(.update { _ in }).code == 2004)
    }

    @Test("PRO-15 PRO-16 PRO-20 field case 5: the limit counts the merged profile")
    func fieldCase5() {
        var bench = activated()
        let keys = (1...30).map { $0 < 10 ? "k0\($0)" : "k\($0)" }
        #expect(bench.call(.attributes(keys.map { ($0, .string("v")) })).isDone)
        #expect(bench.call(.attributes([("k07", .string("new"))])).isDone)
        let one = bench.call(.attributes([("k31", .string("x"))]))
        #expect(one.error?.message == "at most 30 custom attributes with a value, got 31")
        #expect(bench.call(.attributes([("k01", nil), ("k31", .string("x"))])).isDone)
        let two = bench.call(
            .attributes([
                ("k02", nil), ("k03", nil), ("k32", .string("x")), ("k33", .string("x")),
                ("k34", .string("x")),
            ]))
        #expect(two.code == 3001)
        #expect(two.error?.message == "at most 30 custom attributes with a value, got 31")
        let attributes = bench.device.profileRecord?.profile.customAttributes
        #expect(attributes?["k02"] == .string("v"))
        #expect(attributes?["k07"] == .string("new"))
        #expect(attributes?["k32"] == nil)
        #expect(attributes?.count == 30)
    }

    @Test("PRO-9 PRO-20 PL-15 field case 7: numbers and texts keep their type, in any order")
    func fieldCase7() {
        let big = Double(9_007_199_254_740_993 as Int64)
        let first: [(String, AttributeValue?)] = [
            ("cost", .number(120)), ("cost2", .number(120.5)), ("year", .string("2026")),
            ("big", .number(big)), ("neg", .number(-0.0)),
        ]
        let second: [(String, AttributeValue?)] = [
            ("cost", .string("120")), ("cost2", .string("120.5")), ("year", .number(2026)),
            ("big", .string("big")), ("neg", .string("-0")),
        ]
        for changes in [first, first.reversed()] {
            var bench = activated()
            bench.call(.attributes(changes))
            let attributes = bench.device.profileRecord?.profile.customAttributes
            #expect(attributes?.count == 5)
            #expect(attributes?["big"] == .number(9_007_199_254_740_992))
            #expect(attributes?["year"] == .string("2026"))
            let subject = SegmentSubject(
                record: bench.device.profileRecord
                    ?? ProfileRecord(profile: Profile(profileID: "")),
                facts: DeviceFacts(bench.device.configuration))
            let condition = SegmentCondition(
                attribute: "custom:year", operand: .greaterOrEqual(2020))
            let audience = Samples.audience("x", versionID: "v", [condition], variations: [])
            #expect(PreparedSegments([audience]).firstMatch(subject, mayJoin: false) == nil)
            bench.call(.attributes(second))
            let exchanged = bench.device.profileRecord?.profile.customAttributes
            #expect(exchanged?["year"] == .number(2026))
            #expect(exchanged?["cost"] == .string("120"))
            #expect(exchanged?.count == 5)
        }
    }

    @Test("PRO-10 PRO-11 field case 9: reserved names of other SDKs are refused, naming the key")
    func fieldCase9() {
        var bench = activated()
        let dollar = bench.call(.attributes([("$email", .string("a@b.example"))]))
        #expect(dollar.error?.message.contains("\"$email\"") == true)
        #expect(bench.call(.attributes([("user.plan", .string("x"))])).isDone)
        #expect(bench.call(.attributes([("user plan", .string("x"))])).code == 3001)
        let invisible = bench.call(.attributes([("plan\u{200b}", .string("x"))]))
        #expect(invisible.error?.message.contains("\"plan\\u{200B}\"") == true)
    }

    @Test("PRO-2 PRO-20 PRO-22 field case 11: a later update resets nothing")
    func fieldCase11() {
        var bench = activated()
        bench.call(
            .update {
                $0.firstName = "Ann"
                $0.customAttributes = [AttributeChange(key: "a", value: .string("1"))]
            })
        bench.call(.attributes([("b", .number(2))]))
        bench.call(.update { _ in })
        bench.call(.update { $0.firstName = "   " })
        #expect(bench.device.profileRecord?.firstName == "Ann")
        #expect(
            bench.device.profileRecord?.profile.customAttributes
                == ["a": .string("1"), "b": .number(2)])
    }

    @Test(
        "PRO-14 PRO-19 PRO-21 removing takes the attribute out of the profile, twice is no change")
    func removal() {
        var bench = activated()
        bench.call(.attributes([("a", .number(1))]))
        #expect(bench.call(.attributes([("a", nil)])).callbacks.count == 1)
        #expect(bench.device.profileRecord?.profile.customAttributes.isEmpty == true)
        let again = bench.call(.attributes([("a", .string("  "))]))
        #expect(again.isDone)
        #expect(again.callbacks.isEmpty)
    }

    @Test("PRO-29 PRO-5 the age is reckoned on the day of the device")
    func ageInZone() {
        // 2026-06-14T20:00Z is the 15th five and a half hours east of UTC already.
        let now = Instant(ms: 1_781_467_200_000)
        for (minutes, age) in [(0, 35), (330, 36)] as [(Int64, Int32)] {
            var bench = Bench("phone", zone: .fixed(minutes: minutes), now: now)
            bench.call(.activate(Activation()))
            bench.call(.update { $0.birthday = "1990-06-15" })
            #expect(bench.device.profileRecord?.age == age)
        }
    }

    private func activated(user: String = "") -> Bench {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: user)))
        return bench
    }
}
