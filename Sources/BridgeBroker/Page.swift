import BridgeProtocol

/// A slice of a list, as the `list_*` methods page: the token is the place of the first entry.
struct Page {
    let range: Range<Int>
    /// Empty at the end.
    let nextToken: String

    /// Cuts a page out of `count` entries.
    ///
    /// - Throws: INVALID_ARGUMENT for a token that no answer gave.
    init(size: UInt32, token: String, count: Int, limits: Limits, field: String)
        throws(BridgeError)
    {
        let start = token.isEmpty ? 0 : Int(token)
        guard let start, start >= 0 else { throw Self.tokenFault(token, field) }
        let length = Self.length(size, limits)
        let first = min(start, count)
        range = first..<first + min(length, count - first)
        nextToken = range.upperBound < count ? String(range.upperBound) : ""
    }

    /// Entries that a page of the asked size may have; 0 asks for as many as there may be.
    static func length(_ size: UInt32, _ limits: Limits) -> Int {
        let most = Int(limits.pageMax)
        return size == 0 ? most : min(Int(size), most)
    }

    /// The fault of a token that no answer gave; `field` names the request.
    static func tokenFault(_ token: String, _ field: String) -> BridgeError {
        BridgeError(
            .invalidArgument,
            "page_token \"\(token)\": give the next_page_token of the page before, or nothing",
            field: "\(field).page_token")
    }
}
