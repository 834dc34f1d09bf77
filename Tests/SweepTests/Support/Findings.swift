import Testing

/// What a sweep has found: recorded as issues, or collected by a control, which wants some.
final class Findings {
    private let isCollecting: Bool
    private(set) var faults: [String] = []

    init(isCollecting: Bool = false) { self.isCollecting = isCollecting }

    func add(_ fault: String) {
        if isCollecting { faults.append(fault) } else { Issue.record("\(fault)") }
    }

    /// Runs a sweep without one of its guards and wants it to find something.
    static func expectSome(_ name: String, _ sweep: (Findings) throws -> Void) rethrows {
        let findings = Findings(isCollecting: true)
        try sweep(findings)
        #expect(!findings.faults.isEmpty, "\(name): nothing seen")
        print("control, \(name): \(findings.faults.count) seen: \(findings.faults.first ?? "none")")
    }
}
