import FlowEngine
import SDKCore

/// Prints `name=value` for each figure.
func tell(_ name: String, _ value: Double) {
    print("\(name)=\(value)")
}

/// How often each piece of work is done; a smaller number as the first argument is for valgrind.
let turns = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000

let small = FlowDocument(Documents.flow(screens: 2))
let large = FlowDocument(Documents.flow(screens: 200))

/// The gestures of one turn; several of them make one entry.
let works: [(name: String, gestures: [[Gesture]])] = [
    ("tap_option", [[.tapOption("interests", option: "music")]]),
    ("tap_single", [[.tapOption("experience", option: "music")]]),
    ("tap_toggle", [[.tapToggle("reminders")]]),
    (
        "type_blur",
        ["Jane", "Jane Doe"].map { [.focus("name"), .enterText(nil, text: $0), .blur] }
    ),
]

for work in works {
    var session = SessionSubject(small)
    let alone = cost(of: turns) { turn in
        for gesture in work.gestures[turn % work.gestures.count] { session.perform(gesture) }
    }
    var device = DeviceSubject("default", backend: Backend(catalog: Documents.catalog))
    let within = cost(of: turns) { turn in
        for gesture in work.gestures[turn % work.gestures.count] { device.perform(gesture) }
    }
    let gestures = Double(work.gestures[0].count)
    tell("\(work.name)_rate", 1e9 * gestures / alone.nanoseconds)
    tell("\(work.name)_allocations", alone.allocations / gestures)
    tell("\(work.name)_device_rate", 1e9 * gestures / within.nanoseconds)
    tell("\(work.name)_device_allocations", within.allocations / gestures)
}

for (name, document) in [("small", small), ("large", large)] {
    var session = SessionSubject(document)
    let tap = cost(of: turns) { _ in
        session.perform(.tapOption("interests", option: "music"))
    }
    tell("\(name)_tap_ns", tap.nanoseconds)
    var seen = 0
    tell("\(name)_screen_ns", cost(of: turns / 5) { _ in seen += session.look() }.nanoseconds)
    precondition(seen > 0)
}

tell("session_bytes", bytes(of: turns / 10) { _ in SessionSubject(small) })
let backend = Backend(catalog: Documents.catalog)
tell("device_bytes", bytes(of: turns / 10) { DeviceSubject("phone-\($0)", backend: backend) })
