// swift-tools-version: 6.2
import PackageDescription

/// One dialect for every module, on the host and on the boards.
let dialect: [SwiftSetting] = [
  .enableExperimentalFeature("Lifetimes"),
  .enableExperimentalFeature("SafeInteropWrappers"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("EmbeddedRestrictions", as: .error),
]

/// A module of the firmware; its dependencies are the arrows of the diagram.
func module(
  _ name: String, _ dependencies: Target.Dependency..., plugins: [Target.PluginUsage] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: dialect, plugins: plugins)
}

/// The tests of one module, named after it.
func tests(
  _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.init(stringLiteral: name)] + dependencies,
    exclude: exclude)
}

let package = Package(
  name: "Lenker",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    module("Bytes"),
    module("Graphics", "Bytes", plugins: ["FontPlugin"]),
    module("Screens", "Bytes", "Graphics"),
    .systemLibrary(
      name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
    .executableTarget(
      name: "FontTool",
      dependencies: [
        "CFreeType", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .plugin(
      name: "FontPlugin", capability: .buildTool(), dependencies: ["FontTool"],
      path: "Sources/FontPlugin"),
    tests("Bytes"),
    tests("Graphics", "Bytes"),
    tests("FontTool"),
    tests("Screens", "Graphics", exclude: ["Pictures"]),
  ]
)
