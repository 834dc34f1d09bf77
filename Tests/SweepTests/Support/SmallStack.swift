import Glibc
import Testing

/// Runs work on a thread with a stack of that many bytes and waits for its end.
///
/// The threads of the broker and of a client have 8 MiB (the default of Linux): what passes here
/// has room there.
func onStack<Value>(ofBytes bytes: Int, _ work: @escaping () throws -> Value) throws -> Value {
    let context = Context { try work() }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    try #require(pthread_attr_setstacksize(&attributes, bytes) == 0)
    var thread = pthread_t()
    let pointer = Unmanaged.passRetained(context).toOpaque()
    let started = pthread_create(
        &thread, &attributes,
        { pointer in
            guard let pointer else { return nil }
            Unmanaged<Context>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
        }, pointer)
    try #require(started == 0)
    pthread_join(thread, nil)
    return try #require(context.result as? Result<Value, any Error>).get()
}

private final class Context {
    private let work: () -> Any
    private(set) var result: Any?

    init<Value>(_ work: @escaping () throws -> Value) {
        self.work = { Result<Value, any Error> { try work() } }
    }

    func run() { result = work() }
}
