import BridgeProtocol

extension DriveModel {
    /// Takes a key; returns what it asks for.
    mutating func press(_ key: Key) -> [DriveAction] {
        fault = ""
        if key == .control("c") { return [.quit] }
        if key == .control("l") { return [.redraw] }
        if command != nil { return pressInCommand(key) }
        if dialog != nil { return pressInDialog(key) }
        if editing != nil { return pressInField(key) }
        if key == .control("d") { return [.quit] }
        if key == .control("o") {
            command = ""
            return []
        }
        return pressOnScreen(key)
    }

    private mutating func pressInCommand(_ key: Key) -> [DriveAction] {
        switch key {
        case .character(let text): command?.append(text)
        case .backspace where command?.isEmpty == true: command = nil
        case .backspace: command?.removeLast()
        case .control("u"): command = ""
        case .escape: command = nil
        case .enter:
            let line = command ?? ""
            command = nil
            do throws(DriveFault) {
                return try DriveCommand.read(line, self)
            } catch {
                fault = error.text
            }
        default: break
        }
        return []
    }

    private mutating func pressInField(_ key: Key) -> [DriveAction] {
        guard let element, let text = editing else { return [] }
        switch key {
        case .character(let typed): editing = text + typed
        case .backspace: editing = String(text.dropLast())
        case .control("u"): editing = ""
        case .enter, .tab, .down, .up, .backTab:
            editing = nil
            if key == .tab || key == .down { move(1) }
            if key == .backTab || key == .up { move(-1) }
            let entered = with(EnterTextGesture()) {
                $0.elementId = element.elementId
                $0.text = text
            }
            let gestures: [PerformRequest.Gesture] =
                text == element.plainText ? [] : [.enterText(entered)]
            return [.perform(gestures + [.blur(BlurGesture())])]
        case .escape:
            editing = nil
            return [.perform([.blur(BlurGesture())])]
        default: break
        }
        return []
    }

    private mutating func pressInDialog(_ key: Key) -> [DriveAction] {
        switch dialog {
        case .picker(let picker): return press(key, in: picker)
        case .question(let chosen): return press(key, chosen: chosen)
        default:
            dialog = nil
            return []
        }
    }

    private mutating func press(_ key: Key, in picker: PickerDialog) -> [DriveAction] {
        var changed = picker
        switch key {
        case .left, .backTab: changed.move(-1)
        case .right, .tab: changed.move(1)
        case .up: changed.change(1)
        case .down: changed.change(-1)
        case .pageUp: changed.change(10)
        case .pageDown: changed.change(-10)
        case .character(let text):
            if let digit = Int(text) { changed.type(digit) }
        case .enter:
            dialog = nil
            return [.perform([.pick(picker.pick), .closePicker(ClosePickerGesture())])]
        case .escape:
            dialog = nil
            return [.perform([.closePicker(ClosePickerGesture())])]
        default: break
        }
        dialog = .picker(changed)
        return []
    }

    private mutating func press(_ key: Key, chosen: Int) -> [DriveAction] {
        guard let question = questions.first, !question.answers.isEmpty else {
            dialog = nil
            return []
        }
        let count = question.answers.count
        switch key {
        case .down, .right, .tab: dialog = .question(chosen: (chosen + 1) % count)
        case .up, .left, .backTab: dialog = .question(chosen: (chosen + count - 1) % count)
        case .escape: dialog = nil
        case .enter:
            dialog = nil
            return [.answer(question: question.id, question.answers[min(chosen, count - 1)].answer)]
        default: break
        }
        return []
    }

    private mutating func pressOnScreen(_ key: Key) -> [DriveAction] {
        switch key {
        case .down, .tab: move(1)
        case .up, .backTab: move(-1)
        case .home: cursor = 0
        case .end: cursor = max(0, targets.count - 1)
        case .pageUp: scrolledBack = min(scrolledBack + 5, max(0, log.count - 1))
        case .pageDown: scrolledBack = max(0, scrolledBack - 5)
        case .enter: return act()
        case .backspace where isOnField:
            return beginEditing(with: String((element?.plainText ?? "").dropLast()))
        case .character(let text): return press(text)
        default: break
        }
        return []
    }

    /// Whether letters are typed into the field at the cursor.
    var isOnField: Bool {
        screen != nil && element?.kind.hasSuffix("_input") == true && element?.enabled == true
    }

    /// A letter: typed into the field at the cursor, else a short command.
    private mutating func press(_ text: String) -> [DriveAction] {
        if text == ":" && !isOnField {
            command = ""
            return []
        }
        if isOnField { return beginEditing(with: (element?.plainText ?? "") + text) }
        switch text {
        case " ": return act()
        case "q": return [.quit]
        case "?": dialog = .help
        case "a" where !questions.isEmpty: dialog = .question(chosen: 0)
        case "b" where screen != nil: return [.perform([.goBack(GoBackGesture())])]
        case "o" where screen != nil: return [.perform([.tapOutside(TapOutsideGesture())])]
        case "s" where screen != nil:
            return [.perform([.dismissBySystem(DismissBySystemGesture())])]
        default: fault = "no key \"\(text)\" here; ? shows all"
        }
        return []
    }

    private mutating func move(_ step: Int) {
        let count = targets.count
        if count > 0 { cursor = (cursor + step + count) % count }
    }

    private mutating func beginEditing(with text: String) -> [DriveAction] {
        editing = text
        let id = element?.elementId ?? ""
        return [.perform([.focus(with(FocusGesture()) { $0.elementId = id })])]
    }

    /// Enter on what the cursor is at.
    private mutating func act() -> [DriveAction] {
        switch target {
        case .placement(let place): return [.show(placement: placements[place].placementId)]
        case .element(let place): return act(on: elements[place], place)
        case .option(let place, let option):
            return [.perform([gesture(on: elements[place].options[option], of: elements[place])])]
        case nil: return []
        }
    }

    private mutating func act(on element: ScreenElement, _ place: Int) -> [DriveAction] {
        let id = element.elementId
        switch element.kind {
        case "button":
            return [.perform([.tapButton(with(TapButtonGesture()) { $0.elementId = id })])]
        case "toggle":
            return [.perform([.tapToggle(with(TapToggleGesture()) { $0.elementId = id })])]
        case "text": return [.perform([.tapLink(with(TapLinkGesture()) { $0.elementId = id })])]
        case let kind where kind.hasSuffix("_picker"):
            dialog = .picker(
                PickerDialog(
                    element: id, title: element.title.isEmpty ? id : element.title, kind: kind,
                    from: instants[place] ?? element.plainText))
            return [.perform([.openPicker(with(OpenPickerGesture()) { $0.elementId = id })])]
        default: return beginEditing(with: element.plainText)
        }
    }

    private func gesture(
        on option: ScreenOption, of element: ScreenElement
    ) -> PerformRequest.Gesture {
        switch element.kind {
        case "product_list":
            .selectProduct(
                with(SelectProductGesture()) {
                    $0.elementId = element.elementId
                    $0.vendorProductId = option.optionId
                })
        case "tabs":
            .switchTab(
                with(SwitchTabGesture()) {
                    $0.elementId = element.elementId
                    $0.tabId = option.optionId
                })
        default: .tap(element.elementId, option: option.optionId)
        }
    }
}
