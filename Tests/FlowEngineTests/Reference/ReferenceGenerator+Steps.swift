extension Reference.Generator {
    /// What the finger or the system does next, mostly something that is possible.
    mutating func step(_ model: Reference.Model) -> Reference.Step {
        guard model.isShown else { return random.chance(90) ? .present : around(model) }
        if model.isInBackground { return random.chance(70) ? .foreground : around(model) }
        if random.chance(8) { return around(model) }
        if model.focus != nil, random.chance(45) { return typing() }
        if model.open != nil, random.chance(45) { return picking(model) }
        let screen = model.topScreen
        let place = random.number(0...screen.elements.count - 1)
        let known = model.names[screen.id]?[place] ?? ""
        let name = random.chance(96) ? known : random.one(of: ["gone", "#9", ""])
        return tap(random.chance(95) ? screen.elements[place].kind : .toggle(true), name)
    }

    private mutating func around(_ model: Reference.Model) -> Reference.Step {
        switch random.number(0...10) {
        case 0, 1: .background
        case 2: .foreground
        case 3: .dismiss
        case 4: .present
        case 5, 6: .wait(ms: Int64(random.number(0...5_000)))
        case 7, 8: .goBack
        case 9: .blur
        default: .closePicker
        }
    }

    private mutating func typing() -> Reference.Step {
        switch random.number(0...9) {
        case 0...4: .enter(nil, random.one(of: Self.texts))
        case 5: .clear(nil)
        case 6: .enter(nil, random.one(of: ["a\nb", "\u{7}", "x\u{2028}"]))
        case 7: .tapOutside
        default: .blur
        }
    }

    private mutating func picking(_ model: Reference.Model) -> Reference.Step {
        guard random.chance(70), let open = model.open,
            case .picker(let picker)? = model.element(open.spot)?.kind
        else { return random.chance(80) ? .closePicker : .tapOutside }
        let hasDay = picker.type != "time_picker"
        let hasTime = picker.type != "date_picker"
        var day = hasDay ? someDay() : nil
        var time = hasTime ? someTime() : nil
        if hasDay && hasTime && random.chance(40) {
            if random.chance(50) { day = nil } else { time = nil }
        }
        if random.chance(3) { day = someDay() }
        if random.chance(3) { time = someTime() }
        return .pick(day, time)
    }

    private mutating func tap(_ kind: Reference.Kind, _ name: String) -> Reference.Step {
        switch kind {
        case .field:
            if random.chance(90) { return .focus(name) }
            return .enter(name, random.one(of: Self.texts))
        case .picker: return .openPicker(name)
        case .choice(let choice):
            let names = Reference.Model.names(choice.options.map(\.id))
            return .tapOption(name, random.chance(97) ? random.one(of: names) : "gone")
        case .toggle: return .tapToggle(name)
        case .button: return .tapButton(name)
        case .products: return .selectProduct(name, random.one(of: ["p", "q", "r"]))
        case .tabs: return .switchTab(name, random.one(of: ["t0", "t1", "t2"]))
        }
    }
}
