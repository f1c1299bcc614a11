import ATT
import BoardFile
import Bytes
import Crypto
import Graphics
import Host
import Komoot
import Linux
import Navigation
import Panel
import Screens

/// The whole device: HCI packets in, I²C messages out, in one thread.
struct Navigator: ~Copyable {
  /// How long the peer and the panel are waited for at the end.
  private static var farewellTime: Int64 { 500 }
  /// However much a controller says, the rest of the loop has its turn.
  private static var packetsPerTurn: Int { 64 }

  let board: Board
  let signals: Signals
  private var manager = ServiceManager.ours
  var poller = Poller()
  var radio: Radio
  var panel: PanelOutput<I2CBus>
  var buttons: ButtonInput
  var alertLine: AlertLine
  var log: EventLog
  private var capture: Capture
  var keeper: BondKeeper
  /// Since when the rider is asked to compare a number.
  var comparisonStart = Instant(milliseconds: 0)
  var host: Host<SoftwareCrypto>
  var plan = ReadingPlan()
  var instruction = Instruction()
  /// Why the phone refused to be read, as last told.
  var refusal: AttributeError?
  var guidance: Guidance
  var scene: Scene
  var streetScroll = StreetScroll()
  var picture: Bitmap
  private var isStopping = false

  /// Takes the board's devices over, opening none of them yet.
  init(
    _ board: consuming Board, _ signals: consuming Signals, _ log: consuming EventLog,
    trace: consuming BusTrace, capture: consuming Capture, at now: Instant
  ) {
    radio = Radio(opening: now)
    panel = PanelOutput(
      board.panel, rotation: board.rotation, contrast: board.contrast, trace: trace,
      opening: now)
    buttons = ButtonInput(opening: now)
    alertLine = AlertLine(opening: board.alert == nil ? nil : now)
    host = Host(
      service: NavigationService.uuid, characteristic: NavigationService.characteristic,
      name: board.name.bytes, pairing: board.pairing, boardAddress: readBoardAddress(),
      cryptography: SoftwareCrypto())
    keeper = BondKeeper(opening: board.pairing == .off ? nil : now)
    scene = Scene(at: now)
    // From who starts us with other settings, as those of the rider were refused.
    Process.environment("LENKER_MISTAKE", into: &scene.mistake)
    guidance = Guidance(units: board.units)
    picture = Bitmap(panel.size)
    self.signals = signals
    self.log = log
    self.capture = capture
    self.board = board
  }

  /// Runs until somebody asks to stop.
  mutating func run() {
    while !isStopping {
      openDevices(at: Clock.now)
      sendPackets(at: Clock.now)
      manager.advance(to: Clock.now)
      wait(until: deadline)
      let now = Clock.now
      receivePackets(at: now)
      readButtons(at: now)
      advance(to: now)
      redraw(at: now)
    }
    shutDown(at: Clock.now)
  }

  // MARK: - The steps of the loop

  private mutating func openDevices(at now: Instant) {
    openStore(at: now)
    do throws(Radio.Failure) {
      if try radio.advance(board.hci, to: now) == .opened { host.start(at: now) }
    } catch {
      lost(error, at: now)
    }
    do throws(Errno) {
      if try panel.open(board.display, at: now) { scene.isChanged = true }
    } catch {
      reportPanel(error, at: now)
    }
    do throws(Errno) {
      try buttons.open(board, at: now)
    } catch {
      reportButtons(error, at: now)
    }
    openAlertLine(at: now)
    redraw(at: now)
  }

  private mutating func sendPackets(at now: Instant) {
    do throws(Radio.Failure) {
      while radio.takesOutput, !host.output.isEmpty {
        capture.sent(host.output)
        try radio.send(host.output, at: now)
        host.outputWasSent(at: now)
      }
    } catch {
      lost(error, at: now)
    }
  }

  private var deadline: Instant? {
    let outputs = earlier(panel.deadline, earlier(keeper.deadline, alertLine.deadline))
    let devices = earlier(radio.deadline, earlier(outputs, buttons.deadline))
    let phone = earlier(host.deadline, plan.deadline)
    let shown = earlier(scene.deadline, streetScroll.deadline)
    let told = earlier(guidance.deadline, manager.deadline)
    return earlier(devices, earlier(phone, earlier(told, shown)))
  }

  private mutating func wait(until deadline: Instant?) {
    poller.removeAll()
    poller.add(signals.descriptor)
    poller.add(radio.descriptor, radio.interest)
    buttons.wait(by: &poller)
    let now = Clock.now
    poller.wait(until: radio.hasReceived ? now : deadline, now: now)
    if signals.takeStop() { isStopping = true }
  }

  private mutating func receivePackets(at now: Instant) {
    do throws(Radio.Failure) {
      if poller.isWritable(radio.descriptor), try radio.becameWritable(at: now) == .opened {
        host.start(at: now)
      }
      guard poller.isReadable(radio.descriptor) || radio.hasReceived else { return }
      var count = 0
      while count < Self.packetsPerTurn, try radio.receive(at: now) {
        count += 1
        capture.received(radio.packet)
        host.receive(radio.packet, at: now)
        followEvents(at: now)
      }
    } catch {
      lost(error, at: now)
    }
  }

  private mutating func readButtons(at now: Instant) {
    do throws(Errno) {
      while let event = try buttons.next(poller, at: now) { follow(event, at: now) }
    } catch {
      reportButtons(error, at: now)
    }
  }

  private mutating func advance(to now: Instant) {
    host.advance(to: now)
    followEvents(at: now)
    if plan.takeDueRead(at: now) { host.read(at: now) }
    scene.advance(to: now)
    if streetScroll.advance(to: now) { scene.isChanged = true }
    scene.countDown(to: host.searchEnd, at: now)
    scene.unpairing = buttons.unpairProgress
    if scene.unpairing != nil { usePanel(.press, at: now) }
    if guidance.advance(to: now) { followAge(at: now) }
    followAlerts(at: now)
  }

  private mutating func followAge(at now: Instant) {
    scene.isChanged = true
    guard let age = guidance.age else { return }
    log.stale(seconds: age.seconds, at: now)
    if age.seconds >= Scene.memorySeconds { guidance.removeInstruction() }
  }

  private mutating func redraw(at now: Instant) {
    guard panel.isOpen, scene.isChanged || panel.isDue(at: now) else { return }
    scene.isChanged = false
    draw(at: now)
    do throws(Errno) {
      if let flush = try panel.show(picture, at: now) { log.frame(flush, at: now) }
    } catch {
      reportPanel(error, at: now)
    }
  }

  // MARK: - The end

  /// Leaves politely: the panel dark, the link closed, within a bounded time.
  private mutating func shutDown(at start: Instant) {
    manager.stop()
    silenceAlertLine(at: start)
    do throws(Errno) {
      if let flush = try panel.shutDown(at: start) { log.frame(flush, at: start) }
    } catch {
      reportPanel(error, at: start)
    }
    host.leave(at: start)
    let end = start + Self.farewellTime
    while radio.isOpen, !host.isQuiet, Clock.now < end {
      sendPackets(at: Clock.now)
      wait(until: earlier(end, host.deadline))
      let now = Clock.now
      receivePackets(at: now)
      host.advance(to: now)
      followEvents(at: now)
    }
  }
}
