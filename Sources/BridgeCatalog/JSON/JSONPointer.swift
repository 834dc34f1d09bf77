/// A place in a JSON text, from the root down.
final class JSONPointer {
    private let parent: JSONPointer?
    private let step: String
    /// Which child of the parent it is, from 0, in the order of the text.
    private let place: Int

    /// Makes the place of the member `key`, which is the `place`-th of its object.
    init(parent: JSONPointer?, key: String, place: Int) {
        self.parent = parent
        self.step = key
        self.place = place
    }

    /// Makes the place of an array's item.
    convenience init(parent: JSONPointer?, index: Int) {
        self.init(parent: parent, key: String(index), place: index)
    }

    /// RFC 6901: `~` and `/` in names are written `~0` and `~1`.
    var text: String {
        var escaped = ""
        for scalar in step.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return (parent?.text ?? "") + "/" + escaped
    }

    /// Its place among its siblings, and those of its parents before: sorts in reading order.
    var places: [Int] { (parent?.places ?? []) + [place] }
}
