/// A story as one HTML page that needs nothing else: no network, no other file.
struct ReportPage {
    let story: SessionStory
    /// The device, or the view of it.
    let subject: String
    let isValueHidden: Bool
    /// What was left out, in words; empty: nothing.
    let note: String

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>Session of \(subject.escaped)</title>
        <style>
        \(ReportStyle.css)
        </style>
        </head>
        <body>
        <a class="skip" href="#timeline">To the timeline</a>
        <header>
        <h1>Session of <bdi>\(subject.escaped)</bdi></h1>
        <p class="facts">\(facts)</p>
        \(remarks)
        </header>
        <form class="filter" aria-label="Filter" hidden>
        <fieldset>
        <legend>Show</legend>
        \(SessionStory.Topic.allCases.map(choice).joined(separator: "\n"))
        </fieldset>
        <label class="search">Find <input type="search" name="find" autocomplete="off"></label>
        \(viewChoice)
        <p class="shown" role="status"></p>
        </form>
        <main id="timeline">
        \(story.chapters.enumerated().map(chapter).joined(separator: "\n"))
        </main>
        <script>
        \(ReportStyle.script)
        </script>
        </body>
        </html>

        """
    }

    private var facts: String {
        let entries = story.chapters.flatMap(\.entries)
        guard let first = entries.first, let last = entries.last else { return "No events." }
        let events = entries.count == 1 ? "1 event" : "\(entries.count) events"
        return "\(events), <time>\(first.time.escaped)</time> to "
            + "<time>\(last.time.escaped)</time>, \(first.zone.escaped)"
    }

    private var remarks: String {
        var lines: [String] = []
        if isValueHidden {
            lines.append("What the user typed and chose, and attributes of profiles, are hidden.")
        }
        if !note.isEmpty { lines.append(note.escaped) }
        return lines.map { "<p class=\"remark\">\($0)</p>" }.joined(separator: "\n")
    }

    private func choice(_ topic: SessionStory.Topic) -> String {
        let count = story.count(of: topic)
        guard count > 0 else { return "" }
        return "<label><input type=\"checkbox\" name=\"topic\" value=\"\(topic)\" checked> "
            + "<span class=\"badge \(topic)\">\(topic.rawValue)</span> \(count)</label>"
    }

    private var viewChoice: String {
        guard story.views.count > 1 else { return "" }
        let options = story.views.map { view in
            "<option value=\"\(view.id.escaped)\">\(view.placement.escaped) "
                + "(\(view.id.prefix(8).description.escaped))</option>"
        }
        return "<label>View <select name=\"view\"><option value=\"\">all</option>"
            + options.joined() + "</select></label>"
    }

    private func chapter(_ place: Int, _ chapter: SessionStory.Chapter) -> String {
        let title = chapter.title.isEmpty ? "Before a screen" : chapter.title
        let placement =
            chapter.placement.isEmpty ? "" : " <span>\(chapter.placement.escaped)</span>"
        return """
            <section aria-labelledby="chapter-\(place)">
            <h2 id="chapter-\(place)"><bdi>\(title.escaped)</bdi>\(placement)</h2>
            <ol>
            \(chapter.entries.map(entry).joined(separator: "\n"))
            </ol>
            </section>
            """
    }

    private func entry(_ entry: SessionStory.Entry) -> String {
        let since = entry.sinceMs.map { "+\($0.span)" } ?? ""
        let details =
            entry.line.details.isEmpty
            ? "" : " <span class=\"details\"><bdi>\(entry.line.details.escaped)</bdi></span>"
        return """
            <li class="\(entry.topic)" data-topic="\(entry.topic)" data-view="\(entry.view.escaped)">
            <time title="\(entry.time.escaped) \(entry.zone.escaped)">\(clock(entry.time))</time>
            <span class="since">\(since)</span>
            <span class="badge \(entry.topic)">\(entry.topic.rawValue)</span>
            <p class="told"><code>\(entry.line.name.escaped)</code>\(details)</p>
            <details><summary>Event \(entry.sequence)</summary>
            <pre tabindex="0">\(entry.json.escaped)</pre></details>
            </li>
            """
    }

    /// The time of day out of a moment.
    private func clock(_ moment: String) -> String {
        (moment.split(separator: " ").last.map(String.init) ?? moment).escaped
    }
}

extension Int64 {
    /// `0 ms`, `1.2 s`, `3 min`, `2 h`, `5 d`.
    fileprivate var span: String {
        switch self {
        case ..<1_000: "\(self) ms"
        case ..<60_000: "\(self / 1_000).\(self % 1_000 / 100) s"
        case ..<3_600_000: "\(self / 60_000) min"
        case ..<86_400_000: "\(self / 3_600_000) h"
        default: "\(self / 86_400_000) d"
        }
    }
}

extension String {
    /// For text and for attributes in double quotes.
    fileprivate var escaped: String { xmlEscaped }
}
