extension Program {
    /// The verbs that drive flows, play what was driven, and tell of it.
    static var driving: [any Verb.Type] {
        [
            DriveVerb.self, RunVerb.self, RecordVerb.self, ReportVerb.self,
        ]
    }
}
