/// What the loader takes at most; beyond it is a fault, never a crash.
public enum CatalogLimits {
    /// Bytes of one file: 64 MiB.
    public static let fileBytesMax = 64 * 1024 * 1024
    /// Nesting of objects and arrays in one file. A file with 64 levels is read.
    public static let depthMax = 64
    /// Files of one catalog.
    public static let filesMax = 10_000
    /// Locales of one flow or onboarding.
    public static let localesMax = 1_000
    /// Characters of a value that a message shows; the rest is cut.
    public static let shownCharactersMax = 60
    /// Bytes of a fallback file: 64 MiB.
    public static let fallbackBytesMax = 64 * 1024 * 1024
    /// Nesting of objects and arrays in a fallback file, whose documents may be the builder's own.
    public static let fallbackDepthMax = 512
    /// Placements and, apart from them, documents of one fallback file that are kept parsed; the
    /// oldest goes.
    public static let fallbackParsedMax = 64
}
