package import Battery
import BoardFile
import Buttons
import Bytes
import Device
import DeviceState
import Graphics
import HCI
import Judging
import Panel
import PanelModel
import Recording
import Responder
import TestSupport
import VirtualAir

/// A device in virtual time with all that is around it: controller, phone, panel, store, buttons.
///
/// Does what the loop of the program does, and nothing takes any time but what a test lets pass.
package final class World: HCIReceiver {
  package internal(set) var device: Device<SeededCrypto>
  package let controller = VirtualController()
  private let judge: PacketJudge
  private let trace = Trace.ifWanted()
  package internal(set) var phone = VirtualPhone()
  package internal(set) var security = VirtualSecurity()
  package internal(set) var now: Instant
  /// The events, as JSON objects.
  package internal(set) var events: [Event] = []
  /// What the bus carried, a message each.
  package internal(set) var messages: [[UInt8]] = []
  /// What the other ends were given, in its order, since the last look: `packet`, `picture`, `store`,
  /// `gauge`, `report`.
  package internal(set) var order: [String] = []
  /// Sees each event at its moment.
  package var onEvent: (Event) -> Void = { _ in }
  /// Is called when a whole picture has arrived.
  package var onPicture: () -> Void = {}
  /// Sees what is written to the store before it is there.
  package var onStore: (_ bytes: [UInt8], _ offset: Int) -> Void = { _, _ in }
  private var inbox: [[UInt8]] = []
  package private(set) var panel: PanelModel
  /// What the disk has.
  package var disk = [UInt8](repeating: 0, count: 1024)
  package var storeFacts = StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false)
  /// How often somebody else's file was kept aside.
  package private(set) var asides = 0
  /// Why each port cannot be opened or used, if it cannot.
  package var faults: [Port: Errno] = [:]
  /// The registers of a battery's gauge, a byte each; nobody answers while there are none.
  package var gauge: [UInt8] = []
  /// Why a read of a gauge fails, if it does.
  package var onGauge: (GaugeRead) -> Errno? = { _ in nil }
  /// When registers were read, and which.
  package internal(set) var gaugeReads: [(time: Int64, register: UInt8)] = []
  /// Where the panel answers.
  package var panelAddress: UInt8 = 0x3C
  /// What calls of several messages end with, where the adapter cannot carry them.
  package var joinedFault: Errno?
  /// What each call of the panel's bus ends with, though it can be opened.
  package var busFault: BusFault?
  /// When calls have failed so, and how many bytes each had.
  package internal(set) var refused: [(time: Int64, count: Int)] = []
  /// How many messages each call had that arrived.
  package internal(set) var calls: [Int] = []
  /// The report on the disk, as far as it was written.
  package var reportFile: [UInt8] = []
  /// Why the report cannot be written, if it cannot.
  package var reportFault: Errno?
  /// The levels that the alert line was given, and when.
  package internal(set) var alerts: [(time: Int64, isHigh: Bool)] = []
  /// The levels that the panel's reset line was given, and when.
  package private(set) var resets: [(time: Int64, isHigh: Bool)] = []
  /// When the controller's driver was to be unbound and bound again.
  package internal(set) var rebinds: [Int64] = []
  /// What that does.
  package var onRebind: (World) -> Void = { _ in }
  /// Whether the transport takes nothing at the moment.
  package var isTransportFull = false
  /// What becomes of a packet on its way from the controller.
  package var onHear: ([UInt8]) -> [[UInt8]] = { [$0] }
  /// Sees each packet of the device.
  package var onSend: ([UInt8]) -> Void = { _ in }
  /// How often the loop has gone round.
  package private(set) var turns = 0
  /// When each port was opened, or was tried to.
  package internal(set) var attempts: [Port: [Int64]] = [:]

  package init(
    _ settings: [String] = [], at start: Instant = Instant(milliseconds: 1_000_000),
    pairs: Bool = false, boots: Bool = true, mistake: String = "",
    means: RecoveryMeans = .none, version: String = "0.2.0"
  ) throws {
    var parser = BoardParser()
    let defaults = ["events=stderr", "buttons=stdin", "pairing=off"]
    let names = settings.map { $0.split(separator: "=")[0] }
    let all = settings + defaults.filter { !names.contains($0.split(separator: "=")[0]) }
    for (index, setting) in all.enumerated() {
      let setting = Array(setting.utf8)
      try parser.override(setting.span, position: index + 1)
    }
    let board = try parser.finish()
    judge = PacketJudge(mayAdvertise: settings.contains("advertise=on"))
    // For so long a panel that is switched on takes nothing.
    let powerUpTime: Int64 = boots ? 100 : 0
    now = start + -powerUpTime
    panel = PanelModel(board.panel)
    device = Device(
      board, version: Array(version.utf8).span, boardAddress: nil,
      mistake: Array(mistake.utf8).span,
      cryptography: SeededCrypto(.initiator, seed: UInt64(truncatingIfNeeded: start.milliseconds)),
      recoveredBy: means, at: now)
    controller.phone = phone
    controller.clock = { [unowned self] in now.milliseconds }
    if pairs {
      phone.security = security
      phone.address = security.privateAddress(1)
    }
    if boots { pass(powerUpTime) }
  }

  // MARK: - The loop

  /// Lets the time pass, with each deadline on the way.
  package func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while true {
      turn()
      guard let due = nextDeadline, due <= end else { break }
      noteProgress(due)
      if due > now {
        now = due
        if device.deadline == due { timerWakeUps += 1 }
      }
      if controller.advance(self) { deeds += 1 }
    }
    now = end
    turn()
  }

  /// When something happens by itself, to the device or in the air.
  private var nextDeadline: Instant? {
    guard let air = controller.deadline else { return device.deadline }
    let next = Instant(milliseconds: air)
    return device.deadline.map { min($0, next) } ?? next
  }

  /// How often the device woke because something was due, and nothing was heard.
  package private(set) var timerWakeUps = 0

  /// What is due gets done in a turn: a deadline that stays would never let the time pass.
  private func noteProgress(_ due: Instant) {
    idleTurns = due > now || deeds > deedsBefore ? 0 : idleTurns + 1
    deedsBefore = deeds
    if idleTurns >= 2 { giveUp("the device spins at \(now), \(connection)") }
  }

  private var idleTurns = 0
  /// How often anything was said, written or tried.
  var deeds = 0
  private var deedsBefore = 0

  /// What happens between two waits, until nothing more comes.
  func turn() {
    repeat {
      turns += 1
      receive()
      openPorts()
      device.advance(to: now)
      send()
    } while !inbox.isEmpty
  }

  private func openPorts() {
    for port in [.store, .hci, .panelReset, .panel, .buttons, .alert] as [Port] {
      guard device.upkeep.isDue(port, at: now) else { continue }
      attempts[port, default: []].append(now.milliseconds)
      deeds += 1
      if let fault = faults[port] {
        device.failed(port, fault, at: now)
      } else {
        open(port)
      }
    }
    if device.upkeep.isRebindRequested {
      device.rebindRequestWasSent()
      deeds += 1
      rebinds.append(now.milliseconds)
      onRebind(self)
    }
    takeEvents()
  }

  private func open(_ port: Port) {
    switch port {
    case .hci:
      controller.powerCycle()
      inbox = []
      isTransportFull = false
      judge.transportWasOpened()
      device.radioWasOpened(at: now)
    case .panelReset: resets.append((now.milliseconds, false))
    case .panel: device.panelWasOpened(at: now)
    case .buttons:
      device.buttonsWereOpened(
        isAPressed: pressed.contains(0), isBPressed: pressed.contains(1), at: now)
    case .alert: device.alertWasOpened(at: now)
    case .store:
      device.storeWasOpened(disk.span, storeFacts, at: now)
      guard device.store.isToBeSetAside else { return }
      asides += 1
      disk = [UInt8](repeating: 0, count: 1024)
      device.storeWasSetAside(isOpenToOthers: false, at: now)
    }
  }

  func send() {
    sendPackets()
    while !device.storeOutput.isEmpty {
      if let fault = faults[.store] {
        device.failed(.store, fault, at: now)
        break
      }
      order.append("store")
      deeds += 1
      let (bytes, offset) = (array(device.storeOutput), device.storeOutputOffset)
      onStore(bytes, offset)
      trace?.add(.store, bytes, at: now.milliseconds)
      disk.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      device.storeOutputWasWritten(at: now)
    }
    sendPackets()
    if let level = device.alertChange {
      deeds += 1
      if let fault = faults[.alert] {
        device.failed(.alert, fault, at: now)
      } else {
        alerts.append((now.milliseconds, level == .high))
        trace?.add(.line, [level == .high ? 1 : 0], at: now.milliseconds)
        device.alertWasSet(level)
      }
    }
    endPanelReset()
    while !device.messages.isEmpty {
      if let fault = panelFault {
        failPanel(fault)
        break
      }
      order.append("picture")
      deeds += 1
      calls.append(device.messageLengths.count)
      deliver()
      let isWhole = device.display.output.endsPicture
      device.messagesWereSent(frame: nil, at: now)
      if isWhole { onPicture() }
    }
    readGauge()
    writeReport()
    takeEvents()
  }

  private func endPanelReset() {
    guard device.isPanelResetOver else { return }
    deeds += 1
    if let fault = faults[.panelReset] { return device.failed(.panelReset, fault, at: now) }
    resets.append((now.milliseconds, true))
    device.panelResetWasEnded(at: now)
  }

  private var panelFault: Errno? {
    if let fault = faults[.panel] ?? busFault?.reason { return fault }
    guard device.display.panelPort.address == panelAddress else { return .noSuchAddress }
    return device.messageLengths.count > 1 ? joinedFault : nil
  }

  /// One piece of it in each turn.
  private func writeReport() {
    guard device.recorder.isPieceDue else { return }
    deeds += 1
    if let reportFault { return device.reportFailed(reportFault, at: now) }
    order.append("report")
    var piece = FixedBuffer<4096>()
    let offset = device.writeReport(into: &piece)
    let bytes = array(piece.bytes)
    trace?.add(.report, bytes, at: now.milliseconds)
    if reportFile.count < offset + bytes.count {
      reportFile += [UInt8](repeating: 0, count: offset + bytes.count - reportFile.count)
    }
    reportFile.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    device.reportPieceWasWritten(at: now)
  }

  private func sendPackets() {
    judgePacket()
    while !isTransportFull, !device.packet.isEmpty {
      let packet = array(device.packet)
      judge.readyWasSent()
      device.packetWasSent(at: now)
      deeds += 1
      order.append("packet")
      onSend(packet)
      trace?.add(.packet, packet, at: now.milliseconds)
      if faults[.hci] == nil { controller.take(packet, self) }
      judgePacket()
    }
  }

  private func judgePacket() {
    let packet = array(device.packet)
    judge.hasReady(packet)
  }

  /// A part of the call has arrived.
  private func failPanel(_ fault: Errno) {
    if let busFault {
      refused.append((now.milliseconds, device.messages.count))
      deliver(upTo: busFault.arrived)
    }
    device.failed(.panel, fault, at: now)
  }

  private func deliver(upTo count: Int = .max) {
    let bytes = array(device.messages)
    var start = 0
    for index in device.messageLengths.indices where start < count {
      let end = min(start + Int(device.messageLengths[index]), count)
      messages.append(Array(bytes[start..<end]))
      trace?.add(.message, bytes[start..<end], at: now.milliseconds)
      panel.receive(bytes.span.extracting(start..<end))
      start = end
    }
  }

  /// LE Connection Complete of a sensor.
  private func judgeSensors(_ packet: [UInt8]) {
    guard packet.count >= 15, packet.starts(with: [0x04, 0x3E]), packet[3] == 0x01 else { return }
    let peer = Array(packet[8..<15])
    guard controller.sensors.contains(where: { $0.address == peer }) else { return }
    judge.isSensors((UInt16(packet[5]) | UInt16(packet[6]) << 8) & 0x0FFF)
  }

  private func receive() {
    while !inbox.isEmpty {
      judgePacket()
      let packet = inbox.removeFirst()
      judge.received(packet)
      judgeSensors(packet)
      device.receive(packet.span, at: now)
      takeEvents()
    }
    readEdges()
  }

  func takeEvents() {
    guard !device.events.isEmpty else { return }
    let lines = array(device.events)
    device.eventsWereWritten()
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let event = Event(String(decoding: line, as: UTF8.self))
      trace?.add(.event, line, at: now.milliseconds)
      // Each step but the last stops the host; a watchdog that is starved leaves it at work.
      if event.name == "recovery", event["step"] != "reboot" { judge.hostFailed() }
      deeds += 1
      events.append(event)
      onEvent(event)
    }
  }

  package func receive(_ packet: [UInt8]) { inbox += onHear(packet) }

  /// The panel loses its power, and with it all that it was told.
  package func cutPanelPower() { panel = PanelModel(device.board.panel) }

  /// The transport ends, as when the controller is pulled out.
  package func loseRadio(_ failure: RadioFailure = .errno(.peerClosed)) {
    inbox = []
    controller.powerCycle()
    device.radioFailed(failure, at: now)
    takeEvents()
  }

  /// Fails a port that is open.
  package func fail(_ port: Port, _ reason: Errno) {
    device.failed(port, reason, at: now)
    takeEvents()
  }

  /// The buttons that are held.
  var pressed: Set<Int> = []
}
