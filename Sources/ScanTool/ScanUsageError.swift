import BoardFile
package import Bytes
import Events

/// What is wrong with the argument that was read last, or with all of them together.
///
/// `write` has the words of each.
package enum ScanUsageError: Error, Sendable {
  case unknownOption, unknownWord, unknownKey, badTopics, tooMany, badAddress, badLevel
  case missingAddress(ScanCommand)
  case missingLevel
  case option(ScanOption, Mistake)

  /// What is wrong with an option.
  package enum Mistake: Sendable {
    case badValue, missingValue, noValue, tooManyValues, second, missing
    case notFor(ScanCommand)
  }

  /// Writes what is wrong in one line, without a newline; `ScanArguments.writeHelp` says what is right.
  package func write(about argument: Span<UInt8>, to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .unknownOption: write("unknown option", about: argument, to: &writer)
    case .unknownWord: write("no command has such an argument:", about: argument, to: &writer)
    case .unknownKey:
      write(
        "of the keys of a board file only hci, btsnoop, topics and events=unix: mean something here, not",
        about: argument, to: &writer)
    case .badTopics:
      writer.append("topics wants all, or a list with commas of ")
      writer.append(Topics.ofScanTool, separator: ", ")
      write(", not", about: argument, to: &writer)
    case .tooMany:
      writer.append("more than ", ScanArguments.capacity)
      write(" arguments, from here on:", about: argument, to: &writer)
    case .badAddress:
      write("an address such as C4:5D:83:00:00:01 is wanted, not", about: argument, to: &writer)
    case .badLevel:
      write("on, off or a number from 0 to 1 is wanted, not", about: argument, to: &writer)
    case .missingAddress(let command):
      writer.append(command.word)
      writer.append(" wants the address of a device, such as C4:5D:83:00:00:01")
    case .missingLevel:
      writer.append("switch wants on, off or a number from 0 to 1 behind the address")
    case .option(let option, let mistake): write(option, mistake, about: argument, to: &writer)
    }
  }

  private func write(
    _ complaint: String, about argument: Span<UInt8>, to writer: inout some ByteWriter & ~Copyable
  ) {
    writer.append(complaint)
    writer.append(" \"")
    quote(argument, to: &writer)
    writer.append("\"")
  }

  private func write(
    _ option: ScanOption, _ mistake: Mistake, about argument: Span<UInt8>,
    to writer: inout some ByteWriter & ~Copyable
  ) {
    writer.append("--")
    writer.append(option.name)
    switch mistake {
    case .badValue:
      writer.append(" wants ")
      writer.append(option.meaning)
      write(", not", about: argument, to: &writer)
    case .missingValue:
      writer.append(" wants ")
      writer.append(option.meaning)
      writer.append(" behind it")
    case .noValue: write(" takes no value:", about: argument, to: &writer)
    case .tooManyValues: write(" is there too often, from here on:", about: argument, to: &writer)
    case .second: writer.append(" may be there once only")
    case .missing:
      writer.append(" is missing: it wants ")
      writer.append(option.meaning)
    case .notFor(let command):
      writer.append(" means nothing to ")
      writer.append(command.word)
    }
  }
}
