// swift-tools-version: 6.2
import PackageDescription

// The pure rooms, by links to the project's sources, and a program that measures them without a
// broker around. A package of its own, so that the project does not build it.
let release: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

let package = Package(
    name: "engine-load",
    targets: [
        .executableTarget(
            name: "EngineLoad", dependencies: ["FlowEngine", "SDKCore", "CAllocations"],
            swiftSettings: release),
        .target(
            name: "SDKCore", dependencies: ["FlowEngine", "CLibMD"], swiftSettings: release),
        .target(
            name: "FlowEngine", dependencies: ["CJansson", "CPcre2"], swiftSettings: release),
        .target(name: "CAllocations"),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson"),
        .systemLibrary(name: "CPcre2", pkgConfig: "libpcre2-8"),
        .systemLibrary(name: "CLibMD", pkgConfig: "libmd"),
    ],
    swiftLanguageModes: [.v6]
)
