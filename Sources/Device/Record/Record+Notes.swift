import Bond
import Buttons
import Bytes
import HCI

/// The notes of what came in beside packets; Sources/Replay reads them.
extension Record {
  mutating func note(_ text: String, _ reason: Errno, at now: Instant) {
    note(at: now) {
      $0.append(text)
      $0.append(number: Int(reason.rawValue))
    }
  }

  /// The circumstances of the start.
  mutating func noteStart(boardAddress: DeviceAddress?, mistake: Span<UInt8>, at now: Instant) {
    if let boardAddress {
      note(at: now) {
        $0.append("board-address")
        $0.append(number: Int(boardAddress.type.rawValue))
        $0.append(" ")
        $0.append(hex: boardAddress.value, atLeast: 12)
      }
    }
    guard !mistake.isEmpty else { return }
    note(at: now) {
      $0.append("mistake ")
      $0.append(mistake)
    }
  }

  mutating func note(_ failure: RadioFailure, at now: Instant) {
    note(at: now) {
      $0.append("radio failed ")
      switch failure {
      case .errno(let reason):
        $0.append("errno")
        $0.append(number: Int(reason.rawValue))
      case .stream(.unknownIndicator(let byte)):
        $0.append("indicator")
        $0.append(number: Int(byte))
      case .stream(.oversize(let count)):
        $0.append("oversize")
        $0.append(number: count)
      case .stalled: $0.append("stalled")
      case .unanswered: $0.append("unanswered")
      }
    }
  }

  /// `sent` is how many messages of the picture had arrived.
  mutating func notePanelFailed(_ reason: Errno, sent: Int, at now: Instant) {
    note(at: now) {
      $0.append("panel failed")
      $0.append(number: Int(reason.rawValue))
      $0.append(number: sent)
    }
  }

  mutating func noteButtonsOpened(
    isPagePressed: Bool, isUnpairPressed: Bool, at now: Instant
  ) {
    note(at: now) {
      $0.append("buttons open")
      $0.append(number: isPagePressed ? 1 : 0)
      $0.append(number: isUnpairPressed ? 1 : 0)
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
    note(at: now) {
      $0.append("store written")
      $0.append(number: offset)
      BondStore.describe(output, into: &$0)
    }
  }

  mutating func note(_ gesture: Gesture, at now: Instant) {
    note(at: now) {
      $0.append("gesture ")
      $0.append(gesture.byte)
    }
  }

  /// The kernel saw it some milliseconds before now.
  mutating func note(_ edge: Edge, at now: Instant) {
    note(at: now) {
      $0.append("edge ")
      $0.append(edge.button.name)
      $0.append(number: edge.isPressed ? 1 : 0)
      $0.append(" ")
      $0.append(decimal: now - edge.time)
    }
  }

  mutating func noteRelease(of button: Button, at now: Instant) {
    note(at: now) {
      $0.append("release ")
      $0.append(button.name)
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// A number with a blank in front.
  fileprivate mutating func append(number: Int) {
    append(" ")
    append(decimal: Int64(widening: number))
  }
}
