import BoardFile
import Bytes
import Linux
import Recording

/// Opens every device that the board names and says how each one is.
struct Check: ~Copyable {
  let board: Board
  private let style: Report.Style
  private var isAllWell = true
  /// Held while the panel is checked.
  var panelReset: GPIOLine?

  init(_ board: Board) {
    self.board = board
    style = !Process.printsToTerminal ? .line : Process.wantsColor ? .color : .lines
  }

  /// Prints one report for each device; returns whether all is well.
  mutating func run() -> Bool {
    checkRadio()
    checkPanelReset()
    checkPanel()
    panelReset = nil
    checkBattery()
    checkButtons()
    checkAlert()
    checkStore()
    checkFile("report", board.report, by: ReportFile.checkWritable)
    checkFile("events", board.events)
    checkEventSocket()
    checkFile("i2c-trace", board.i2cTrace)
    checkFile("btsnoop", board.btsnoop)
    return isAllWell
  }

  /// Makes the socket that the events are read at, and removes it again.
  private mutating func checkEventSocket() {
    guard let path = board.events.socketPath else { return }
    check("events", path, as: .listener) { (path) throws(Errno) in
      _ = try ListeningSocket(path: path)
    }
  }

  mutating func say(_ report: borrowing Report) {
    if !report.isWell { isAllWell = false }
    var text = FixedBuffer<2048>()
    report.write(to: &text, style)
    Process.print(text.bytes)
  }

  private mutating func checkFile(
    _ name: String, _ output: Output,
    by checkWritable: (Span<UInt8>) throws(Errno) -> Void = checkWritable
  ) {
    guard case .file(let path) = output else { return }
    check(name, path, as: .file, by: checkWritable)
  }

  private mutating func check(
    _ name: String, _ path: Text, as kind: Errno.Context,
    by open: (Span<UInt8>) throws(Errno) -> Void
  ) {
    var report = Report(name)
    report.append(path.bytes)
    do throws(Errno) {
      try open(path.bytes)
    } catch {
      report.isWell = false
      report.append(": ")
      report.append(error.explanation(for: kind))
    }
    say(report)
  }
}
