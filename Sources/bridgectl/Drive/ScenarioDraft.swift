import BridgeProtocol

/// A scenario in the making: steps as they are done, with the callbacks that each brought.
final class ScenarioDraft {
    private struct DraftStep {
        var members: [(String, JSONNode)]
        var view: String
        var callbacks: [JSONNode] = []
        var error: JSONNode?
        /// What is captured of the reply.
        var reply: JSONNode?
        var isBare: Bool { callbacks.isEmpty && error == nil }

        /// The method of a call.
        var method: String { members.first { $0.0 == "call" }?.1.text ?? "" }

        /// A member of the request of a call.
        func request(_ name: String, _ jsonName: String) -> JSONNode? {
            let request = members.first { $0.0 == "with" }?.1
            return request?[name] ?? request?[jsonName]
        }
    }

    private let name: String
    private let catalog: String?
    private let device: [(String, JSONNode)]
    private let activates: Bool
    private var steps: [DraftStep] = []
    private var lastShown = ""
    /// What ids are called.
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - catalog: the folder that the broker serves; nil: the sample.
    ///   - device: members of `open_device` that are not the defaults of a scenario.
    ///   - activates: whether the SDK is activated before the first step, and not by one.
    init(
        name: String, catalog: String?, device: [(String, JSONNode)], activates: Bool = true
    ) {
        self.activates = activates
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
        let members = request.members.map { member in
            // The name of the device is another one each time.
            let isDevice = member.name == "device" && member.value.text != ""
            return (
                member.name, isDevice ? .string("$device") : Generalizing.form(member.value, names)
            )
        }
        let body = JSONNode.object(members)
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

    /// How many steps there are.
    var count: Int { steps.count }

    /// Whether a step can be put off.
    func canWait(_ step: Int) -> Bool { !steps[step].method.isEmpty }

    /// Puts a call off and adds its end; returns the place of that.
    func addAwait(of step: Int, name: String) -> Int {
        steps[step].members.append(("later", .string(name)))
        steps.append(DraftStep(members: [("await", .string(name))], view: ""))
        return steps.count - 1
    }

    /// A step failed.
    func fail(_ error: JSONNode, at step: Int) { steps[step].error = error }

    /// Keeps the ids of a reply that later requests name: those of configurations and views.
    func capture(_ reply: JSONNode, of method: MethodInfo, at step: Int) {
        let member =
            method.name.hasPrefix("create_")
            ? ("view_id", "viewId") : ("configuration_id", "configurationId")
        guard let id = reply[member.1]?.text, names[id] == nil else { return }
        let base = method.name.hasPrefix("create_") ? "view" : "configuration"
        let name = "\(base)_\(names.values.count { $0.hasPrefix(base + "_") } + 1)"
        names[id] = name
        steps[step].reply = .object([(member.0, .object([("$capture", .string(name))]))])
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
    func hear(_ event: Event) { hear(event, at: steps.count - 1) }

    /// Adds a callback to a step.
    func hear(_ event: Event, at step: Int) {
        guard steps.indices.contains(step) else { return }
        steps[step].callbacks.append(Generalizing.form(CallbackForm.of(event), names))
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
        if !activates { members.append(("activate", .bool(false))) }
        members.append(("steps", .list(joined.map(node))))
        return JSONNode.object(members).laidOut() + "\n"
    }

    private func node(_ step: DraftStep) -> JSONNode {
        var members = step.members
        if let error = step.error { members.append(("error", error)) }
        if let reply = step.reply { members.append(("reply", reply)) }
        if !step.callbacks.isEmpty { members.append(("expect", .list(step.callbacks))) }
        return .object(members)
    }

    /// The steps in their short forms, each with the view that it is about if that is not the last
    /// one shown.
    private var joined: [DraftStep] {
        var (result, index, shown) = ([DraftStep](), 0, "")
        while index < steps.count {
            var step = steps[index]
            if let (short, count) = showing(at: index) ?? short(at: index) {
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

    /// Four calls that fetch, make and present a view.
    private func showing(at index: Int) -> (DraftStep, Int)? {
        guard index + 3 < steps.count else { return nil }
        let four = Array(steps[index...index + 3])
        let what = four[0].method == "get_onboarding" ? "onboarding" : "flow"
        guard
            four.map(\.method) == [
                "get_\(what)", "get_\(what)_configuration", "create_\(what)_controller", "present",
            ], four[..<3].allSatisfy(\.isBare), four.allSatisfy({ $0.members.count == 2 }),
            let placement = four[0].request("placement_id", "placementId"),
            let view = four[2].reply?["view_id"]?["$capture"],
            four[3].request("view_id", "viewId")?.text == "$" + (view.text ?? "")
        else { return nil }
        var members = [("show_\(what)", placement)]
        if let locale = four[what == "flow" ? 1 : 0].request("locale", "locale") {
            members.append(("locale", locale))
        }
        if let actions = four[2].request("action_handling", "actionHandling"),
            actions.text != "AUTOMATIC"
        {
            members.append(("actions", actions))
        }
        var step = four[3]
        step.members = members + [("as", view)]
        step.view = names.first { $0.value == view.text }?.key ?? ""
        return (step, 4)
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
