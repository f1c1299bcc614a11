import BoardFile
import Bytes
import Linux
import Places
import Ports
import ScanTool

/// The program: reads the arguments, and listens, looks, learns or switches.
@main enum Scan {
  static func main() {
    let arguments = readArguments()
    switch arguments.command {
    case .help:
      var help = FixedBuffer<8192>()
      ScanArguments.writeHelp(to: &help)
      Process.print(help.bytes)
    case .version:
      var text = FixedBuffer<32>()
      text.append("lenker-scan ")
      text.append(Start.version)
      text.append("\n")
      Process.print(text.bytes)
    case .scan, .inspect, .train, .locate, .switch: run(arguments)
    }
    Process.exit(0)
  }

  private static func run(_ arguments: consuming ScanArguments) {
    let board = readBoard(arguments)
    let isForPeople =
      arguments.command == .scan && Process.printsToTerminal && !arguments.wantsLines
    do throws(PlaceError) {
      var loop = try ScanLoop(arguments, board, isForPeople: isForPeople, at: Clock.now)
      loop.run()
    } catch {
      var message = FixedBuffer<256>()
      error.write(to: &message)
      end(message.bytes, ExitStatus.usage)
    }
  }

  /// Ends the program with the usage if the arguments are wrong.
  private static func readArguments() -> ScanArguments {
    var arguments = ScanArguments()
    var argument = FixedBuffer<1024>()
    do throws(ScanUsageError) {
      for position in 1..<max(1, Process.argumentCount) {
        // One that is longer than any can be is read as far as it goes, and refused.
        _ = Process.argument(position, into: &argument)
        try arguments.read(argument.bytes, position: position)
      }
      try arguments.finish()
    } catch {
      var message = FixedBuffer<1024>()
      error.write(about: argument.bytes, to: &message)
      complain(message.bytes)
      let usage = ScanArguments.usage.utf8
      Process.complain(usage.span)
      Process.exit(ExitStatus.usage)
    }
    return arguments
  }

  /// The keys of the board that mean something here.
  private static func readBoard(_ arguments: borrowing ScanArguments) -> Board {
    var parser = BoardParser()
    var argument = FixedBuffer<1024>()
    do throws(BoardError) {
      for position in 1..<max(1, Process.argumentCount) where arguments.isOverride(position) {
        _ = Process.argument(position, into: &argument)
        try parser.override(argument.bytes, position: position)
      }
      return try parser.finish()
    } catch {
      var message = FixedBuffer<1024>()
      let file = Text("argument")
      error.write(file: file.bytes, to: &message)
      end(message.bytes, ExitStatus.usage)
    }
  }

  /// Ends the program with a complaint.
  static func end(_ complaint: Span<UInt8>, _ status: Int32) -> Never {
    complain(complaint)
    Process.exit(status)
  }

  /// Writes a line to standard error.
  static func complain(_ complaint: Span<UInt8>) {
    // The longest one is about a training that has heard 32 beacons.
    var line = FixedBuffer<4352>()
    line.append("lenker-scan: ")
    line.append(complaint)
    line.append("\n")
    Process.complain(line.bytes)
  }
}
