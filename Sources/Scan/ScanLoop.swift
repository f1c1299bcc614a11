import BoardFile
import Bytes
import DeviceState
import Events
import Linux
import Places
import Ports
import Recording
import ScanTool

/// The loop: it moves bytes between the ports and the tool, and decides nothing.
///
/// It owns the ports and the time; `ScanTool` owns all else.
struct ScanLoop: ~Copyable {
  /// The most packets that are received before lines go out.
  private static var packetsPerTurn: Int { 16 }
  /// How long to wait at the end for the reader of the lines and the controller, in milliseconds.
  private static var farewellTime: Int64 { 1_000 }
  /// How long a line may wait for others, in milliseconds, and how many lines may wait: one write costs as
  /// much as making ten lines.
  private static var gatheringTime: Int64 { 20 }
  private static var mostGathered: Int { 16 }

  private var tool: ScanTool
  private let board: Board
  private var radio = Radio()
  private var capture: Capture
  /// Other programs read the lines here.
  private var server: EventServer
  private var input = ByteInput.standardInput
  private var output = StandardOutput()
  private var screen = FixedBuffer<16384>()
  private let signals: Signals?
  private var poller = Poller()
  /// When the waiting lines must go out.
  private var gatheringEnd: Instant?
  /// Whether the terminal shows the table and nothing else.
  private var isScreenOurs = false
  private var now: Instant

  init(
    _ arguments: consuming ScanArguments, _ board: Board, at start: Instant
  ) throws(PlaceError) {
    self.board = board
    now = start
    let isForPeople =
      arguments.command == .scan && Process.printsToTerminal && !arguments.wantsLines
    tool = try ScanTool(
      arguments, isForPeople: isForPeople, boardAddress: readBoardAddress(), at: start)
    capture = Capture(board.btsnoop, start: start)
    server = EventServer(board.events.socketPath, offering: .ofScanTool, start: start)
    // The kernel never refuses them.
    signals = try? Signals()
  }

  mutating func run() {
    readFingerprints()
    openRadio()
    if tool.isTableShown { beginScreen() }
    while true {
      act()
      guard !tool.hasEnded, !output.hasEnded else { break }
      // A table that the terminal has not taken yet is not drawn again, however old it is.
      wait(until: tool.deadline(at: now, drawsTable: screen.isEmpty))
      now = Clock.now
      if poller.hasEnded(output.descriptor) { output.end() }
      receive()
      server.receive(poller, at: now)
    }
    finish()
  }

  private mutating func act() {
    server.open(at: now)
    tool.advance(to: now)
    send()
    writeOutput()
    server.send(at: now)
  }

  // MARK: - Opening

  /// Ends the program if a file cannot be read, or is no fingerprint of a group.
  private mutating func readFingerprints() {
    let files = tool.arguments.files
    for index in 0..<files.count {
      let file = files[index]
      // Three times the size that a training writes.
      var text = FixedBuffer<131072>()
      do throws(Errno) {
        try readFile(file.path.bytes, into: &text)
      } catch {
        Self.end(about: file.path, error, ExitStatus.noInput)
      }
      do throws(FingerprintError) {
        let fingerprint = try Fingerprint(file: text.bytes)
        do throws(PlaceError) {
          try tool.locator.add(location: file.location, fingerprint)
        } catch {
          Self.end(about: file.path) {
            $0.append(" ")
            error.write(to: &$0)
          }
        }
      } catch {
        Self.end(about: file.path) { error.write(to: &$0) }
      }
    }
  }

  /// Ends the program as a file cannot be read or written.
  private static func end(about path: Text, _ error: Errno, _ status: Int32) -> Never {
    end(about: path, status) {
      $0.append(" ")
      $0.append(error.explanation(for: .file))
    }
  }

  private static func end(
    about path: Text, _ status: Int32 = ExitStatus.data,
    _ write: (inout FixedBuffer<4352>) -> Void
  ) -> Never {
    Scan.end(status) {
      $0.append(path.bytes)
      $0.append(":")
      write(&$0)
    }
  }

  private mutating func openRadio() {
    do throws(RadioFailure) {
      try radio.open(board.hci, at: now)
    } catch {
      endWithoutRadio(error)
    }
    if radio.isOpen { tool.radioWasOpened(at: now) }
  }

  /// Ends the program, as the radio cannot be opened or has failed.
  private mutating func endWithoutRadio(_ failure: RadioFailure) -> Never {
    endScreen()
    tool.finish(.done, at: now)
    drain()
    let port = board.hci
    Scan.end(ExitStatus.unavailable) {
      failure.explainCause(port, into: &$0)
      if failure.isMendedByOpening(port) { $0.append("; start lenker-scan again") }
      // The kernel does not say which program uses it.
      if port.isDevice, failure == .errno(.busy) || failure == .errno(.tooManyUsers) {
        $0.append("; if it is the service: sudo systemctl stop lenker")
      }
    }
  }

  // MARK: - Sending

  private mutating func send() {
    do throws(RadioFailure) {
      while radio.takesOutput, !tool.packet.isEmpty {
        capture.sent(tool.packet, at: now)
        try radio.send(tool.packet)
        tool.packetWasSent(at: now)
      }
    } catch {
      endWithoutRadio(error)
    }
  }

  /// Writes what standard output takes at once, without waiting.
  private mutating func writeOutput() {
    server.write(tool.log.lines, of: tool.log.lineTopics, at: now)
    tool.eventsWereWritten(wanted: server.wanted ?? Topics())
    // A table that is not out whole is not replaced: half of an escape sequence would stay visible.
    if tool.isTableDue(at: now), screen.isEmpty {
      screen.append("\u{1B}[H")
      drawTable()
      screen.append("\u{1B}[J")
    }
    while !screen.isEmpty {
      let written = output.write(screen.bytes)
      guard written > 0 else { return }
      screen.removeFirst(written)
    }
    guard areLinesDue else { return }
    while !tool.lines.isEmpty {
      let written = output.write(tool.lines.bytes)
      guard written > 0 else { return }
      tool.lines.removeFirst(written)
    }
    gatheringEnd = nil
  }

  /// Whether enough lines wait, or a line has waited long enough.
  private var areLinesDue: Bool {
    mutating get {
      guard !tool.lines.isEmpty else { return false }
      let end = gatheringEnd ?? now + Self.gatheringTime
      gatheringEnd = end
      return now >= end || tool.lines.count >= Self.mostGathered || tool.ending != nil
    }
  }

  // MARK: - Waiting and receiving

  private mutating func wait(until deadline: Instant?) {
    poller.removeAll()
    poller.add(signals.withValue { $0.descriptor } ?? .none)
    poller.add(radio.descriptor, radio.interest)
    if tool.arguments.command == .train { poller.add(input.descriptor) }
    let isOutputDue = !screen.isEmpty || areLinesDue
    poller.add(output.descriptor, isOutputDue ? .write : .end)
    server.addDescriptors(to: &poller)
    let now = Clock.now
    let told = earlier(server.deadline, isOutputDue ? nil : gatheringEnd)
    let due = earlier(earlier(deadline, told), radio.deadline)
    poller.wait(until: radio.hasReceived ? now : due, now: now)
  }

  private mutating func receive() {
    if signals.withValue({ poller.isReadable($0.descriptor) && $0.takeStop() }) ?? false {
      tool.finish(.done, at: now)
    }
    receiveWords()
    do throws(RadioFailure) {
      if poller.isWritable(radio.descriptor), try radio.becameWritable() {
        tool.radioWasOpened(at: now)
      }
      guard poller.isReadable(radio.descriptor) || radio.hasReceived else {
        return try radio.advance(to: now)
      }
      var count = 0
      while count < Self.packetsPerTurn, try radio.receive(at: now) {
        count += 1
        capture.received(radio.packet, at: now)
        tool.receive(radio.packet, at: now)
        writeOutput()
      }
    } catch {
      endWithoutRadio(error)
    }
  }

  private mutating func receiveWords() {
    guard tool.arguments.command == .train, poller.isReadable(input.descriptor) else { return }
    input.receive()
    while let byte = input.next() {
      if !tool.receiveInput(byte, at: now) {
        Scan.complain { $0.append("train understands pause, resume, abort and finalize") }
      }
    }
  }

  // MARK: - The end

  private mutating func finish() {
    endScreen()
    let ending = tool.ending ?? .done
    if tool.isFileDue, ending == .done { writeFingerprint() }
    drain()
    explain(ending)
    Process.exit(output.hasEnded ? 0 : ending.status)
  }

  /// Waits for the reader of the lines, for a bounded time, and reports what was lost in the last line.
  private mutating func drain() {
    let deadline = Clock.now + Self.farewellTime
    while true {
      tool.summarize(at: now)
      writeOutput()
      server.send(at: now)
      guard !output.hasEnded, Clock.now < deadline,
        tool.isSummaryDue || !tool.lines.isEmpty || !screen.isEmpty
      else { return }
      poller.removeAll()
      poller.add(output.descriptor, .write)
      poller.wait(until: deadline, now: Clock.now)
    }
  }

  private func explain(_ ending: ScanEnding) {
    switch ending {
    case .done: break
    case .controller(let failure):
      Scan.complain {
        $0.append(board.hci)
        $0.append(": ")
        failure.explainCause(into: &$0)
      }
    case .training(let error):
      Scan.complain {
        error.write(to: &$0)
        tool.training.writeHeard(to: &$0)
      }
    default: Scan.complain { ending.write(to: &$0) }
    }
  }

  /// Replaces the file of the fingerprint; if this fails, ends the program with the reason.
  private mutating func writeFingerprint() {
    guard let path = tool.arguments.output else { return }
    var text = FixedBuffer<40960>()
    tool.training.write(to: &text)
    do throws(Errno) {
      let file = try ReplacedFile(path: path.bytes)
      do throws(Errno) {
        try file.write(text.bytes)
      } catch {
        file.abandon()
        throw error
      }
      try file.finish()
    } catch {
      Self.end(about: path, error, ExitStatus.cannotCreate)
    }
  }

  /// Shows the table on a screen of its own, without a cursor and without breaking lines.
  private mutating func beginScreen() {
    isScreenOurs = true
    Process.print("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  private mutating func drawTable() {
    tool.table.draw(
      rows: Process.terminalRows, columns: Process.terminalColumns, at: now, to: &screen)
  }

  /// Restores the terminal, and leaves the last table on it.
  private mutating func endScreen() {
    guard isScreenOurs else { return }
    isScreenOurs = false
    screen.removeAll()
    screen.append("\u{1B}[?25h\u{1B}[?1049l\u{1B}[?7l")
    if !tool.table.isEmpty { drawTable() }
    screen.append("\u{1B}[?7h")
  }
}
