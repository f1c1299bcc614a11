package import Battery
package import BoardFile
package import Buttons
package import Bytes
import Central
package import Controller
package import DeviceState
import Events
package import HCI
package import Messages
package import Navigation
package import PhoneServices
import Screens
package import Search
package import Turns

/// The lines of the events.
extension EventLog {
  /// The program has started; `board` is the name of the board file.
  package mutating func started(version: Span<UInt8>, board: Span<UInt8>, at now: Instant) {
    write(.start, at: now) {
      $0.field("version", text: version)
      $0.field("board", text: board)
    }
  }

  /// The program has been updated to this version.
  package mutating func updated(to version: Span<UInt8>, at now: Instant) {
    write(.update, at: now) { $0.field("version", text: version) }
  }

  package mutating func failed(_ source: ErrorSource, _ message: Span<UInt8>, at now: Instant) {
    write(.error, at: now) {
      $0.field("source", literal: source.name)
      $0.field("message", text: message)
    }
  }

  package mutating func controller(
    _ address: DeviceAddress, version: UInt8, manufacturer: UInt16, chip: PiChip?, patch: UInt16,
    at now: Instant
  ) {
    write(.controller, at: now) {
      $0.field("address", address: address)
      $0.field("version", number: Int64(widening: Int(version)))
      $0.field("manufacturer", number: Int64(widening: Int(manufacturer)))
      guard let chip else { return }
      $0.field("chip", literal: chip.name)
      $0.field("patch", number: Int64(widening: Int(patch)))
      if patch == 0 { $0.field("missing", literal: chip.patchFile) }
    }
  }

  package mutating func recovery(_ step: RecoveryStep, count: Int64, at now: Instant) {
    write(.recovery, at: now) {
      $0.field("step", literal: step.name)
      $0.field("count", number: count)
    }
  }

  package mutating func scan(_ mode: ScanMode, at now: Instant) {
    write(.scan, at: now) {
      $0.field("mode", literal: mode == .fast ? "fast" : mode == .slow ? "slow" : "off")
    }
  }

  package mutating func home(isHere: Bool, at now: Instant) {
    write(.home, at: now) { $0.field("state", literal: isHere ? "here" : "away") }
  }

  package mutating func clock(_ time: LocalTime, in zone: Zone?, at now: Instant) {
    write(.clock, at: now) {
      let text = FixedBuffer<25> { time.write(in: zone, into: &$0) }
      $0.field("time", text: text.bytes)
    }
  }

  /// Lenker's own battery.
  package mutating func battery(_ charge: BatteryCharge, at now: Instant) {
    write(.battery, at: now) {
      $0.field("percent", number: Int64(widening: Int(charge.percent)))
      $0.field("voltage", thousandths: Int64(widening: Int(charge.millivolts)))
      if let isCharging = charge.isCharging { $0.field("charging", flag: isCharging) }
    }
  }

  package mutating func phone(
    _ address: DeviceAddress, rssi: Int8?, _ match: Match, at now: Instant
  ) {
    write(.phone, at: now) {
      $0.field("address", address: address)
      if let rssi { $0.field("rssi", number: Int64(widening: Int(rssi))) }
      switch match {
      case .service: $0.field("match", literal: "service")
      case .overflow: $0.field("match", literal: "overflow")
      case .bond: $0.field("match", literal: "bond")
      }
    }
  }

  package mutating func link(_ state: String, reason: ErrorCode? = nil, at now: Instant) {
    write(.link, at: now) {
      $0.field("state", literal: state)
      if let reason { $0.field("reason", number: Int64(widening: Int(reason.rawValue))) }
    }
  }

  /// The number that both sides show.
  package mutating func pairing(confirm number: UInt32, at now: Instant) {
    write(.pairing, at: now) {
      let digits = FixedBuffer<6> { $0.append(sixDigits: number) }
      $0.field("state", literal: "confirm")
      $0.field("number", text: digits.bytes)
    }
  }

  package mutating func pairing(_ state: String, at now: Instant) {
    write(.pairing, at: now) { $0.field("state", literal: state) }
  }

  /// The phone has to wait before it is asked; the seconds are rounded up.
  package mutating func pairing(delayedBySeconds seconds: Int64, at now: Instant) {
    write(.pairing, at: now) {
      $0.field("state", literal: "delayed")
      $0.field("seconds", number: seconds)
    }
  }

  package mutating func pairing(failed reason: PairingSetback, at now: Instant) {
    write(.pairing, at: now) {
      $0.field("state", literal: "failed")
      $0.field("reason", literal: reason.words.name)
    }
  }

  package mutating func bond(_ state: BondState, name: Span<UInt8>, at now: Instant) {
    write(.bond, at: now) {
      $0.field("state", literal: state.name)
      $0.field("name", text: name)
    }
  }

  /// An instruction of komoot's; its value may have held only the beginning of the `street`.
  package mutating func instruction(
    _ instruction: Instruction, into street: Span<UInt8>, at now: Instant
  ) {
    write(.instruction, at: now) {
      $0.field("id", number: Int64(widening: instruction.identifier))
      $0.field("direction", number: Int64(widening: Int(instruction.direction)))
      $0.field("distance", number: Int64(widening: instruction.distance))
      $0.field("street", text: street)
      $0.field("source", literal: "komoot")
    }
  }

  /// A turn that Gadgetbridge sent in this text: it has no identifier, and no number for its direction.
  package mutating func instruction(
    _ turn: borrowing Turn, saidAs text: Span<UInt8>, at now: Instant
  ) {
    guard wants(.instruction) else { return }
    var line = JSONLine()
    begin(&line, .instruction, at: now)
    if let action = turn.maneuver.action { line.field("action", literal: action) }
    line.field("distance", number: Int64(widening: turn.distance))
    line.field("street", text: turn.street)
    if !isEqual(text, turn.street) { line.field("text", text: text) }
    line.field("source", literal: "gadgetbridge")
    end(&line, .instruction)
  }

  package mutating func stale(seconds: Int64, at now: Instant) {
    write(.stale, at: now) { $0.field("age", number: seconds) }
  }

  /// The identifier is that of the phone's instruction that the progress is about, if it has one.
  package mutating func progress(_ progress: Progress, _ identifier: UInt32?, at now: Instant) {
    write(.progress, at: now) {
      if let identifier { $0.field("id", number: Int64(widening: identifier)) }
      $0.field("distance", number: progress.distance)
      $0.field("fraction", thousandths: progress.fraction)
      if let seconds = progress.seconds { $0.field("seconds", number: seconds) }
      $0.field("source", literal: progress.source.name)
    }
  }

  package mutating func alert(_ level: AlertLevel, at now: Instant) {
    write(.alert, at: now) { $0.field("level", literal: level.name) }
  }

  package mutating func button(_ gesture: Gesture, at now: Instant) {
    guard let (button, isLong) = gesture.press else { return }
    write(.button, at: now) {
      $0.field("name", literal: button.name)
      $0.field("press", literal: isLong ? "long" : "short")
    }
  }

  package mutating func report(_ state: ReportState, path: Text, at now: Instant) {
    write(.report, at: now) {
      $0.field("state", literal: state.name)
      $0.field("path", text: path.bytes)
    }
  }

  package mutating func frame(_ flush: Flush, at now: Instant) {
    write(.frame, at: now) {
      $0.field("number", number: flush.number)
      $0.field("bytes", number: Int64(widening: flush.bytes))
      $0.field("messages", number: Int64(widening: flush.messages))
    }
  }
}

/// What became of a report.
package enum ReportState {
  /// It is on the disk.
  case saved
  /// It could not be written.
  case failed

  package var name: String { self == .saved ? "saved" : "failed" }
}

/// What became of a bond.
package enum BondState {
  /// It was read from the store.
  case loaded
  /// It was written to the store.
  case saved
  /// It was removed from the store, as the rider asked.
  case erased
  /// The phone does not know us any more.
  case rejected

  package var name: String {
    switch self {
    case .loaded: "loaded"
    case .saved: "saved"
    case .erased: "erased"
    case .rejected: "rejected"
    }
  }
}

extension RecoveryStep {
  fileprivate var name: String {
    switch self {
    case .reset: "reset"
    case .reopen: "reopen"
    case .rebind: "rebind"
    case .reboot: "reboot"
    }
  }
}

extension AlertLevel {
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .depart: "depart"
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    case .arrive: "arrive"
    }
  }
}

extension Progress.Source {
  fileprivate var name: String {
    switch self {
    case .komoot: "komoot"
    case .gadgetbridge: "gadgetbridge"
    case .wheel: "wheel"
    case .speed: "speed"
    }
  }
}

extension Maneuver {
  /// Gadgetbridge's word for the maneuver, without details that do not change the arrow; `nil` if it has none.
  fileprivate var action: String? {
    switch self {
    case .straight: "continue"
    case .slightLeft: "left_slight"
    case .left: "left"
    case .sharpLeft: "left_sharp"
    case .sharpRight: "right_sharp"
    case .right: "right"
    case .slightRight: "right_slight"
    case .forkLeft: "keep_left"
    case .forkRight: "keep_right"
    case .uTurn: "uturn"
    case .roundabout: "roundabout"
    case .finish: "finish"
    case .offRoute: "offroute"
    case .none, .start, .pointOfInterest, .unknown: nil
    }
  }
}

/// Which part of the device an error is about.
package enum ErrorSource: Int {
  case hci, i2c, gpio, store, phone, sensor

  package var name: String {
    switch self {
    case .hci: "hci"
    case .i2c: "i2c"
    case .gpio: "gpio"
    case .store: "store"
    case .phone: "phone"
    case .sensor: "sensor"
    }
  }
}

extension JSONLine {
  @inline(never)  // one copy
  package mutating func field(_ key: String, address: DeviceAddress) {
    var text = FixedBuffer<20>()
    text.append(text: address)
    field(key, text: text.bytes)
  }
}
