/// What the backend learns of a device with each fetch (PL-18, PL-19, PL-81).
struct DeviceFacts: Sendable, Equatable {
    /// Two lower-case letters; empty: missing.
    let language: String
    /// Upper case; empty: missing.
    let country: String
    let platform: String
    let appVersion: String
    let osVersion: String

    init(_ configuration: DeviceConfiguration) {
        let tags = configuration.locale.split(whereSeparator: { $0 == "-" || $0 == "_" })
        language = Self.language(tags)
        country = Self.country(tags)
        platform = configuration.platform
        appVersion = configuration.appVersion
        osVersion = configuration.osVersion
    }

    private static func language(_ tags: [Substring]) -> String {
        guard let first = tags.first, first.utf8.count == 2 else { return "" }
        return first.lowercased()
    }

    /// The region of a BCP 47 tag: two letters or three digits, before any extension.
    private static func country(_ tags: [Substring]) -> String {
        for tag in tags.dropFirst() {
            let bytes = tag.utf8
            if bytes.count == 1 { break }
            if bytes.count == 2 && tag.allSatisfy(\.isLetter) { return tag.uppercased() }
            if bytes.count == 3 && tag.allSatisfy(\.isNumber) { return String(tag) }
        }
        return ""
    }
}
