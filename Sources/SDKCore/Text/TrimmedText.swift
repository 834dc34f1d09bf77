extension String {
    /// Without Unicode white space and line ends at both ends (GEN-5). U+200B is neither.
    func trimmed() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let end = scalars.index(after: last)
        if first == scalars.startIndex && end == scalars.endIndex { return self }
        return String(scalars[first..<end])
    }

    /// As it may stand in an error message: code points that do not show are spelled out, and
    /// what follows the 128th one is cut.
    func readable() -> String {
        var result = ""
        for (place, scalar) in unicodeScalars.enumerated() {
            if place == 128 { return result + "…" }
            if scalar.isVisible {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a reader can see that it is there.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            return false
        case .spaceSeparator:
            return self == " "
        default:
            return true
        }
    }
}
