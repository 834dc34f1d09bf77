import BridgeCatalog
import BridgeProtocol
import SDKCore

/// The fallback files that devices have in force. Devices that set the same bytes share them.
///
/// Bounds: `Limits.fallbackFileBytesMax`, over all of them.
struct FallbackFiles {
    private struct Entry {
        weak var file: LoadedFallback?
    }

    private var entries: [Entry] = []
    private let bytesMax: UInt64
    /// Those that records of the store name.
    var stored: [StoredFallback] = []

    init(limits: Limits) {
        bytesMax = limits.fallbackFileBytesMax
    }

    /// Bytes of the files that some device still has.
    var byteCount: Int {
        entries.reduce(0) { $0 + ($1.file?.byteCount ?? 0) }
    }

    /// The file of these bytes, which is kept as long as somebody holds it; LIMIT_EXCEEDED when
    /// there is no room for a further one.
    mutating func file(_ checked: CheckedFallback) -> Result<any FallbackFile, DeviceFault> {
        entries.removeAll { $0.file == nil }
        if let same = entries.lazy.compactMap(\.file).first(where: { $0.hasSameText(as: checked) })
        {
            return .success(same)
        }
        guard UInt64(byteCount + checked.byteCount) <= bytesMax else {
            return .failure(
                .limitExceeded(
                    "fallbackFileBytesMax: the fallback files of all devices have \(byteCount) "
                        + "bytes, \(checked.byteCount) more came, at most \(bytesMax); close "
                        + "devices or set smaller files", field: "set_fallback"))
        }
        let file = LoadedFallback(checked)
        add(file)
        return .success(file)
    }

    /// Counts a file that is in force already.
    mutating func add(_ file: LoadedFallback) {
        entries.append(Entry(file: file))
    }
}
