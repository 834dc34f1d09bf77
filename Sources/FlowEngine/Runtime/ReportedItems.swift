/// The options that a choice reports, in the order of the builder (IN-54).
///
/// It points into the tables of the document: for a choice of up to 64 options, making one
/// allocates nothing.
public struct ReportedItems: Sendable {
    private let options: OptionTexts
    /// A bit for each of the first 64 options.
    private let word: UInt64

    /// The options whose bits are set.
    init(_ options: OptionTexts, word: UInt64, furtherWords: [UInt64] = []) {
        self.options =
            furtherWords.isEmpty ? options : OptionTexts(options, furtherWords: furtherWords)
        self.word = word
    }

    /// Every option of a list of ids and titles, which are as many.
    public init(ids: [String], titles: [String]) {
        precondition(ids.count == titles.count, "each id has a title")
        let ones = Array(repeating: UInt64.max, count: ids.count / 64)
        self.init(OptionTexts(ids: ids, titles: titles), word: .max, furtherWords: ones)
    }

    /// Element IDs.
    public var ids: Texts { Texts(items: self, areTitles: false) }

    /// Titles, one for each id (IN-57, IN-58).
    public var titles: Texts { Texts(items: self, areTitles: true) }

    private func contains(_ option: Int) -> Bool {
        let bits = option < 64 ? word : options.furtherWords[option / 64 - 1]
        return bits & (1 << UInt64(option % 64)) != 0
    }

    /// The ids or the titles, without a list of their own. Indices are places of options.
    public struct Texts: BidirectionalCollection, Sendable {
        fileprivate let items: ReportedItems
        fileprivate let areTitles: Bool

        /// The first option that is reported.
        public var startIndex: Int { next(from: 0) }
        /// One past the last option of the choice.
        public var endIndex: Int { items.options.ids.count }
        /// The next option that is reported.
        public func index(after place: Int) -> Int { next(from: place + 1) }
        /// The option before that is reported.
        public func index(before place: Int) -> Int {
            var before = place - 1
            while !items.contains(before) { before -= 1 }
            return before
        }
        /// The text of an option.
        public subscript(place: Int) -> String {
            areTitles ? items.options.titles[place] : items.options.ids[place]
        }

        private func next(from place: Int) -> Int {
            var next = place
            while next < endIndex && !items.contains(next) { next += 1 }
            return next
        }
    }
}

extension ReportedItems: Equatable {
    /// Whether both list the same ids and titles.
    public static func == (a: ReportedItems, b: ReportedItems) -> Bool {
        a.ids.elementsEqual(b.ids) { $0.isExactly($1) }
            && a.titles.elementsEqual(b.titles) { $0.isExactly($1) }
    }
}

/// What the options of a choice are reported as, for all of its sessions.
final class OptionTexts: Sendable {
    let ids: [String]
    let titles: [String]
    /// Which of the options after the first 64 are reported, 64 in each word. Kept here, and not
    /// with the first 64: so a report is one reference to pass on, and few choices are so long.
    let furtherWords: [UInt64]

    init(ids: [String], titles: [String]) {
        self.ids = ids
        self.titles = titles
        furtherWords = []
    }

    /// The same texts, with some of those after the first 64 reported.
    init(_ texts: OptionTexts, furtherWords: [UInt64]) {
        ids = texts.ids
        titles = texts.titles
        self.furtherWords = furtherWords
    }
}
