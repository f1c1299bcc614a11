// swift-tools-version: 6.2
import PackageDescription

/// What watches the code that is fuzzed, `fuzzer` among it; `Tests/fuzz` asks for it.
let sanitizers = Context.environment["LENKER_FUZZING"]
let instrumented: [SwiftSetting] =
  sanitizers.map { [.unsafeFlags(["-sanitize=\($0)"]), .define("FUZZING")] } ?? []

/// Likewise, where what is compared are pixels, places in buffers and times: libFuzzer learns nothing of
/// them, and they are many.
let instrumentedLightly: [SwiftSetting] =
  sanitizers == nil
  ? [] : instrumented + [.unsafeFlags(["-sanitize-coverage=edge,inline-8bit-counters,pc-table"])]

/// One dialect for every module, on the host and on the boards.
let dialect: [SwiftSetting] = [
  .enableExperimentalFeature("AddressableParameters"),
  .enableExperimentalFeature("Lifetimes"),
  .enableExperimentalFeature("RawLayout"),
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

/// A whole module at once takes the compiler less time than file by file, as each file would read the others; and with
/// its interface, which would expand the macros of all tests once more if it were made apart.
let wholeModule = [
  "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode",
  "-no-emit-module-separately-wmo",
]

/// The units try some things a hundred thousand times, and wait for unoptimised code half of their time.
///
/// Tools that only call what is optimised are not: the optimiser takes twice as long for them as all else of the
/// compiler.
let quickUnits: [SwiftSetting] = [
  .unsafeFlags(
    ["-O", "-assert-config", "Debug"] + wholeModule, .when(configuration: .debug))
]

/// Warnings are errors in C, too.
let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// A module of the firmware; the list of dependencies is the diagram.
func module(
  _ name: String, _ dependencies: Target.Dependency..., settings: [SwiftSetting] = [],
  watched: [SwiftSetting] = instrumented, plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: dialect + quickUnits + watched + settings, plugins: plugins)
}

/// A module of the other side, in ordinary Swift that is Embedded Swift as well; it uses the heap.
func model(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: quickUnits + [.treatAllWarnings(as: .error)])
}

/// Swift 6.3.1 crashes where several threads emit a module that calls C with counted bytes.
let oneThread: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-enable-single-module-llvm-emission"])
]

/// The tests of one module, named after it, with what all of them use.
func tests(
  _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.init(stringLiteral: name), "Expecting", "TestSupport"] + dependencies,
    path: "Tests/Units/\(name)Tests", exclude: exclude,
    swiftSettings: [.unsafeFlags(wholeModule, .when(configuration: .debug))])
}

let package = Package(
  name: "Lenker",
  products: [
    .executable(name: "lenker", targets: ["Lenker"]),
    .executable(name: "lenker-scan", targets: ["Scan"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // Its declarations are public, not package: of modules built apart the compiler inlines only these,
    // and a picture takes a quarter more instructions without that.
    module("Bytes", watched: instrumentedLightly),
    module("HCI", "Bytes"),
    module("L2CAP", "Bytes"),
    module("ATT", "Bytes"),
    module("SMP", "Bytes"),
    module("Sensors", "Bond", "Bytes"),
    module("Beacons", "Bytes"),
    module("Battery", "Bytes"),
    module("Places", "Beacons", "Bytes"),
    module("Events", "Bytes"),
    module("Bond", "Bytes"),
    module("BondFile", "Bond", "Bytes", "Sensors"),
    module("Turns", "Bytes"),
    module("PhoneServices", "ATT", "Bytes", "Turns"),
    module("Controller", "Bytes", "HCI", "L2CAP"),
    module("Link", "ATT", "Bond", "Bytes", "Controller", "HCI", "L2CAP", "SMP"),
    module("Search", "Bytes", "HCI"),
    module(
      "SensorLinks", "ATT", "Bond", "Bytes", "Controller", "HCI", "Link", "SMP", "Sensors"),
    module(
      "Central", "ATT", "Bond", "Bytes", "Controller", "HCI", "Link", "PhoneServices",
      "SMP", "Search", "SensorLinks", "Sensors"),
    module("Exploring", "ATT", "Bytes", "Controller", "HCI", "Link"),
    module("Words", "Bytes"),
    module("Navigation", "Bytes", "Turns", "Words"),
    module("Graphics", "Bytes", watched: instrumentedLightly, plugins: ["FontPlugin"]),
    // A symbol, a title and sentences; the screens of it that know a turn or a sensor are in `Screens`.
    module(
      "Messages", "Bytes", "Graphics", "Words",
      watched: instrumentedLightly),
    module(
      "Screens", "Bytes", "Graphics", "Messages", "Navigation", "Sensors", "Turns", "Words",
      watched: instrumentedLightly),
    module("Panel", "Bytes", "Graphics", watched: instrumentedLightly),
    module("PanelModel", "Bytes", "Graphics", "Panel", watched: []),
    module("Buttons", "Bytes"),
    // Alone, as it changes with each commit.
    module("Version", plugins: ["VersionPlugin"]),
    .target(
      name: "CLinux", cSettings: strictC,
      linkerSettings: [.linkedLibrary("gpiod"), .linkedLibrary("i2c")]),
    module("Linux", "Bytes", "CLinux", settings: oneThread),
    .target(name: "CCrypto", cSettings: strictC, linkerSettings: [.linkedLibrary("mbedcrypto")]),
    module("Crypto", "CCrypto", "SMP", settings: oneThread),
    module(
      "BoardFile", "Battery", "Beacons", "Bytes", "Events", "Link", "Navigation", "Panel",
      "Screens",
      "Words"),
    // The values of the device, each with private state.
    module(
      "DeviceState", "ATT", "Battery", "Beacons", "BoardFile", "Bond", "BondFile", "Bytes",
      "Central", "Controller", "Graphics", "HCI", "Link", "Messages", "Navigation", "Panel",
      "PhoneServices", "SMP", "Screens", "SensorLinks", "Sensors", "Turns",
      watched: instrumentedLightly),
    // What is reported and kept of all that happens: events, the record, the report.
    module(
      "Recording", "ATT", "Battery", "BoardFile", "Bond", "BondFile", "Buttons", "Bytes", "Central",
      "Controller", "DeviceState", "Events", "HCI", "L2CAP", "Link", "Messages", "Navigation",
      "PhoneServices", "SMP", "Screens", "Search", "SensorLinks", "Sensors", "Turns", "Words",
      watched: instrumentedLightly),
    // The whole device, which says what follows from what; it knows neither Linux nor Crypto nor PanelModel.
    module(
      "Device", "ATT", "Battery", "Beacons", "BoardFile", "Bond", "BondFile", "Buttons", "Bytes",
      "Central", "Controller", "DeviceState", "Events", "Graphics", "HCI", "Link", "Messages",
      "Navigation", "Panel", "PhoneServices", "Recording", "SMP", "Screens", "Search",
      "SensorLinks", "Sensors", "Turns",
      watched: instrumentedLightly),
    // The whole of `lenker-scan`, as `Device` is of `lenker`; it knows neither Linux nor Crypto.
    module(
      "ScanTool", "ATT", "Beacons", "BoardFile", "Bytes", "Controller", "Events", "Exploring",
      "HCI", "Places", "SensorLinks", "Sensors"),
    module(
      "Ports", "Battery", "BoardFile", "BondFile", "Buttons", "Bytes", "Controller", "Device",
      "DeviceState",
      "Events", "Graphics", "HCI", "Linux", "Panel", "PanelModel", "Recording", "SMP", "Version"),
    .executableTarget(
      name: "Lenker",
      dependencies: [
        "Battery", "BoardFile", "BondFile", "Buttons", "Bytes", "Central", "Controller", "Crypto",
        "Device", "DeviceState", "Graphics", "HCI", "Link", "Linux", "Panel", "Ports", "Recording",
        "Screens", "Sensors",
      ],
      swiftSettings: dialect),
    .executableTarget(
      name: "Scan",
      dependencies: [
        "BoardFile", "Bytes", "DeviceState", "Events", "Linux", "Places", "Ports", "Recording",
        "ScanTool",
      ],
      swiftSettings: dialect),

    // A controller and a phone in virtual time: for the board in a browser, for the units and for fuzzing.
    model("Hexadecimal"),
    model("Seeded"),
    model("Responder", "Bytes", "Crypto", "SMP", "Seeded"),
    model("VirtualAir", "Bytes", "Crypto", "Hexadecimal", "Responder", "SMP"),

    .executableTarget(
      name: "Browser",
      dependencies: [
        "BoardFile", "Buttons", "Bytes", "Crypto", "Device", "DeviceState", "Events", "Graphics",
        "Panel", "PanelModel", "Sensors", "Version", "VirtualAir",
      ],
      // All code of the page is generated here: the modules below it need no optimiser there. The
      // frontend takes the last of both, and the flags of a toolset come behind those of a target.
      swiftSettings: dialect + [
        .unsafeFlags(["-Xfrontend", "-Osize"], .when(configuration: .release))
      ]),

    // Tools: they never run on a board, and may use the heap.
    .systemLibrary(
      name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
    .executableTarget(
      name: "FontTool",
      dependencies: ["CFreeType"],
      // It runs once in each build, for less time than the optimiser would take.
      swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-Onone"])]),
    .target(
      name: "Replaying",
      dependencies: [
        "ATT", "BoardFile", "BondFile", "Buttons", "Bytes", "Central", "Controller", "Crypto",
        "Device", "DeviceState", "Events", "Graphics", "HCI", "L2CAP", "Panel", "PanelModel",
        "Recording", "SMP",
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      ] + instrumented),
    .executableTarget(
      name: "Replay",
      dependencies: [
        "Replaying", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      ]),
    .plugin(
      name: "FontPlugin", capability: .buildTool(), dependencies: ["FontTool"],
      path: "Sources/FontPlugin"),
    .plugin(name: "VersionPlugin", capability: .buildTool(), path: "Sources/VersionPlugin"),

    // What the tests of every module write and read bytes and pictures with.
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Graphics", "Hexadecimal"],
      path: "Tests/Support/TestSupport", swiftSettings: quickUnits),

    // Swift Testing with a lighter `expect`.
    .target(name: "Expecting", path: "Tests/Support/Expecting"),

    // Judges what the host sends by the specification alone: it knows no module.
    .target(name: "Judge", path: "Tests/Support/Judge", cSettings: strictC),

    .target(
      name: "Judging", dependencies: ["Judge", "TestSupport"], path: "Tests/Support/Judging"),

    // The whole device with all that is around it, in virtual time.
    .target(
      name: "VirtualDevice",
      dependencies: [
        "Battery", "BoardFile", "Bond", "Buttons", "Bytes", "Device", "DeviceState", "Events",
        "Graphics", "HCI", "Judging", "Messages", "Navigation", "Panel", "PanelModel", "Responder",
        "Screens", "Sensors", "TestSupport", "Turns", "VirtualAir", "Words",
      ],
      path: "Tests/Support/VirtualDevice", swiftSettings: quickUnits),

    // What tests and tools in Python play rides to.
    .executableTarget(
      name: "Rides",
      dependencies: [
        "BoardFile", "Bytes", "Graphics", "Navigation", "PanelModel", "PhoneServices", "Sensors",
        "TestSupport", "Turns", "VirtualDevice",
      ],
      path: "Tests/Support/Rides", swiftSettings: [.treatAllWarnings(as: .error)]),

    // What `Tests/fuzz` runs, with libFuzzer where it asks for that.
    .target(name: "LibFuzzer", path: "Tests/Fuzz/LibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "ATT", "Battery", "Beacons", "BoardFile", "Bond", "BondFile", "Bytes", "Central",
        "Controller", "Device", "DeviceState", "Events", "Graphics", "HCI", "L2CAP", "LibFuzzer",
        "Messages", "Navigation", "Panel", "PanelModel", "PhoneServices", "Places", "Recording",
        "Replaying", "SMP", "ScanTool", "Screens", "Seeded", "Sensors", "TestSupport", "Turns",
        "VirtualAir", "VirtualDevice", "Words",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: instrumented,
      linkerSettings: sanitizers.map { [.unsafeFlags(["-sanitize=\($0)", "-use-ld=lld"])] } ?? []),

    // What `Tests/explore` runs.
    .target(name: "Arena", path: "Tests/Explore/Arena", cSettings: strictC),
    .executableTarget(
      name: "Explore",
      dependencies: [
        "Arena", "Bytes", "Device", "DeviceState", "Responder", "Seeded", "TestSupport",
        "VirtualAir", "VirtualDevice",
      ],
      path: "Tests/Explore/Walk", swiftSettings: quickUnits),

    // Bonds that a test can copy, compare and print, and sensors, for the tests of two modules.
    .target(
      name: "PlainBonds", dependencies: ["Bond", "Bytes", "Sensors", "TestSupport"],
      path: "Tests/Support/PlainBonds"),

    // The host alone: what reads a strap on a PC.
    .executableTarget(
      name: "Strap", dependencies: ["Bytes", "Controller", "HCI", "Link"],
      path: "Tests/Support/Strap", swiftSettings: [.treatAllWarnings(as: .error)]),

    // What the benchmark counts the instructions of.
    .executableTarget(
      name: "RedrawProfile", dependencies: ["Graphics", "Panel", "Screens", "Turns"],
      path: "Tests/Support/RedrawProfile", swiftSettings: dialect),

    tests("Bytes"),
    tests("Battery", "Bytes"),
    tests("BoardFile", "Battery", "Beacons", "Bytes", "Events", "Navigation", "Panel", "Screens"),
    tests("Linux", "Bytes"),
    tests("HCI", "Bytes"),
    tests("L2CAP", "Bytes"),
    tests("ATT", "Bytes"),
    tests("SMP", "Bytes", "Crypto", "Responder", "Seeded"),
    tests("BondFile", "Bond", "Bytes", "PlainBonds", "Sensors"),
    tests("Crypto", "Bytes", "SMP"),
    // Of all modules from the controller to the host.
    tests(
      "Central", "ATT", "Bond", "Bytes", "Controller", "Crypto", "Exploring", "HCI", "Judging",
      "Link", "PlainBonds", "Responder", "SMP", "Search", "SensorLinks", "Sensors", "VirtualAir"),
    tests("Judge", "Judging", "VirtualAir"),
    tests("VirtualAir"),
    tests("Turns", "Bytes"),
    tests("PhoneServices", "Bytes", "Seeded", "Turns", "VirtualAir"),
    tests("Sensors", "Bytes", "Seeded", "VirtualAir"),
    tests("Beacons", "Bytes"),
    tests("Places", "Beacons", "Bytes", "Seeded"),
    tests(
      "ScanTool", "BoardFile", "Bytes", "Events", "HCI", "Places", "VirtualAir"),
    tests("Events", "Bytes"),
    tests("Words", "Bytes"),
    tests("Navigation", "Bytes", "PhoneServices", "Seeded", "Turns", "Words", exclude: ["Rides"]),
    tests("Buttons", "Bytes"),
    tests("Panel", "Bytes", "Graphics", "PanelModel", "Seeded"),
    tests("PanelModel", "Bytes", "Graphics", "Panel"),
    tests("Graphics", "Bytes", "Seeded", exclude: ["Pictures"]),
    tests("FontTool"),
    tests(
      "Screens", "Bytes", "Graphics", "Messages", "Navigation", "Sensors", "Turns", "Version",
      "Words",
      exclude: ["Pictures", "streets.txt"]),
    tests(
      "Device", "Battery", "Beacons", "BoardFile", "Bond", "BondFile", "Buttons", "Bytes",
      "DeviceState", "Events", "Graphics", "HCI", "Link", "Messages", "Navigation", "Panel",
      "PanelModel", "PhoneServices", "PlainBonds", "Recording", "Replaying", "Responder", "Screens",
      "Seeded", "Sensors", "Turns",
      "VirtualAir", "VirtualDevice", "Words"),
    tests("Fuzz"),
    tests("Ports", "BoardFile", "Buttons", "Bytes", "Events", "Linux"),
    tests("Lenker", "Bytes", "Linux"),
    tests(
      "Browser", "BoardFile", "Bond", "Buttons", "Bytes", "Graphics", "Panel", "PanelModel", "SMP",
      "Sensors", "VirtualAir"),
  ]
)
