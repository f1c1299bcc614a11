import Bond
import Buttons
import Bytes
import HCI
import Host

/// The notes of what came in beside packets; Sources/Replaying reads them.
extension Record {
  /// Adds a text with up to two numbers behind it.
  @inline(never)
  mutating func note(
    _ text: String, _ first: Int? = nil, _ second: Int? = nil, _ phase: Phase = .receiving,
    at now: Instant
  ) {
    note(phase, at: now) {
      $0.append(text)
      $0.append(number: first)
      $0.append(number: second)
    }
  }

  /// Adds a text with a text from outside behind it.
  @inline(never)
  mutating func note(_ text: String, _ rest: Span<UInt8>, at now: Instant) {
    note(at: now) {
      $0.append(text)
      $0.append(" ")
      $0.append(rest)
    }
  }

  mutating func note(
    _ text: String, _ reason: Errno, _ phase: Phase = .receiving, at now: Instant
  ) {
    note(text, Int(reason.rawValue), nil, phase, at: now)
  }

  /// The circumstances of the start.
  ///
  /// Behind `recovery` is when the board may be rebooted, if it may.
  mutating func noteStart(
    boardAddress: DeviceAddress?, mistake: Span<UInt8>, _ means: RecoveryMeans, at now: Instant
  ) {
    if let boardAddress {
      note(at: now) {
        $0.append("board-address")
        $0.append(number: Int(boardAddress.type.rawValue))
        $0.append(" ")
        $0.append(hex: boardAddress.value, atLeast: 12)
      }
    }
    if !mistake.isEmpty { note("mistake", mistake, at: now) }
    if means.canRebind {
      note("recovery", means.rebootTime.map { Int(truncatingIfNeeded: $0 - now) }, at: now)
    }
  }

  mutating func note(_ failure: RadioFailure, at now: Instant) {
    switch failure {
    case .errno(let reason): note("radio failed errno", reason, .any, at: now)
    case .stream(.unknownIndicator(let byte)):
      note("radio failed indicator", Int(byte), nil, .any, at: now)
    case .stream(.oversize(let count)): note("radio failed oversize", count, nil, .any, at: now)
    case .stalled: note("radio failed stalled", nil, nil, .any, at: now)
    case .unanswered: note("radio failed unanswered", nil, nil, .any, at: now)
    }
  }

  mutating func noteStoreOpened(_ contents: Span<UInt8>, _ facts: StoreFacts, at now: Instant) {
    note(at: now) {
      $0.append("store open")
      $0.append(number: facts.isDevice ? 1 : 0)
      $0.append(number: facts.isFree ? 1 : 0)
      $0.append(number: facts.isOpenToOthers ? 1 : 0)
      BondStore.describe(contents, into: &$0)
    }
  }

  mutating func noteStoreWritten(_ output: Span<UInt8>, at offset: Int, _ now: Instant) {
    note(.sending, at: now) {
      $0.append("store written")
      $0.append(number: offset)
      // The checksum alone says nothing of what the store holds.
      if output.count == BondStore.size / 2 { BondStore.describe(output, into: &$0) }
    }
  }

  mutating func note(_ gesture: Gesture, at now: Instant) {
    note(at: now) {
      $0.append("gesture ")
      $0.append(gesture.byte)
    }
  }

  mutating func note(_ conclusion: Conclusion, at now: Instant) {
    switch conclusion {
    case .here: note("home here", at: now)
    case .away: note("home away", at: now)
    case .deaf: note("deaf", at: now)
    }
  }

  /// The kernel saw it some milliseconds before now.
  mutating func note(_ edge: Edge, at now: Instant) {
    let age = Int(truncatingIfNeeded: now - edge.time)
    note(
      edge.button == .page ? "edge page" : "edge unpair", edge.isPressed ? 1 : 0, age, at: now)
  }

  mutating func noteRelease(of button: Button, at now: Instant) {
    note(button == .page ? "release page" : "release unpair", at: now)
  }
}

extension ByteWriter where Self: ~Copyable {
  /// A number with a blank in front, or nothing.
  fileprivate mutating func append(number: Int?) {
    guard let number else { return }
    append(" ")
    append(decimal: Int64(widening: number))
  }
}
