// swift-tools-version: 6.2
import PackageDescription

let client: [Target.Dependency] = [.product(name: "BridgeClient", package: "flowbridge")]
let testing: [Target.Dependency] = [.product(name: "BridgeTesting", package: "flowbridge")]

/// These programs do one thing after the other.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]

let package = Package(
    name: "flowbridge-examples",
    dependencies: [.package(name: "flowbridge", path: "../..")],
    targets: [
        .executableTarget(name: "register_user", dependencies: client, swiftSettings: mainActor),
        .executableTarget(name: "conformance", dependencies: client, swiftSettings: mainActor),
        .testTarget(name: "ExampleTests", dependencies: testing),
    ],
    swiftLanguageModes: [.v6]
)
