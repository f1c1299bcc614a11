import BoardFile
import Bytes
import Linux
import Ports

/// The program: reads the arguments, and runs the device or answers.
@main enum Lenker {
  static func main() {
    let arguments = Start.readArguments()
    switch arguments.task {
    case .help:
      var help = FixedBuffer<4096>()
      Arguments.writeHelp(to: &help)
      Process.print(help.bytes)
    case .version:
      var text = FixedBuffer<32>()
      text.append("lenker ")
      text.append(Start.version)
      text.append("\n")
      Process.print(text.bytes)
    case .check:
      var check = Check(Start.readBoard(arguments))
      if !check.run() { Process.exit(ExitStatus.unavailable) }
    case .run:
      var loop = Loop(Start.readBoard(arguments), named: arguments.boardFile, at: Clock.now)
      loop.run()
    }
    Process.exit(0)
  }
}
