extension Program {
    /// The verbs that watch, measure and take apart what a broker does.
    static var watching: [any Verb.Type] {
        [
            MetricsVerb.self
        ]
    }
}
