import Battery
import BoardFile
import Bond
import BondFile
import Buttons
import Bytes
import Central
import Device
import DeviceState
import Link
import Linux
import Ports
import Recording
import Sensors

/// The buttons, the alert line and the store.
extension Check {
  mutating func checkButtons() {
    guard board.hasButtons else { return checkUnnamedLines() }
    var report = Report("buttons")
    do throws(Errno) {
      var buttons = ButtonLines()
      try open(&buttons)
      board.describeButtons(into: &report)
      if buttons.otherChip != 0 {
        report.fact("the header's chip is /dev/gpiochip")
        report.append(decimal: Int64(widening: buttons.otherChip))
      }
      if buttons.haveContacts {
        if let line = board.buttonA { try describe(.a, line, of: buttons, in: &report) }
        if let line = board.buttonB { try describe(.b, line, of: buttons, in: &report) }
      }
    } catch {
      report = Report("buttons", isWell: false)
      error.explainButtons(board, into: &report)
      adviseRights(after: error, in: &report)
    }
    say(report)
  }

  /// Opens the buttons; a fifo that was not there before is removed again.
  private func open(_ buttons: inout ButtonLines) throws(Errno) {
    guard case .fifo(let path) = board.buttons else { return try buttons.open(board) }
    let before = PathBefore(path.bytes)
    try buttons.open(board)
    before.restore(path.bytes)
  }

  /// How to get the right to open the chip, if that is missing.
  private func adviseRights(after reason: Errno, in report: inout Report) {
    guard reason == .accessDenied, let chip = board.chip else { return }
    report.append(rightsTo: chip.bytes)
  }

  /// Says whether a button is pressed, and what is wrong with its wires if it is not held.
  private func describe(
    _ button: Button, _ line: UInt32, of buttons: borrowing ButtonLines, in report: inout Report
  ) throws(Errno) {
    let isPressed = try buttons.isPressed(button)
    report.fact()
    report.append(button == .a ? "A" : "B")
    report.append(isPressed ? ": pressed" : ": not pressed")
    guard isPressed else { return }
    report.hint("if nobody holds it,")
    report.append(line: line)
    report.append(
      " is wired to ground for ever: turn the button by a quarter, or look for a bridge")
  }

  /// A board that names a chip and none of its lines is a mistake.
  private mutating func checkUnnamedLines() {
    guard let chip = board.chip, board.alert == nil, board.panelReset == nil else { return }
    var report = Report("buttons", isWell: false)
    report.append(chip.bytes)
    report.append(": no line is named: set button-a and button-b")
    say(report)
  }

  /// Long enough to hear a buzzer or see an LED, in milliseconds.
  private static var signalTime: Int64 { 200 }

  mutating func checkAlert() {
    checkOutput(
      of: .alert,
      "was high for 0.2 s: if no buzzer sounded and no LED lit up, look at its wires"
    ) { (check) throws(Errno) in
      let line = try check.board.openOutput(of: .alert)
      try line.set(true)
      check.wait(Self.signalTime)
      try line.set(false)
    }
  }

  /// Resets the panel, so that it takes what is sent next.
  mutating func checkPanelReset() {
    checkOutput(of: .panelReset, "was low for 10 ms") { (check) throws(Errno) in
      let line = try check.board.openOutput(of: .panelReset)
      check.wait(ResetPulse.time)
      try line.set(true)
      check.wait(ResetPulse.time)
      check.panelReset = consume line
    }
  }

  /// Drives the line that a key names, if any, and says `fact` of it.
  private mutating func checkOutput(
    of key: Key, _ fact: String, by drive: (inout Check) throws(Errno) -> Void
  ) {
    guard board.line(of: key) != nil else { return }
    var report = Report(key.name)
    do throws(Errno) {
      try drive(&self)
      board.describeLine(of: key, into: &report)
      report.fact(fact)
    } catch {
      report.isWell = false
      error.explainLine(of: key, on: board, into: &report)
      adviseRights(after: error, in: &report)
    }
    say(report)
  }

  /// Waits while a person looks or listens.
  func wait(_ milliseconds: Int64) {
    var poller = Poller()
    let now = Clock.now
    poller.wait(until: now + milliseconds, now: now)
  }

  private var hasStore: Bool { board.isStoreNamed && board.pairing != .off }

  /// Whether another lenker runs with the same store, and so with the same devices.
  func isAnotherRunning() -> Bool {
    guard hasStore, isThere(board.store.bytes) else { return false }
    do throws(Errno) {
      _ = try BondFile(path: board.store.bytes, size: BondStore.size)
    } catch {
      return error == .wouldBlock
    }
    return false
  }

  mutating func checkStore() {
    guard hasStore else { return }
    let named = board.store
    let path = named.bytes
    // The service could not use a file that root makes here.
    let before = PathBefore(path)
    var report = Report("store")
    report.append(path)
    do throws(Errno) {
      try describeStore(in: &report, before)
    } catch {
      report = Report("store", isWell: false)
      report.append(path)
      report.append(": ")
      report.append(error.explanation(for: .store))
      before.restore(path)
    }
    say(report)
  }

  private func describeStore(in report: inout Report, _ before: PathBefore) throws(Errno) {
    let store = try BondFile(path: board.store.bytes, size: BondStore.size)
    var contents = FixedBuffer<1024>()
    try store.read(into: &contents)
    let facts = try store.facts()
    // It is still locked, so no other program can have begun to use it.
    before.restore(board.store.bytes)
    defer { contents.wipe() }
    if isForeign(BondStore(contents.bytes), facts) { throw .fileExists }
    report.fact()
    describeBond(in: contents.bytes, into: &report)
    if facts.isOpenToOthers {
      report.hint("others can read its keys: move it to a file system that knows owners")
    }
  }

  /// Says which phone the store remembers, by name, and never a key.
  private func describeBond(in bytes: Span<UInt8>, into report: inout Report) {
    let store = BondStore(bytes)
    switch store.condition {
    case .sound, .oneRecordDamaged: break
    case .damaged, .foreign, .later: return store.condition.explain(into: &report)
    }
    var isCodeMissing = false
    switch store.bond(in: bytes) {
    case .some(var bond):
      report.append("writable, remembers ")
      report.append(phone: bond.name)
      isCodeMissing = board.pairing == .required && !bond.isAuthenticated
      bond.wipe()
    case .none: report.append("writable, remembers no phone")
    }
    describeSensors(of: store, in: &report)
    describeApps(of: store, in: &report)
    guard isCodeMissing else { return }
    report.hint("the phone was paired without a code, and pairing = required: pair it again")
  }

  /// Says which apps have notified lately, by the names that a list of `notifications` has.
  private func describeApps(of store: borrowing BondStore, in report: inout Report) {
    let apps = store.apps
    guard !apps.isEmpty else { return }
    report.fact("notified lately: ")
    var start = 0
    while let app = SeenApps.name(in: apps.bytes, at: &start) {
      if start > app.count + 1 { report.append(", ") }
      report.append(app)
    }
  }

  /// Says which sensors the store remembers: kind, name and address.
  private func describeSensors(of store: borrowing BondStore, in report: inout Report) {
    let sensors = store.sensors
    for kind in SensorKind.all {
      guard let sensor = sensors[kind] else { continue }
      report.fact()
      report.append(kind.name)
      report.append(" sensor ")
      if !sensor.name.isEmpty {
        report.append(quoted: sensor.name)
        report.append(" ")
      }
      report.append(text: sensor.address)
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func append(phone name: Span<UInt8>) {
    guard !name.isEmpty else { return append("a phone without a name") }
    append(quoted: name)
  }

  fileprivate mutating func append(quoted name: Span<UInt8>) {
    append("\"")
    append(name)
    append("\"")
  }
}

/// The gauge of Lenker's own battery.
extension Check {
  mutating func checkBattery() {
    guard let kind = board.battery else { return }
    var report = Report("battery")
    report.append(kind.name)
    report.append(" at ")
    report.append(hexByte: kind.address)
    do throws(Errno) {
      try ask(kind, in: &report)
    } catch {
      report.isWell = false
      report.append(": ")
      report.append(error.explanation(for: .gauge))
    }
    say(report)
  }

  private func ask(_ kind: GaugeKind, in report: inout Report) throws(Errno) {
    let now = Clock.now
    var gauge = BatteryGauge(kind, at: now)
    var bus = PanelBus(tracing: .none, start: now)
    try bus.openForGauges(board.display)
    var bytes = FixedBuffer<2>()
    while let read = gauge.read(at: now) {
      try bus.read(read, into: &bytes)
      switch gauge.receive(bytes.bytes, of: read.register, at: now) {
      case nil: continue
      case .charge(let charge): describe(charge, in: &report)
      case .fault(let fault):
        report.isWell = false
        report.append(": ")
        fault.explain(kind, into: &report)
      }
    }
  }

  private func describe(_ charge: BatteryCharge, in report: inout Report) {
    report.fact()
    report.append(decimal: Int64(widening: Int(charge.percent)))
    report.append("%, ")
    report.append(milliseconds: Int64(widening: Int(charge.millivolts)))
    report.append(" V")
    switch charge.isCharging {
    case nil: break
    case true?: report.append(", charging")
    case false?: report.append(", not charging")
    }
  }
}
