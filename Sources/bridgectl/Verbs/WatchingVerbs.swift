extension Program {
    /// The verbs that watch, measure and take apart what a broker does.
    static var watching: [any Verb.Type] {
        [
            InfoVerb.self, TopVerb.self, BenchVerb.self, WaitVerb.self, DiagnoseVerb.self,
            CatalogVerb.self, ShellVerb.self, CheatVerb.self, CompletionVerb.self,
            MetricsVerb.self, CaptureVerb.self, DecodeVerb.self, EncodeVerb.self, ReplayVerb.self,
        ]
    }
}
