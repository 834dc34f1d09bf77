import BridgeTesting
import Testing

@Test func aUserRegisters() async throws {
    let phone = try await TestPhone()
    try await phone.show("onboarding")
    try await phone.type("Jane", into: "name")
    try await phone.tap("next")
    try await phone.choose("pro", of: "experience")
    try await phone.tap("next")
    try await phone.tap("done")
    #expect(await phone.story().last == "flow_did_disappear")
    #expect(await phone.inputs["name"] == .string("Jane"))
}
