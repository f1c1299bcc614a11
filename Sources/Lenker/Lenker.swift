import BoardFile
import Bytes
import Linux

/// The program: arguments in, a ride or an answer out.
@main enum Lenker {
  static var version: String { "0.1.0" }

  /// Exit statuses of sysexits.h.
  private static var usageError: Int32 { 64 }
  private static var unavailable: Int32 { 69 }
  private static var configurationError: Int32 { 78 }

  static func main() {
    let arguments = readArguments()
    switch arguments.task {
    case .help:
      var help = FixedBuffer<4096>()
      Arguments.writeHelp(to: &help)
      Process.print(help.bytes)
    case .version:
      say("lenker ")
      say(version)
      say("\n")
    case .check:
      let board = readBoard(arguments)
      var check = Check(board)
      if !check.run() { Process.exit(unavailable) }
    case .run: run(readBoard(arguments), arguments)
    }
    Process.exit(0)
  }

  /// Ends the program with the usage if the arguments are wrong.
  private static func readArguments() -> Arguments {
    var arguments = Arguments()
    var argument = FixedBuffer<1024>()
    do throws(UsageError) {
      for position in 1..<max(1, Process.argumentCount) {
        // One that is longer than any can be is read as far as it goes, and refused.
        _ = Process.argument(position, into: &argument)
        try arguments.read(argument.bytes, position: position)
      }
      try arguments.finish()
    } catch {
      var message = FixedBuffer<512>()
      message.append("lenker: ")
      error.write(to: &message)
      message.append("\n")
      Process.complain(message.bytes)
      let usage = Arguments.usage.utf8
      Process.complain(usage.span)
      Process.exit(usageError)
    }
    return arguments
  }

  /// Ends the program with one line if the board file or an override is wrong.
  private static func readBoard(_ arguments: borrowing Arguments) -> Board {
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
      var message = FixedBuffer<1024>()
      message.append("lenker: ")
      // Without a file only an override can be wrong, and that names itself.
      let file = arguments.boardFile ?? Text("argument")
      error.write(file: file.bytes, to: &message)
      message.append("\n")
      Process.complain(message.bytes)
      Process.exit(configurationError)
    }
  }

  private static func readBoardFile(_ file: Text, into text: inout FixedBuffer<16384>) {
    do throws(Errno) {
      try readFile(file.bytes, into: &text)
    } catch {
      var message = FixedBuffer<512>()
      message.append("lenker: ")
      message.append(file.bytes)
      message.append(":0: cannot be read: ")
      message.append(error.explanation(for: .file))
      message.append("\n")
      Process.complain(message.bytes)
      Process.exit(configurationError)
    }
  }

  private static func run(_ board: Board, _ arguments: borrowing Arguments) {
    let start = Clock.now
    do throws(Errno) {
      let signals = try Signals()
      var log = EventLog(open(board.events), start: start)
      log.started(board: arguments.boardFile, at: start)
      let trace = BusTrace(open(board.i2cTrace), address: board.panelAddress, start: start)
      let capture = Capture(openCapture(board.btsnoop))
      var navigator = Navigator(board, signals, log, trace: trace, capture: capture, at: start)
      navigator.run()
    } catch {
      // Without signals nobody could end the program politely; the kernel never refuses them.
      complain("the stop signals cannot be taken over", error)
      Process.exit(unavailable)
    }
  }

  /// Opens a file of lines; one that cannot be opened is said and done without.
  private static func open(_ output: Output) -> LineFile {
    do throws(Errno) {
      return try output.open()
    } catch {
      if case .file(let path) = output { complain(path.bytes, error) }
      return .none
    }
  }

  private static func openCapture(_ output: Output) -> RecordFile {
    guard case .file(let path) = output else { return .none }
    do throws(Errno) {
      return try RecordFile(path: path.bytes)
    } catch {
      complain(path.bytes, error)
      return .none
    }
  }

  private static func complain(_ what: String, _ reason: Errno) {
    let utf8 = what.utf8
    complain(utf8.span, reason)
  }

  private static func complain(_ what: Span<UInt8>, _ reason: Errno) {
    var message = FixedBuffer<512>()
    message.append("lenker: ")
    message.append(what)
    message.append(": ")
    message.append(reason.explanation(for: .file))
    message.append("\n")
    Process.complain(message.bytes)
  }

  private static func say(_ text: String) {
    let utf8 = text.utf8
    Process.print(utf8.span)
  }
}
