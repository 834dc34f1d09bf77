import BridgeProtocol
import Testing

@Suite("The backend has room for so many profiles")
struct ProfileLimitTests {
    private func identify(_ user: String) -> ClientFrame.Body {
        .identify(with(IdentifyRequest()) { $0.customerUserId = user })
    }

    @Test(
        "profilesMax: as many as allowed, and not one more; what makes none goes on",
        arguments: Wire.allCases)
    func profilesMax(wire: Wire) throws {
        var limits = Limits()
        limits.profilesMax = 2
        let broker = TestBroker.start(wire, TestSetup(limits: limits))
        let clients = try ["a", "b", "c"].map { name in
            let client = try broker.client(wire.mode)
            try client.openDevice(name, manualAtMs: 0)
            return client
        }
        let (a, b, c) = (clients[0], clients[1], clients[2])
        try a.activate()
        try b.activate()
        let profile = try a.profile().profileId
        // An anonymous profile gets its name, and a known user comes on another device: no new one.
        try a.call(identify("jane"))
        try b.call(identify("jane"))
        #expect(try b.profile().profileId == profile)
        for (client, body) in [
            (c, .activate(ActivateRequest())), (a, identify("john")), (a, .logout(LogoutRequest())),
        ] as [(TestClient, ClientFrame.Body)] {
            let error = try client.refusal(body)
            #expect(error.code == .limitExceeded)
            #expect(error.message.holds(["profilesMax", "2"]))
        }
        #expect(try a.profile().profileId == profile)
        // A kept profile is taken up again, and a known user still comes in.
        try a.closeDevice()
        try a.openDevice("a", manualAtMs: 0)
        try a.activate()
        #expect(try a.profile().profileId == profile)
        try c.activate(customerUserID: "jane")
        #expect(try c.profile().profileId == profile)
    }
}
