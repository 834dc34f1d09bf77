import CSystemFaults
import Foundation
import Testing

/// Fails the first, the second, … system call of each kind in each step of a start.
@Suite("A system call of the start that fails is told, and nothing is left of it")
struct StartCallTests {
    @Test("each step of a start, alone", arguments: StartStep.all)
    func step(_ step: StartStep) async throws {
        let folder = try SweepFolder()
        let sweep = await onOwnThread { StartSweep(step, in: folder.path) }
        for fault in sweep.faults { Issue.record("\(fault)") }
        print("\(step.testDescription): \(sweep.cases) cases: \(sweep.refused) told")
        fflush(nil)
        #expect(sweep.cases > 0)
    }
}

/// What came of a sweep over one step.
struct StartSweep: Sendable {
    private(set) var cases = 0
    private(set) var refused = 0
    private(set) var faults: [String] = []

    init(_ step: StartStep, in folder: String, without guards: fb_guard = FB_GUARD_NONE) {
        for kind in faultKinds {
            var n: UInt64 = 1
            while n < 500, run(step, kind, n, in: folder, without: guards) { n += 1 }
        }
    }

    /// False when the n-th call was not reached.
    private mutating func run(
        _ step: StartStep, _ kind: fb_fault_kind, _ n: UInt64, in folder: String,
        without guards: fb_guard
    ) -> Bool {
        let place = "\(folder)/\(kind.rawValue)-\(n)"
        try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        var found: [String] = []
        fb_faults_begin(kind, n, 1)
        fb_faults_without(guards)
        let refusal = step.run(place, &found)
        let met = fb_faults_met().map { String(cString: $0) }
        let left = fb_faults_descriptors()
        fb_faults_end()
        // A passed socket was not made here, but is closed here once it is taken over.
        let expected: Int64 = step.testDescription == "a passed socket" && refusal == nil ? -1 : 0
        if left != expected { found.append("\(left) descriptors are left open") }
        if let refusal { found += judge(step, kind, refusal, met) }
        if step.testDescription == "a private socket", !step.leaves.contains(met ?? ""),
            !(FileManager.default.subpaths(atPath: place) ?? []).isEmpty
        {
            found.append("its folder is left")
        }
        faults += found.map {
            "\(step.testDescription), \(kind.name), call \(n) (\(met ?? "none")): \($0)"
        }
        guard met != nil else { return false }
        cases += 1
        if refusal != nil { refused += 1 }
        return true
    }

    private func judge(
        _ step: StartStep, _ kind: fb_fault_kind, _ refusal: StepRefusal, _ met: String?
    ) -> [String] {
        var found: [String] = []
        let reason = String(cString: strerror(fb_fault_error(kind)))
        if !refusal.text.contains(reason) { found.append("it does not say why: \(refusal.text)") }
        if refusal.isLasting { found.append("taken for what stays: \(refusal.text)") }
        if met == nil || softKinds.contains(kind) && !step.tells.contains(kind) {
            found.append("refused: \(refusal.text)")
        }
        return found
    }
}
