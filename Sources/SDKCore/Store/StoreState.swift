/// What a device knows of the simulated store.
struct StoreState: Sendable {
    var conditions = StoreConditions()
    var account = StoreAccount()
}
