package import BoardFile
import Bytes
import Linux
import Recording
import Version

/// What the program was started with; a mistake ends the program here, with the reason on stderr.
package enum Start {
  package static var version: String { lenkerVersion }

  /// The same without the commit.
  package static var number: String { lenkerNumber }

  /// Ends the program with the usage if the arguments are wrong.
  package static func readArguments() -> Arguments {
    var arguments = Arguments()
    var argument = FixedBuffer<1024>()
    do throws(UsageError) {
      for position in 1..<max(1, Process.argumentCount) {
        // An argument that is too long is read as far as it fits, and refused.
        _ = Process.argument(position, into: &argument)
        try arguments.read(argument.bytes, position: position)
      }
      try arguments.finish()
    } catch {
      complain { error.write(about: argument.bytes, to: &$0) }
      let usage = Arguments.usage.utf8
      Process.complain(usage.span)
      Process.exit(ExitStatus.usage)
    }
    return arguments
  }

  /// Ends the program with one line if the board file or an override is wrong.
  package static func readBoard(_ arguments: borrowing Arguments) -> Board {
    var parser = BoardParser()
    var argument = FixedBuffer<1024>()
    do throws(BoardError) {
      if let file = arguments.boardFile {
        var text = FixedBuffer<16384>()
        readBoardFile(file, into: &text)
        try parser.read(file: text.bytes)
      }
      for position in 1..<max(1, Process.argumentCount) where arguments.isOverride(position) {
        _ = Process.argument(position, into: &argument)
        try parser.override(argument.bytes, position: position)
      }
      return try parser.finish()
    } catch {
      // Without a file only an override can be wrong, and its message needs no file name.
      let file = arguments.boardFile ?? Text("argument")
      complain { error.write(file: file.bytes, to: &$0) }
      Process.exit(ExitStatus.configuration)
    }
  }

  private static func readBoardFile(_ file: Text, into text: inout FixedBuffer<16384>) {
    do throws(Errno) {
      try readFile(file.bytes, into: &text)
    } catch {
      complain {
        $0.append(file.bytes)
        $0.append(":0: cannot be read: ")
        $0.append(error.explanation(for: .file))
      }
      Process.exit(ExitStatus.configuration)
    }
  }

  private static func complain(_ write: (inout FixedBuffer<1024>) -> Void) {
    var message = FixedBuffer<1024>()
    message.append("lenker: ")
    write(&message)
    message.append("\n")
    Process.complain(message.bytes)
  }
}
