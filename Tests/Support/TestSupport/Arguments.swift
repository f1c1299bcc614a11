internal import Foundation

/// What a test is run with, where it comes from a file or a filter: with nothing it would pass unseen.
package func nonEmpty<Arguments: Collection>(
  _ arguments: Arguments, file: StaticString = #fileID, line: Int = #line
) -> Arguments {
  if arguments.isEmpty { giveUp("\(file):\(line): a test would be run with nothing") }
  return arguments
}

/// The seed of every unit that tries random input: 1, or the value of `LENKER_SEED`.
///
/// A fixed seed gives the same result each time. `Tests/run nightly` sets a fresh one.
package let testSeed =
  ProcessInfo.processInfo.environment["LENKER_SEED"].flatMap { UInt64($0) } ?? 1
