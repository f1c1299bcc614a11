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
      Process.print(ScanArguments.usage)
      Process.print(ScanArguments.help)
    case .version:
      Process.print("lenker-scan ")
      Process.print(Start.version)
      Process.print("\n")
    case .scan, .inspect, .train, .locate, .switch: run(arguments)
    }
    Process.exit(0)
  }

  private static func run(_ arguments: consuming ScanArguments) {
    do throws(BoardError) {
      let board = try arguments.board()
      do throws(PlaceError) {
        var loop = try ScanLoop(arguments, board, at: Clock.now)
        loop.run()
      } catch {
        end(ExitStatus.usage) { error.write(to: &$0) }
      }
    } catch {
      let file = Text("argument")
      end(ExitStatus.usage) { error.write(file: file.bytes, to: &$0) }
    }
  }

  /// Ends the program with the usage if the arguments are wrong.
  private static func readArguments() -> ScanArguments {
    var arguments = ScanArguments()
    var argument = FixedBuffer<1024>()
    do throws(ScanUsageError) {
      for position in 1..<max(1, Process.argumentCount) {
        // An argument that is too long is cut, and refused.
        _ = Process.argument(position, into: &argument)
        try arguments.read(argument.bytes, position: position)
      }
      try arguments.finish()
    } catch {
      complain { error.write(about: argument.bytes, to: &$0) }
      let usage = ScanArguments.usage.utf8
      Process.complain(usage.span)
      Process.exit(ExitStatus.usage)
    }
    return arguments
  }

  static func end(_ status: Int32, _ write: (inout FixedBuffer<4352>) -> Void) -> Never {
    complain(write)
    Process.exit(status)
  }

  static func complain(_ write: (inout FixedBuffer<4352>) -> Void) {
    // The longest one is about a training that has heard 32 beacons.
    var line = FixedBuffer<4352>()
    line.append("lenker-scan: ")
    write(&line)
    line.append("\n")
    Process.complain(line.bytes)
  }
}
