import BridgeProtocol

// The gestures of most tests; `perform` makes all others.

extension TestPhone {
    /// Types into a field, and leaves it.
    public func type(_ text: String, into element: String) async throws(BridgeError) {
        try await perform(.focus(with(FocusGesture()) { $0.elementId = element }))
        try await perform(.enterText(with(EnterTextGesture()) { $0.text = text }))
        try await perform(.blur(BlurGesture()))
    }

    /// Opens a date picker, picks a day, and closes it.
    public func pick(
        _ year: Int32, _ month: Int32, _ day: Int32, in element: String
    ) async throws(BridgeError) {
        let date = with(CivilDate()) {
            $0.year = year
            $0.month = month
            $0.day = day
        }
        try await perform(.openPicker(with(OpenPickerGesture()) { $0.elementId = element }))
        try await perform(.pick(with(PickGesture()) { $0.date = date }))
        try await perform(.closePicker(ClosePickerGesture()))
    }

    /// Taps an option of a choice.
    public func choose(_ option: String, of group: String) async throws(BridgeError) {
        let gesture = with(TapOptionGesture()) {
            $0.elementId = group
            $0.optionId = option
        }
        try await perform(.tapOption(gesture))
    }

    /// Taps a toggle.
    public func toggle(_ element: String) async throws(BridgeError) {
        try await perform(.tapToggle(with(TapToggleGesture()) { $0.elementId = element }))
    }

    /// Taps a button.
    public func tap(_ element: String) async throws(BridgeError) {
        try await perform(.tapButton(with(TapButtonGesture()) { $0.elementId = element }))
    }
}
