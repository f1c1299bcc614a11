import BoardFile
import Bytes
import Crypto
import HCI
import Host
import Komoot
import Linux

/// Opens every device that the board names and says how each one is.
struct Check: ~Copyable {
  /// How long the controller has for its bring-up.
  private static var patience: Int64 { 6_000 }

  private let board: Board
  private var isAllWell = true

  init(_ board: Board) { self.board = board }

  /// Returns whether all is well; one line a device says what it is.
  mutating func run() -> Bool {
    checkRadio()
    checkPanel()
    checkButtons()
    checkAlert()
    checkStore()
    checkFile("events", board.events)
    checkFile("i2c-trace", board.i2cTrace)
    checkFile("btsnoop", board.btsnoop)
    return isAllWell
  }

  // MARK: - The radio

  private mutating func checkRadio() {
    var line = Explanation()
    line.append(board.hci)
    var failure = Explanation()
    if let information = bringUp(explaining: &failure) {
      line.append(": controller ")
      line.append(text: information.address)
      line.append(", HCI version ")
      line.append(decimal: Int64(widening: Int(information.version)))
      say(isWell: true, "hci", line.bytes)
    } else {
      say(isWell: false, "hci", failure.bytes)
    }
  }

  /// Brings the controller up as the device itself does; `nil` and a reason if that fails.
  private func bringUp(
    explaining failure: inout Explanation
  ) -> (address: DeviceAddress, version: UInt8)? {
    var radio = Radio(opening: Clock.now)
    var host = Host(
      service: NavigationService.uuid, characteristic: NavigationService.characteristic,
      name: board.name.bytes, pairing: board.pairingPolicy, cryptography: SoftwareCrypto())
    let end = Clock.now + Self.patience
    do throws(Radio.Failure) {
      while Clock.now < end {
        try turn(&radio, &host, until: end)
        while let event = host.takeEvent() {
          switch event {
          case .controller(let address, let version, _): return (address, version)
          case .failed(let reason):
            reason.explain(into: &failure)
            return nil
          default: continue
          }
        }
      }
      throw radio.close(.unanswered, at: Clock.now)
    } catch {
      error.explain(board.hci, into: &failure)
      return nil
    }
  }

  /// One turn of a loop that has only a radio.
  private func turn(
    _ radio: inout Radio, _ host: inout Host<SoftwareCrypto>, until end: Instant
  ) throws(Radio.Failure) {
    if try radio.advance(board.hci, to: Clock.now) == .opened { host.start(at: Clock.now) }
    while radio.takesOutput, !host.output.isEmpty {
      try radio.send(host.output, at: Clock.now)
      host.outputWasSent(at: Clock.now)
    }
    var poller = Poller()
    poller.add(radio.descriptor, radio.interest)
    poller.wait(
      until: earlier(end, earlier(radio.deadline, host.deadline)), now: Clock.now)
    let now = Clock.now
    if poller.isWritable(radio.descriptor), try radio.becameWritable(at: now) == .opened {
      host.start(at: now)
    }
    if poller.isReadable(radio.descriptor) {
      while try radio.receive(at: now) { host.receive(radio.packet, at: now) }
    }
    host.advance(to: now)
  }

  // MARK: - The other devices

  private mutating func checkPanel() {
    var line = Explanation()
    do throws(Errno) {
      switch board.display {
      case .i2c(let path, let address):
        var bus = try I2CBus(path: path.bytes, address: address)
        // Display off: harmless, and a panel that is there acknowledges it. SSD1306, 9 (AEh).
        var message = FixedBuffer<2>()
        message.append(0x00)
        message.append(0xAE)
        try bus.send(message.bytes)
        line.append(path.bytes)
      case .pbm(let folder):
        // After a picture of this run: those that are there stay.
        _ = try PBMWriter(folder: folder.bytes, after: 1)
        line.append(folder.bytes)
      }
      say(isWell: true, "display", line.bytes)
    } catch {
      error.explain(board.display, into: &line)
      say(isWell: false, "display", line.bytes)
    }
  }

  private mutating func checkButtons() {
    var line = Explanation()
    do throws(Errno) {
      let standIn = try board.buttons.openStandIn()
      let chip = try board.openButtons()
      guard standIn != nil || chip != nil else { return checkUnnamedLines() }
      board.describeButtons(into: &line)
      say(isWell: true, "buttons", line.bytes)
    } catch {
      error.explainButtons(board, into: &line)
      say(isWell: false, "buttons", line.bytes)
    }
  }

  /// A chip of which no line is anything is a mistake, not a wish.
  private mutating func checkUnnamedLines() {
    guard let chip = board.chip, board.alert == nil else { return }
    var line = Explanation()
    line.append(chip.bytes)
    line.append(": no line is named: set button-page and button-unpair")
    say(isWell: false, "buttons", line.bytes)
  }

  private mutating func checkAlert() {
    guard board.alert != nil else { return }
    var line = Explanation()
    do throws(Errno) {
      _ = try board.openAlert()
      board.describeAlert(into: &line)
      say(isWell: true, "alert", line.bytes)
    } catch {
      error.explainAlert(board, into: &line)
      say(isWell: false, "alert", line.bytes)
    }
  }

  private mutating func checkStore() {
    guard board.isStoreNamed, board.pairing != .off else { return }
    var line = Explanation()
    line.append(board.store.bytes)
    do throws(Errno) {
      _ = try BondFile(path: board.store.bytes, size: BondStore.size)
      say(isWell: true, "store", line.bytes)
    } catch {
      line.append(": ")
      line.append(error.storeExplanation)
      say(isWell: false, "store", line.bytes)
    }
  }

  private mutating func checkFile(_ name: String, _ output: Output) {
    guard case .file(let path) = output else { return }
    var line = Explanation()
    line.append(path.bytes)
    do throws(Errno) {
      try checkWritable(path.bytes)
      say(isWell: true, name, line.bytes)
    } catch {
      line.append(": ")
      line.append(error.explanation(for: .file))
      say(isWell: false, name, line.bytes)
    }
  }

  private mutating func say(isWell: Bool, _ device: String, _ text: Span<UInt8>) {
    if !isWell { isAllWell = false }
    var line = FixedBuffer<512>()
    line.append(isWell ? "ok " : "failed ")
    line.append(device)
    if !text.isEmpty { line.append(" ") }
    line.append(text)
    line.append("\n")
    Process.print(line.bytes)
  }
}
