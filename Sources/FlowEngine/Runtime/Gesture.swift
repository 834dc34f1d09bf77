/// One movement of the finger on a view.
///
/// Elements go by their Element ID, choices and toggles by their Group ID; one that has none by
/// its place on the screen, `#0` for the first. The same holds for options within their group.
public enum Gesture: Sendable, Equatable {
    case focus(String)
    /// Sets the whole text; nil: the field in focus (IN-92).
    case enterText(String?, text: String)
    case clearText(String?)
    case blur
    case openPicker(String)
    case pick(CivilDate?, CivilTime?)
    case closePicker
    case tapOption(String, option: String)
    case tapToggle(String)
    case tapButton(String)
    case tapLink(String, index: Int)
    case selectProduct(String, product: String)
    case switchTab(String, tab: String)
    case goBack
    case tapOutside
}
