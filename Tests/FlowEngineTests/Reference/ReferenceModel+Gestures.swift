extension Reference.Model {
    typealias Fault = Reference.Fault

    /// A gesture on the screen in control; empty: it was possible (GEN-6, IN-92).
    mutating func gesture(_ step: Reference.Step) -> Set<Fault> {
        guard isShown, !isInBackground else { return [.wrongState] }
        switch step {
        case .focus(let name): return focus(on: name)
        case .enter(let name, let text): return enter(text, in: name)
        case .clear(let name): return enter("", in: name)
        case .blur:
            guard focus != nil else { return [.wrongState] }
            leave()
        case .openPicker(let name): return openPicker(name)
        case .pick(let day, let time): return pick(day, time)
        case .closePicker:
            guard open != nil else { return [.wrongState] }
            leave()
        case .tapOption(let name, let option): return tapOption(option, of: name)
        case .tapToggle(let name): return tapToggle(name)
        case .tapButton(let name): return tapButton(name)
        case .selectProduct(let name, let id): return selectProduct(id, of: name)
        case .switchTab(let name, let tab): return switchTab(tab, of: name)
        case .goBack:
            guard canGoBack(in: topNavigator) else { return [.wrongState] }
            goBack(in: topNavigator)
        case .tapOutside: leave()
        default: break
        }
        return []
    }

    /// What gestures call the parts of a list: the ID if it names one alone, else its place.
    static func names(_ ids: [String?]) -> [String] {
        ids.enumerated().map { place, id in
            guard let id, !isBlank(id), ids.filter({ isSame($0, id) }).count == 1,
                !(id.hasPrefix("#") && id.count > 1 && id.dropFirst().allSatisfy(\.isASCIIDigit))
            else { return "#\(place)" }
            return id
        }
    }

    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// Code point by code point (GEN-4, IN-66).
    static func isSame(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.utf8.elementsEqual(b.utf8)
    }

    static func place(of name: String, in ids: [String?]) -> Int? {
        names(ids).firstIndex { isSame($0, name) }
    }

    func place(of name: String, on screen: Reference.Screen) -> Int? {
        names[screen.id]?.firstIndex { Self.isSame($0, name) }
    }

    /// The enabled element of that name on the screen in control.
    func find(_ name: String) -> (spot: Reference.Spot, kind: Reference.Kind)? {
        let screen = topScreen
        guard let place = place(of: name, on: screen), screen.elements[place].isEnabled else {
            return nil
        }
        return (Reference.Spot(screen: screen.id, place: place), screen.elements[place].kind)
    }

    /// Why `find` found nothing that serves.
    func faults(_ name: String) -> Set<Fault> {
        [place(of: name, on: topScreen) == nil ? .notFound : .wrongState]
    }

    private mutating func focus(on name: String) -> Set<Fault> {
        guard case (let spot, .field)? = find(name) else { return faults(name) }
        if focus?.spot == spot { return [] }
        leave()
        focus = (spot, false)
        return []
    }

    private mutating func enter(_ text: String, in name: String?) -> Set<Fault> {
        if let name {
            guard case .field? = find(name)?.kind else { return faults(name) }
        }
        guard let focus, case .field(let field)? = element(focus.spot)?.kind,
            name == nil || find(name ?? "")?.spot == focus.spot
        else { return [.wrongState] }
        if text.utf8.count > 32 * 1024 { return [.limitExceeded] }
        if text.unicodeScalars.contains(where: { !field.takes($0) }) { return [.invalidArgument] }
        var accepted = text
        if let max = field.maxLength { accepted = String(text.prefix(max)) }
        let former = texts[focus.spot] ?? ""
        if !accepted.isEmpty, let pattern = field.pattern, !pattern.accepts(accepted) {
            accepted = former
        }
        if Self.isSame(accepted, former) { return [] }
        texts[focus.spot] = accepted
        self.focus = (focus.spot, true)
        return []
    }

    private mutating func openPicker(_ name: String) -> Set<Fault> {
        guard case (let spot, .picker)? = find(name) else { return faults(name) }
        if open?.spot == spot { return [] }
        leave()
        open = (spot, instants[spot])
        return []
    }

    private mutating func tapOption(_ name: String, of group: String) -> Set<Fault> {
        guard case (let spot, .choice(let choice))? = find(group) else { return faults(group) }
        guard let option = Self.place(of: name, in: choice.options.map(\.id)) else {
            return [.notFound]
        }
        guard choice.options[option].isEnabled else { return [.wrongState] }
        var selected = selections[spot] ?? []
        if !choice.isMultiple {
            selected = [option]
        } else if selected.contains(option) {
            selected.remove(option)
        } else if let max = choice.maxSelected, selected.count >= max {
            return []
        } else {
            selected.insert(option)
        }
        selections[spot] = selected
        let options = selected.sorted().map { choice.options[$0] }
        report(
            spot, choice.isMultiple ? "multi_choice" : "single_choice",
            "\(options.map { $0.id ?? "" }) \(options.map(\.reportedTitle))")
        return []
    }

    private mutating func tapToggle(_ name: String) -> Set<Fault> {
        guard case (let spot, .toggle)? = find(name) else { return faults(name) }
        let isOn = !(switches[spot] ?? false)
        switches[spot] = isOn
        report(spot, "toggle", "\(isOn)")
        return []
    }

    private mutating func tapButton(_ name: String) -> Set<Fault> {
        guard case (_, .button(let actions))? = find(name) else { return faults(name) }
        if actions == [.back], !canGoBack(in: topNavigator) { return [.wrongState] }
        run(actions, in: topNavigator)
        return []
    }

    private mutating func selectProduct(_ id: String, of name: String) -> Set<Fault> {
        guard case (let spot, .products(let ids, _))? = find(name) else { return faults(name) }
        guard let place = Self.place(of: id, in: ids) else { return [.notFound] }
        guard flow.products.contains(id) else { return [.wrongState] }
        chosen[spot] = place
        lines.append("product \(id)")
        return []
    }

    private mutating func switchTab(_ id: String, of name: String) -> Set<Fault> {
        guard case (let spot, .tabs(let ids))? = find(name) else { return faults(name) }
        guard let place = Self.place(of: id, in: ids) else { return [.notFound] }
        chosen[spot] = place
        return []
    }
}

extension Reference.Option {
    /// IN-57, IN-58.
    var reportedTitle: String {
        for text in [title, texts[0]] {
            if let text, !Reference.Model.isBlank(text) { return text }
        }
        return id ?? ""
    }
}

extension Reference.Field {
    /// GEN-13, IN-32.
    func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 10, 11, 12, 13, 0x85, 0x2028, 0x2029: isMultiline
        case 0...31, 0x7F...0x9F: false
        default: true
        }
    }
}

extension Reference.Pattern {
    /// Whether its first match is the whole text (IN-30).
    func accepts(_ text: String) -> Bool {
        switch self {
        case .digits: text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
        case .short:
            text.unicodeScalars.count <= 4
                && text.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || $0 == "ü" }
        case .first: text == "a"
        case .broken: true
        }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
