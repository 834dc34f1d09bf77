/// Reckons whether a screen is a last one (NAV-5): no element of it opens another screen forward.
struct LastScreenRule {
    let screens: [ExactText: Int]

    /// The mark set by hand, else the reckoning.
    func isLast(_ screen: ScreenDocument) -> Bool {
        if let mark = screen.isLastOverride { return mark }
        var opensAnother = false
        for element in screen.elements {
            element.actions.forEachNested { action in
                guard case .openScreen(let id, _) = action, !id.isExactly(screen.id) else {
                    return
                }
                if screens[ExactText(id)] != nil { opensAnother = true }
            }
        }
        return !opensAnother
    }
}
