/// What a test is run with, where it comes from a file or a filter: with nothing it would pass unseen.
public func nonEmpty<Arguments: Collection>(
  _ arguments: Arguments, file: StaticString = #fileID, line: Int = #line
) -> Arguments {
  if arguments.isEmpty { giveUp("\(file):\(line): a test would be run with nothing") }
  return arguments
}
