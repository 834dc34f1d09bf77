import CSystemFaults
import Testing

/// A guard of the project, and the sweep that has to see when it is missing.
struct SweepControl: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What the sweep's own check reports with the guard, or without it.
    let faults: @Sendable (_ isGuarded: Bool) throws -> [String]

    init(
        _ description: String,
        _ faults: @escaping @Sendable (_ isGuarded: Bool) throws -> [String]
    ) {
        testDescription = description
        self.faults = faults
    }

    /// Holds the sweep to both: silent with the guard, red without.
    func check() async throws {
        let control = self
        let found = await onOwnThread {
            Result { (try control.faults(true), try control.faults(false)) }
        }
        let (guarded, bare) = try found.get()
        #expect(guarded == [])
        #expect(!bare.isEmpty)
        print("control, \(testDescription): \(bare.first ?? "nothing seen")")
    }
}
