import Battery
package import BoardFile
import BondFile
import Buttons
package import Bytes
package import Device
import DeviceState
package import Linux
import Recording
package import SMP

/// All ports of the board: it opens those that the device wants, and moves bytes between both.
///
/// It decides nothing: the device says what to open when, and what to send where.
public struct Outside: ~Copyable {
  /// The most packets that are received before the rest of the loop has its turn.
  private static var packetsPerTurn: Int { 64 }

  private var radio = Radio()
  private var panel: PanelBus
  private var buttons = ButtonLines()
  private var panelReset: GPIOLine?
  private var alert: GPIOLine?
  private var store: BondFile?
  private var report: ReportFile?
  private var eventLines: LineFile
  private var eventServer: EventServer
  private var capture: Capture
  private var poller = Poller()

  /// Opens what events, bus trace and capture go to; the ports are not open yet.
  package init(_ board: Board, at start: Instant) {
    eventLines = board.events.openLines()
    eventServer = EventServer(board.events.socketPath, offering: board.topics, start: start)
    eventServer.open(at: start)
    capture = Capture(board.btsnoop, start: start)
    panel = PanelBus(tracing: board.i2cTrace, start: start)
  }

  // MARK: - Opening

  /// Closes what the device has given up, and opens what it wants to be opened now.
  package mutating func open(for device: inout Device<some Crypto>, at now: Instant) {
    eventServer.open(at: now)
    if device.upkeep.ports[.hci].state == .closed { radio.close() }
    // The store before the radio, so that the first search is for the phone that is remembered.
    if device.upkeep.isDue(.store, at: now) { openStore(for: &device, at: now) }
    if device.upkeep.isDue(.hci, at: now) { openRadio(for: &device, at: now) }
    if device.upkeep.ports[.panel].state == .closed { close(.panel) }
    if device.upkeep.isDue(.panelReset, at: now) {
      attempt(.panelReset, for: &device, at: now) { (outside, device) throws(Errno) in
        outside.panelReset = try device.board.openOutput(of: .panelReset)
      }
    }
    if device.upkeep.isDue(.panel, at: now) {
      attempt(.panel, for: &device, at: now) { (outside, device) throws(Errno) in
        try outside.panel.open(device.display.panelPort, device.board.panel)
        device.panelWasOpened(at: now)
      }
    }
    if device.upkeep.isDue(.buttons, at: now) {
      attempt(.buttons, for: &device, at: now) { (outside, device) throws(Errno) in
        try outside.buttons.open(device.board)
        device.buttonsWereOpened(
          isAPressed: try outside.buttons.isPressed(.a),
          isBPressed: try outside.buttons.isPressed(.b), at: now)
      }
    }
    if device.upkeep.ports[.alert].state == .closed { alert = nil }
    if device.upkeep.isDue(.alert, at: now) {
      attempt(.alert, for: &device, at: now) { (outside, device) throws(Errno) in
        outside.alert = try device.board.openOutput(of: .alert)
        device.alertWasOpened(at: now)
      }
    }
    writeEvents(of: &device, at: now)
  }

  /// Does something with a port; if that fails, closes the port and reports the reason to the device.
  private mutating func attempt<Cryptography: Crypto>(
    _ port: Port, for device: inout Device<Cryptography>, at now: Instant,
    _ body: (inout Outside, inout Device<Cryptography>) throws(Errno) -> Void
  ) {
    do throws(Errno) {
      try body(&self, &device)
    } catch {
      close(port)
      device.failed(port, error, at: now)
    }
  }

  private mutating func close(_ port: Port) {
    switch port {
    case .hci: radio.close()
    case .panel, .panelReset:
      panel.close()
      panelReset = nil
    case .buttons: buttons.close()
    case .alert: alert = nil
    case .store: store = nil
    }
  }

  private mutating func openRadio(for device: inout Device<some Crypto>, at now: Instant) {
    do throws(RadioFailure) {
      try radio.open(device.board.hci, at: now)
    } catch {
      return device.radioFailed(error, at: now)
    }
    if radio.isOpen { device.radioWasOpened(at: now) } else { device.radioOpeningBegan(at: now) }
  }

  private mutating func openStore(for device: inout Device<some Crypto>, at now: Instant) {
    attempt(.store, for: &device, at: now) { (outside, device) throws(Errno) in
      var contents = FixedBuffer<1024>()
      outside.store = nil
      let store = try BondFile(path: device.board.store.bytes, size: BondStore.size)
      try store.read(into: &contents)
      device.storeWasOpened(contents.bytes, try store.facts(), at: now)
      contents.wipe()
      outside.store = consume store
      guard device.store.isToBeSetAside else { return }
      try outside.store?.setAside()
      let isOpenToOthers = outside.store.withValue { $0.protection == .open } ?? false
      device.storeWasSetAside(isOpenToOthers: isOpenToOthers, at: now)
    }
  }

  // MARK: - Sending

  /// Sends what the device has left: packets first, as no answer may wait for the bus or the disk;
  /// the picture last.
  package mutating func send(from device: inout Device<some Crypto>, at now: Instant) {
    sendPackets(of: &device, at: now)
    writeStore(of: &device, at: now)
    // What the disk has now may end a link.
    sendPackets(of: &device, at: now)
    setAlert(of: &device, at: now)
    endPanelReset(of: &device, at: now)
    sendPicture(of: &device, at: now)
    readGauge(for: &device, at: now)
    writeReport(of: &device, at: now)
    writeEvents(of: &device, at: now)
    eventServer.send(at: now)
  }

  private mutating func sendPackets(of device: inout Device<some Crypto>, at now: Instant) {
    do throws(RadioFailure) {
      while radio.takesOutput, !device.packet.isEmpty {
        capture.sent(device.packet, at: now)
        try radio.send(device.packet)
        device.packetWasSent(at: now)
      }
    } catch {
      device.radioFailed(error, at: now)
    }
  }

  private mutating func writeStore(of device: inout Device<some Crypto>, at now: Instant) {
    guard !device.storeOutput.isEmpty else { return }
    attempt(.store, for: &device, at: now) { (outside, device) throws(Errno) in
      while !device.storeOutput.isEmpty {
        guard try outside.store?.write(device.storeOutput, at: device.storeOutputOffset) != nil
        else { throw .noSuchFile }
        device.storeOutputWasWritten(at: now)
      }
    }
  }

  /// Writes one piece of a report; everything else has its turn between two pieces.
  private mutating func writeReport(of device: inout Device<some Crypto>, at now: Instant) {
    guard device.recorder.isPieceDue, let path = device.recorder.path else { return }
    do throws(Errno) {
      var piece = FixedBuffer<4096>()
      let offset = device.writeReport(into: &piece)
      if offset == 0, !device.recorder.isBegun { report = try ReportFile(path: path.bytes) }
      try report?.write(piece.bytes, at: offset)
      device.reportPieceWasWritten(at: now)
    } catch {
      device.reportFailed(error, at: now)
    }
    if !device.recorder.isPieceDue { report = nil }
  }

  private mutating func setAlert(of device: inout Device<some Crypto>, at now: Instant) {
    guard let level = device.alertChange else { return }
    attempt(.alert, for: &device, at: now) { (outside, device) throws(Errno) in
      try outside.alert?.set(level == .high)
      device.alertWasSet(level)
    }
  }

  private mutating func endPanelReset(of device: inout Device<some Crypto>, at now: Instant) {
    guard device.isPanelResetOver else { return }
    attempt(.panelReset, for: &device, at: now) { (outside, device) throws(Errno) in
      try outside.panelReset?.set(true)
      device.panelResetWasEnded(at: now)
    }
  }

  private mutating func sendPicture(of device: inout Device<some Crypto>, at now: Instant) {
    guard !device.messages.isEmpty else { return }
    attempt(.panel, for: &device, at: now) { (outside, device) throws(Errno) in
      while !device.messages.isEmpty {
        let frame = try outside.panel.send(
          device.messages, lengths: device.messageLengths,
          endsPicture: device.display.output.endsPicture, at: now)
        device.messagesWereSent(frame: frame, at: now)
      }
    }
  }

  /// Reads all registers of a round, for which the bus needs some 2 ms.
  private mutating func readGauge(for device: inout Device<some Crypto>, at now: Instant) {
    do throws(Errno) {
      var bytes = FixedBuffer<2>()
      while let read = device.gaugeRead {
        try panel.read(read, into: &bytes)
        device.gaugeWasRead(bytes.bytes, of: read.register, at: now)
      }
    } catch {
      // The panel may still answer: its next picture will show that.
      device.gaugeFailed(error, at: now)
    }
  }

  private mutating func writeEvents(of device: inout Device<some Crypto>, at now: Instant) {
    guard !device.events.isEmpty else { return }
    eventLines.write(lines: device.events)
    eventServer.write(device.events, of: device.eventTopics, at: now)
    device.eventsWereWritten()
  }

  // MARK: - Waiting

  /// Waits until there is something to receive or `descriptor` is readable, at most until `deadline`.
  package mutating func wait(until deadline: Instant?, or descriptor: Descriptor) {
    poller.removeAll()
    poller.add(descriptor)
    poller.add(radio.descriptor, radio.interest)
    buttons.addDescriptors(to: &poller)
    eventServer.addDescriptors(to: &poller)
    let now = Clock.now
    let ours = earlier(radio.deadline, eventServer.deadline)
    // No descriptor becomes readable for bytes that were read from it already.
    poller.wait(until: radio.hasReceived ? now : earlier(deadline, ours), now: now)
  }

  // MARK: - Receiving

  /// Gives the device what has come.
  package mutating func receive(into device: inout Device<some Crypto>, at now: Instant) {
    do throws(RadioFailure) {
      try receivePackets(into: &device, at: now)
    } catch {
      device.radioFailed(error, at: now)
    }
    attempt(.buttons, for: &device, at: now) { (outside, device) throws(Errno) in
      try outside.receivePresses(into: &device, at: now)
    }
    writeEvents(of: &device, at: now)
    eventServer.receive(poller, at: now)
    if let topics = eventServer.wanted { device.readEvents(about: topics) }
    eventServer.send(at: now)
  }

  private mutating func receivePackets(
    into device: inout Device<some Crypto>, at now: Instant
  ) throws(RadioFailure) {
    // The device may have given the transport up since: what that still holds no longer counts.
    if device.upkeep.ports[.hci].state == .closed { return radio.close() }
    if poller.isWritable(radio.descriptor), try radio.becameWritable() {
      device.radioWasOpened(at: now)
    }
    guard poller.isReadable(radio.descriptor) || radio.hasReceived else {
      return try radio.advance(to: now)
    }
    var count = 0
    while count < Self.packetsPerTurn, try radio.receive(at: now) {
      count += 1
      capture.received(radio.packet, with: device.discretion(for: radio.packet), at: now)
      device.receive(radio.packet, at: now)
      writeEvents(of: &device, at: now)
      if device.upkeep.ports[.hci].state == .closed { return radio.close() }
    }
  }

  private mutating func receivePresses(
    into device: inout Device<some Crypto>, at now: Instant
  ) throws(Errno) {
    buttons.receive(poller)
    while let byte = buttons.nextByte() {
      device.receive(byte, at: now)
      writeEvents(of: &device, at: now)
    }
    guard buttons.haveContacts else { return }
    while let edge = try buttons.nextEdge() {
      device.receive(edge, at: now)
      writeEvents(of: &device, at: now)
    }
    // The kernel may have dropped edges: the lines themselves say which button is released.
    if device.isPressDue(at: now) {
      if try !buttons.isPressed(.a) { device.buttonIsReleased(.a, at: now) }
      if try !buttons.isPressed(.b) { device.buttonIsReleased(.b, at: now) }
    }
    device.edgesWereRead(at: now)
  }
}
