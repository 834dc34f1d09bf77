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
        guard let start, start >= 0 else {
            throw BridgeError(
                .invalidArgument,
                "page_token \"\(token)\": give the next_page_token of the page before, or nothing",
                field: "\(field).page_token")
        }
        let most = Int(limits.pageMax)
        let length = size == 0 ? most : min(Int(size), most)
        let first = min(start, count)
        range = first..<first + min(length, count - first)
        nextToken = range.upperBound < count ? String(range.upperBound) : ""
    }
}
