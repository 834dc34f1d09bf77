// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target builds in Swift 6 mode with warnings as errors.
///
/// Exclusive access is checked at run time in debug builds, in which all tests run. In release
/// builds these checks took an eighth of the instructions of a request.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// C targets are ours or generated; a warning in them is a fault too.
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "flowbridge",
    products: [
        .executable(name: "flowbridged", targets: ["flowbridged"]),
        .executable(name: "bridgectl", targets: ["bridgectl"]),
        .library(name: "BridgeClient", targets: ["BridgeClient"]),
        .library(name: "BridgeTesting", targets: ["BridgeTesting"]),
    ],
    targets: [
        // Executables: arguments and exit codes.
        .executableTarget(
            name: "flowbridged",
            dependencies: [
                "BridgeBroker", "BridgeTransport", "BridgeProtocol", "BridgeCatalog", "BridgeStore",
                "CLinux",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "bridgectl",
            dependencies: ["BridgeClient", "BridgeProtocol", "CLinux", "CJansson"],
            swiftSettings: strict),

        // The broker's rooms and the client library.
        .target(
            name: "BridgeBroker",
            dependencies: [
                "BridgeTransport", "BridgeProtocol", "BridgeStore", "BridgeCatalog", "SDKCore",
                "FlowEngine",
                "CCivilTime", "CJansson", "CLinux",
            ],
            swiftSettings: strict),
        .target(
            name: "BridgeClient", dependencies: ["BridgeTransport", "BridgeProtocol", "CLinux"],
            swiftSettings: strict),
        .target(
            name: "BridgeTesting", dependencies: ["BridgeClient", "BridgeProtocol"],
            swiftSettings: strict),
        .target(
            name: "BridgeTransport", dependencies: ["BridgeProtocol", "CLinux"],
            swiftSettings: strict),
        .target(
            name: "BridgeProtocol",
            dependencies: ["CBridgeWire", "CProtobufC", "CJansson", "CJsonTape"],
            swiftSettings: strict),
        .target(
            name: "BridgeCatalog", dependencies: ["SDKCore", "FlowEngine", "CJansson", "CLinux"],
            swiftSettings: strict),

        // Pure rooms: no descriptor, no clock, no protobuf.
        .target(name: "SDKCore", dependencies: ["FlowEngine", "CLibMD"], swiftSettings: strict),
        .target(name: "FlowEngine", dependencies: ["CJansson", "CPcre2"], swiftSettings: strict),
        .target(
            name: "BridgeStore", dependencies: ["CSQLite", "CLinux"], swiftSettings: strict),

        // C: generated code, shims and Debian's libraries.
        .target(name: "CBridgeWire", dependencies: ["CProtobufC"], cSettings: strictC),
        .target(name: "CLinux", cSettings: strictC),
        .target(name: "CCivilTime", linkerSettings: [.linkedLibrary("cctz")]),
        .target(name: "CJsonTape", linkerSettings: [.linkedLibrary("simdjson")]),
        .systemLibrary(
            name: "CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]
        ),
        .systemLibrary(
            name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CPcre2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CLibMD", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),

        // Tests, at the same relative paths as the sources.
        .target(
            name: "TestSupport",
            dependencies: [
                "BridgeBroker", "BridgeTransport", "BridgeProtocol", "BridgeCatalog", "CLinux",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "FlowEngineTests", dependencies: ["FlowEngine", "CCivilTime"],
            swiftSettings: strict),
        .testTarget(
            name: "SDKCoreTests", dependencies: ["SDKCore", "FlowEngine"], swiftSettings: strict),
        .target(
            name: "CPowerCut", dependencies: ["CSQLite"], path: "Tests/CPowerCut",
            cSettings: strictC),
        .testTarget(
            name: "BridgeStoreTests",
            dependencies: ["BridgeStore", "CSQLite", "CLinux", "CPowerCut"],
            exclude: ["SQLite/store-v1.sql"], swiftSettings: strict),
        .target(name: "GoldenFrames", path: "Tests/GoldenFrames", swiftSettings: strict),
        .testTarget(
            name: "BridgeProtocolTests",
            dependencies: ["BridgeProtocol", "CBridgeWire", "CProtobufC", "GoldenFrames"],
            swiftSettings: strict),
        .testTarget(
            name: "BridgeTransportTests",
            dependencies: ["BridgeTransport", "BridgeProtocol", "CLinux"],
            swiftSettings: strict),
        .testTarget(
            name: "BridgeCatalogTests", dependencies: ["BridgeCatalog", "SDKCore", "FlowEngine"],
            swiftSettings: strict),
        .testTarget(
            name: "BridgeBrokerTests",
            dependencies: [
                "BridgeBroker", "BridgeTransport", "BridgeProtocol", "BridgeCatalog", "BridgeStore",
                "CLinux", "CLibMD", "TestSupport",
            ],
            exclude: ["Support/store-v1.sql"], swiftSettings: strict),
        .testTarget(
            name: "BridgeClientTests",
            dependencies: [
                "BridgeClient", "bridgectl", "flowbridged", "BridgeProtocol", "CLinux",
                "CSystemFaults", "TestSupport",
            ],
            swiftSettings: strict),
        // What is fed with made-up input: by libFuzzer, and from the saved corpus in tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "BridgeBroker", "BridgeTransport", "BridgeProtocol", "BridgeCatalog", "SDKCore",
                "FlowEngine", "CBridgeWire", "CJansson", "CJsonTape",
            ],
            path: "Fuzz/Targets", swiftSettings: strict),

        // Bad inputs and faults, tried one after the other without exception.
        .target(
            name: "CSystemFaults", dependencies: ["CLinux"], path: "Tests/CSystemFaults",
            cSettings: strictC),
        .testTarget(
            name: "SweepTests",
            dependencies: [
                "BridgeBroker", "BridgeClient", "BridgeTransport", "BridgeProtocol",
                "BridgeCatalog", "BridgeStore", "FlowEngine", "CBridgeWire", "CProtobufC",
                "CJansson", "CJsonTape", "CLinux", "CSystemFaults", "FuzzTargets", "GoldenFrames",
                "TestSupport",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// libFuzzer's program, which takes a compiler with its run-time library: scripts/fuzz builds it.
if let library = Context.environment["FLOWBRIDGE_FUZZER_LIBRARY"] {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver",
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags([library]), .linkedLibrary("stdc++")]))
}
