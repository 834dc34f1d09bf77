import FlowEngine

/// The views of a device and which of them are on screen: at most a flow above an onboarding
/// (VW-4 to VW-7).
///
/// Indices are those of `views`; they hold until a view is removed.
struct ViewStack: Sendable {
    var views: [DeviceView] = []
    private(set) var top: Int?
    private(set) var covered: Int?

    /// The ids of the views on screen, the covered one first.
    var shown: [ViewID] { [covered, top].compactMap { $0.map { views[$0].id } } }

    /// The place of a view; the one on top, which takes the gestures, is looked at first.
    func index(of id: ViewID) -> Int? {
        if let top, views[top].id == id { return top }
        return views.firstIndex { $0.id == id }
    }

    func index(of text: String) -> Int? {
        guard let id = ViewID(text) else { return nil }
        return index(of: id)
    }

    mutating func add(_ view: DeviceView) {
        views.append(view)
    }

    /// Puts a view on top; what was there is covered.
    mutating func show(_ index: Int) {
        precondition(covered == nil, "a third view cannot come on screen")
        if let top { views[top].state = .covered }
        covered = top
        top = index
        views[index].state = .onTop
    }

    /// Takes the view on top off the screen; the covered one is in control again.
    mutating func hideTop() {
        guard let hidden = top else { return }
        views[hidden].state = .dismissed
        top = covered
        covered = nil
        if let top { views[top].state = .onTop }
    }

    /// Forgets a view that is not on screen.
    mutating func remove(_ index: Int) {
        precondition(!views[index].isOnScreen, "a view on screen cannot be forgotten")
        views.remove(at: index)
        top = top.map { $0 > index ? $0 - 1 : $0 }
        covered = covered.map { $0 > index ? $0 - 1 : $0 }
    }

    /// The ids of the views, for error messages: the first 16.
    var names: String {
        if views.isEmpty { return "this device has no view" }
        let shown = views.prefix(16).map { $0.id.description }.joined(separator: ", ")
        let rest = views.count > 16 ? " and \(views.count - 16) more" : ""
        return "the views of this device are \(shown)\(rest)"
    }
}
