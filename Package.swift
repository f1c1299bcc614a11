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
  // Swift 6.3 crashes without it where a module of several files hands a span to C.
  .unsafeFlags(
    ["-Xfrontend", "-enable-single-module-llvm-emission"], .when(configuration: .release)),
]

/// A module of the firmware; its dependencies are the arrows of the diagram.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: dialect)
}

/// The tests of one module, named after it.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name + "Tests", dependencies: [.init(stringLiteral: name)] + dependencies)
}

let package = Package(
  name: "Lenker",
  targets: [
    module("Bytes"),
    module("Graphics", "Bytes"),
    module("BoardFile", "Bytes"),
    .target(name: "CLinux", linkerSettings: [.linkedLibrary("i2c")]),
    module("Linux", "Bytes", "CLinux"),
    tests("Bytes"),
  ]
)
