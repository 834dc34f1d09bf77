import BridgeProtocol

/// A scenario in the making: steps as they are done, with the callbacks that each brought.
final class ScenarioDraft {
    private struct DraftStep {
        var members: [(String, JSONNode)]
        var view: String
        var callbacks: [JSONNode] = []
        var error: JSONNode?
        var isBare: Bool { callbacks.isEmpty && error == nil }
    }

    private let name: String
    private let catalog: String?
    private let device: [(String, JSONNode)]
    private var steps: [DraftStep] = []
    private var lastShown = ""
    /// What ids are called.
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - catalog: the folder that the broker serves; nil: the sample.
    ///   - device: members of `open_device` that are not the defaults of a scenario.
    init(name: String, catalog: String?, device: [(String, JSONNode)]) {
        self.name = name
        self.catalog = catalog
        self.device = device
    }

    /// Adds a step on a view; an empty view: it is about none.
    func add(_ members: [(String, JSONNode)], view: String) {
        steps.append(
            DraftStep(members: members.map { ($0.0, Generalizing.form($0.1, [:])) }, view: view))
    }

    /// Adds a call; advancing and conditions have a form of their own.
    func add(call method: MethodInfo, _ json: String) {
        let request = (try? JSONTreeReader.read(json)) ?? .object([])
        let body = Generalizing.form(request, names)
        switch method.name {
        case "advance_clock":
            let ms = request["byMs"] ?? request["by_ms"] ?? .int(0)
            add([("advance", ms)], view: "")
        case "set_conditions": steps.append(DraftStep(members: [("conditions", body)], view: ""))
        default:
            let call = ("call", JSONNode.string(method.name))
            steps.append(
                DraftStep(
                    members: [call] + (body.members.isEmpty ? [] : [("with", body)]), view: ""))
        }
    }

    /// The last step made a view of a placement: later steps name it.
    func name(_ view: String, _ placement: String) {
        guard !steps.isEmpty else { return }
        var name = placement.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            .map(String.init).joined()
        if !name.isScenarioName { name = "view_" + name }
        if ["view", "device", "any"].contains(name) { name += "_1" }
        let taken = Set(names.values)
        var number = 1
        let base = name
        while taken.contains(name) {
            number += 1
            name = "\(base)_\(number)"
        }
        names[view] = name
        steps[steps.count - 1].members.append(("as", .string(name)))
        steps[steps.count - 1].view = view
    }

    /// Adds a callback to the last step; one that came before the first is not the steps'.
    func hear(_ event: Event) {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].callbacks.append(
            Generalizing.form(CallbackForm.of(event), names))
    }

    /// The last step failed.
    func fail(_ error: BridgeError) {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].error = Generalizing.error(SeenTree.error(error))
    }

    /// The file.
    var text: String {
        var members: [(String, JSONNode)] = [("name", .string(name))]
        if let catalog { members.append(("catalog", .string(catalog))) }
        if !device.isEmpty { members.append(("device", .object(device))) }
        members.append(("steps", .list(joined.map(node))))
        return JSONNode.object(members).laidOut() + "\n"
    }

    private func node(_ step: DraftStep) -> JSONNode {
        var members = step.members
        if let error = step.error { members.append(("error", error)) }
        if !step.callbacks.isEmpty { members.append(("expect", .list(step.callbacks))) }
        return .object(members)
    }

    /// The steps in their short forms, each with the view that it is about if that is not the last
    /// one shown.
    private var joined: [DraftStep] {
        var (result, index, shown) = ([DraftStep](), 0, "")
        while index < steps.count {
            var step = steps[index]
            if let (short, count) = short(at: index) {
                step = short
                index += count
            } else {
                index += 1
            }
            let isShowing = step.members.contains { $0.0 == "as" }
            if isShowing { shown = step.view }
            if !isShowing, !step.view.isEmpty, step.view != shown, let name = names[step.view] {
                step.members.append(("on", .string(name)))
            }
            result.append(step)
        }
        return result
    }

    /// Three gestures that a short form stands for: the first two brought nothing.
    private func short(at index: Int) -> (DraftStep, Int)? {
        guard index + 2 < steps.count else { return nil }
        let three = Array(steps[index...index + 2])
        guard three[0].isBare, three[1].isBare, three[0].view == three[2].view else { return nil }
        let forms = three.map { $0.members.first?.0 ?? "" }
        let place = three[0].members[0].1
        switch forms {
        case ["focus", "type", "blur"]:
            return (short(three, [three[1].members[0], ("into", place)]), 3)
        case ["open", "pick", "close_picker"]:
            return (short(three, [three[1].members[0], ("in", place)]), 3)
        default: return nil
        }
    }

    private func short(_ three: [DraftStep], _ members: [(String, JSONNode)]) -> DraftStep {
        var step = three[2]
        step.members = members
        return step
    }
}
