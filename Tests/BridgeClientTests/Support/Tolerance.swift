/// How much later than promised things may be, and how that is measured.
enum Tolerance {
    /// A call returns by its deadline plus this.
    static let call = Duration.milliseconds(100)

    /// The shortest of several runs: on a busy machine one run tells little about a promise.
    static func shortest(
        of runs: Int = 20, enough: Duration, _ work: () async throws -> Void
    ) async rethrows -> Duration {
        var shortest = Duration.seconds(3_600)
        for _ in 0..<runs where shortest >= enough {
            let start = ContinuousClock.now
            try await work()
            shortest = min(shortest, ContinuousClock.now - start)
        }
        return shortest
    }
}
