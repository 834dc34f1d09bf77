import FlowEngine

@testable import SDKCore

/// A random life of a device: what the app, the finger and the system do, decided before it runs.
struct Life: Sendable {
    /// One thing that happens. Views go by their place among all that were made.
    enum Move: Sendable {
        case advance(ms: Int64)
        case call(SDKCall)
        case makeFlow, makeOnboarding
        case present(Int)
        case dismiss(Int, destroy: Bool)
        case swipe(Int)
        case destroy(Int)
        case gesture(Int, Gesture)
        case background, foreground
        case conditions(latencyMs: UInt32, isOffline: Bool)
        case cancelLast
        case restart
    }

    let seed: UInt64
    var moves: [Move] = [.call(.getFlow("main")), .call(.getOnboarding("intro"))]

    private static let elements = [
        "name", "secret", "day", "clock", "experience", "likes", "flag", "products", "next",
        "sheet", "ask", "close", "own", "fill", "site", "extra", "none",
    ]
    private static let options = ["pro", "amateur", "a", "b", "c", "p.month", "p.year", "none"]

    init(seed: UInt64, moves count: Int) {
        self.seed = seed
        var random = SeededGenerator(seed: seed, name: "life")
        moves += [.makeFlow, .makeOnboarding, .present(0)]
        moves += (0..<count).map { _ in Self.move(&random) }
    }

    /// The same moves with another seed of the device.
    init(_ life: Life, seed: UInt64) {
        self.seed = seed
        moves = life.moves
    }

    private static func move(_ random: inout SeededGenerator) -> Move {
        let view = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<48, using: &random) {
        case 0...7: return .advance(ms: .random(in: 0..<6_000, using: &random))
        case 8, 9: return .present(view)
        case 10: return .dismiss(view, destroy: Bool.random(using: &random))
        case 11: return .swipe(view)
        case 12: return .destroy(view)
        case 13: return .background
        case 14, 15: return .foreground
        case 16: return .makeFlow
        case 17: return .makeOnboarding
        case 18, 19: return .call(call(&random))
        case 20:
            return .conditions(
                latencyMs: [0, 300, 7_000].randomElement(using: &random) ?? 0,
                isOffline: Int.random(in: 0..<4, using: &random) == 0)
        case 21: return .cancelLast
        case 22: return .restart
        default: return .gesture(view, gesture(&random))
        }
    }

    private static func call(_ random: inout SeededGenerator) -> SDKCall {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .getProfile
        case 1: .getFlow("main")
        case 2: .getOnboarding("intro")
        default: .attributes([("level", .number(.random(in: 0..<9, using: &random)))])
        }
    }

    private static func gesture(_ random: inout SeededGenerator) -> Gesture {
        let element = elements.randomElement(using: &random) ?? ""
        let option = options.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return .focus(["name", "secret"].randomElement(using: &random) ?? "")
        case 2, 3:
            return .enterText(nil, text: ["Jane", "", "ü"].randomElement(using: &random) ?? "")
        case 4: return .blur
        case 5: return .openPicker(["day", "clock"].randomElement(using: &random) ?? "")
        case 6:
            return .pick(
                CivilDate(year: 1990, month: 6, day: .random(in: 1...28, using: &random)), nil)
        case 7:
            return .pick(nil, CivilTime(hour: .random(in: 0...23, using: &random), minute: 30))
        case 8:
            return .tapOption(
                ["experience", "likes"].randomElement(using: &random) ?? "",
                option: option)
        case 9: return .tapToggle(["flag", "extra"].randomElement(using: &random) ?? "")
        case 10: return .selectProduct("products", product: option)
        case 11: return Bool.random(using: &random) ? .goBack : .tapOutside
        default: return .tapButton(element)
        }
    }
}
