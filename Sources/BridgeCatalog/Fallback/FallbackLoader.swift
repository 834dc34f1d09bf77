/// A fallback file that was read and whose `meta` was checked, on its way to a `LoadedFallback`.
public struct CheckedFallback: Sendable {
    let text: FallbackText

    /// Bytes of the file.
    public var byteCount: Int { text.bytes.count }
}

/// Reads fallback files (PL-70 to PL-76).
public enum FallbackLoader {
    /// Reads the file at an absolute path, as it is now.
    ///
    /// Bounds: `CatalogLimits.fallbackBytesMax`.
    /// Blocking: yes, for the disk, and about a millisecond for each megabyte.
    /// - Throws: see `FallbackFault`.
    public static func load(path: String) throws(FallbackFault) -> CheckedFallback {
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .notLocal(
                "\(path.shown) is not a local file: give its absolute path, as the broker sees it")
        }
        let bytes: [UInt8]
        do throws(RegularFile.Fault) {
            bytes = try RegularFile.read(path, bytesMax: CatalogLimits.fallbackBytesMax)
        } catch {
            switch error {
            case .system(let text):
                throw .broken(
                    "cannot read \(path.shown): \(text); the broker's user needs to read it")
            case .notRegular: throw .broken("\(path.shown) is no regular file")
            case .oversize(let count): throw oversize(count)
            }
        }
        return try load(bytes)
    }

    /// Takes the bytes of a file.
    ///
    /// - Throws: see `FallbackFault`.
    public static func load(_ bytes: [UInt8]) throws(FallbackFault) -> CheckedFallback {
        guard bytes.count <= CatalogLimits.fallbackBytesMax else { throw oversize(bytes.count) }
        return CheckedFallback(text: try FallbackText(bytes))
    }

    private static func oversize(_ count: Int) -> FallbackFault {
        .oversize(
            "a fallback file of \(count) bytes; at most \(CatalogLimits.fallbackBytesMax) are read: "
                + "leave out placements that are not needed")
    }
}
