import BridgeCatalog
import BridgeProtocol

/// `set_fallback`: the app's fallback file, also before `activate` (PL-70 to PL-73).
///
/// The file is read and checked on the worker thread. Calls of the device that come to need it wait
/// for that; all others go on, and so does everybody else.
enum SetFallbackHandler {
    /// - Throws: INVALID_ARGUMENT without a source; later 3001 for what is no local file, 2006 for
    ///   one that cannot be read or is broken, LIMIT_EXCEEDED for one that is too large. Then the
    ///   former file stays.
    static func handle(_ request: SetFallbackRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        switch request.source {
        case .path(let path):
            try context.broker.readFallback({ load(path: path) }, in: context)
        case .content(let bytes):
            try context.broker.readFallback({ load(bytes) }, in: context)
        case nil:
            throw BridgeError(
                .invalidArgument,
                "no file is given: path names one, content has its bytes", field: "set_fallback")
        }
        return .later
    }

    private static func load(path: String) -> Result<CheckedFallback, FallbackFault> {
        Result { () throws(FallbackFault) in try FallbackLoader.load(path: path) }
    }

    private static func load(_ bytes: [UInt8]) -> Result<CheckedFallback, FallbackFault> {
        Result { () throws(FallbackFault) in try FallbackLoader.load(bytes) }
    }
}
