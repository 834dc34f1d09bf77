/// Options of the verbs that watch and measure.
struct WatchingArguments {
    /// Of a capture; nil: by the name of the file.
    var format: String?
    /// Which side bare frames come from: client or broker.
    var side: String?
    var isHex = false
    /// Requests on their way at a time.
    var depth: Int?
    /// The socket has to be there first.
    var waitsForSocket = false
    /// Errors that count as success, by name or SDK code.
    var graceful: [String] = []
    /// How long a measurement takes.
    var duration: Duration?
}
