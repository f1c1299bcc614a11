// swift-tools-version: 6.2
import PackageDescription

/// One dialect for every module, on the host and on the boards.
let dialect: [SwiftSetting] = [
  .enableExperimentalFeature("AddressableParameters"),
  .enableExperimentalFeature("Lifetimes"),
  .enableExperimentalFeature("SafeInteropWrappers"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("EmbeddedRestrictions", as: .error),
  // What is not imported need not be loaded: this saves a megabyte at run time.
  .unsafeFlags([
    "-Xfrontend", "-disable-implicit-concurrency-module-import",
    "-Xfrontend", "-disable-implicit-string-processing-module-import",
  ]),
]

/// A module of the firmware; its dependencies are the arrows of the diagram.
func module(
  _ name: String, _ dependencies: Target.Dependency..., settings: [SwiftSetting] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: dialect + settings, plugins: plugins)
}

/// Swift 6.3.1 crashes where several threads emit a module that calls C with counted bytes.
let oneThread: [SwiftSetting] = [
  .unsafeFlags(
    ["-Xfrontend", "-enable-single-module-llvm-emission"], .when(configuration: .release))
]

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
  products: [.executable(name: "lenker", targets: ["Lenker"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    module("Bytes"),
    module("HCI", "Bytes"),
    module("L2CAP", "Bytes"),
    module("ATT", "Bytes"),
    module("SMP", "Bytes"),
    module("Bond", "Bytes"),
    module("Host", "ATT", "Bond", "Bytes", "HCI", "L2CAP", "SMP"),
    module("Komoot", "Bytes"),
    module("Navigation", "Bytes", "Komoot"),
    module("Graphics", "Bytes", plugins: ["FontPlugin"]),
    module("Screens", "Bytes", "Graphics"),
    module("Panel", "Bytes", "Graphics"),
    module("Buttons", "Bytes"),
    .target(
      name: "CLinux", linkerSettings: [.linkedLibrary("gpiod"), .linkedLibrary("i2c")]),
    module("Linux", "Buttons", "Bytes", "CLinux", settings: oneThread),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("mbedcrypto")]),
    module("Crypto", "CCrypto", "SMP", settings: oneThread),
    module("BoardFile", "Bytes"),
    .executableTarget(
      name: "Lenker",
      dependencies: [
        "ATT", "BoardFile", "Bond", "Buttons", "Bytes", "Crypto", "Graphics", "HCI", "Host",
        "Komoot", "L2CAP",
        "Linux", "Navigation",
        "Panel", "SMP", "Screens",
      ],
      swiftSettings: dialect),

    // Host tools: they run at build time only, and may use the heap.
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

    // Random numbers that a seed repeats, for the tests.
    .target(name: "Seeded", path: "Tests/Seeded"),

    // The other side of a pairing, for the tests of two modules.
    .target(
      name: "Responder", dependencies: ["Bytes", "Crypto", "SMP"], path: "Tests/Responder"),

    // Bonds that a test can copy, compare and print, for the tests of two modules.
    .target(name: "PlainBonds", dependencies: ["Bond", "Bytes"], path: "Tests/PlainBonds"),

    // What the benchmark counts the instructions of.
    .executableTarget(
      name: "RedrawProfile", dependencies: ["Graphics", "Panel", "Screens"],
      path: "Tests/RedrawProfile", swiftSettings: dialect),

    tests("Bytes"),
    tests("BoardFile", "Bytes"),
    tests("Linux", "Buttons", "Bytes"),
    tests("HCI", "Bytes"),
    tests("L2CAP", "Bytes"),
    tests("ATT", "Bytes"),
    tests("SMP", "Bytes", "Crypto", "Responder"),
    tests("Bond", "Bytes", "PlainBonds"),
    tests("Crypto", "Bytes", "SMP"),
    tests(
      "Host", "ATT", "Bond", "Bytes", "Crypto", "HCI", "L2CAP", "PlainBonds", "Responder", "SMP",
      "Seeded"),
    tests("Komoot", "Bytes"),
    tests("Navigation", "Bytes", "Komoot", "Seeded", exclude: ["Rides"]),
    tests("Buttons", "Bytes", "Seeded"),
    tests("Panel", "Bytes", "Graphics", "Seeded"),
    tests("Graphics", "Bytes", "Seeded", exclude: ["Pictures"]),
    tests("FontTool"),
    tests("Screens", "Bytes", "Graphics", exclude: ["Pictures", "streets.txt"]),
    tests(
      "Lenker", "BoardFile", "Bytes", "Graphics", "HCI", "Linux", "Navigation", "Panel", "Screens"),
  ]
)
