import Testing

extension Trait where Self == TimeLimitTrait {
    /// The one time-out of these tests: what takes longer hangs.
    static var shared: Self { .timeLimit(.minutes(1)) }
}

/// What an expression throws; records an issue when it throws nothing.
func error<Failure: Error, Value>(
    of work: () async throws(Failure) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async -> Failure? {
    do throws(Failure) {
        _ = try await work()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
