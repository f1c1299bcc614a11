import Foundation

/// The seed of every unit that tries random input: 1, or the value of `LENKER_SEED`.
///
/// A fixed seed gives the same result each time. `Tests/run nightly` sets a fresh one.
public let testSeed = ProcessInfo.processInfo.environment["LENKER_SEED"].flatMap { UInt64($0) } ?? 1
