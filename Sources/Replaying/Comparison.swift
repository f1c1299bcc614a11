import HCI
import SMP

/// The packets of today's device beside the recorded ones.
package struct Comparison {
  /// Where they differ; `nil` for nothing.
  package struct Divergence: Equatable {
    package var time: Int64
    package var expected: [UInt8]?
    package var got: [UInt8]?
  }

  package private(set) var divergences: [Divergence] = []
  package private(set) var matches = 0
  /// From when on packets are compared, after each place where something is missing.
  package private(set) var starts: [Int64] = []
  /// Whether both send the same, so that a difference is one.
  private(set) var isInStep = true
  /// The command that waits for its answer.
  private var command: [UInt8]?

  /// Something is missing in the recording: both must first send the same again.
  mutating func lost() { isInStep = false }

  mutating func compare(_ expected: [UInt8]?, _ got: [UInt8]?, at time: Int64) -> Bool {
    if let expected, let got, isSame(expected, got) {
      if !isInStep || matches == 0 { starts.append(time) }
      isInStep = true
      matches += 1
      return true
    }
    if isInStep {
      divergences.append(Divergence(time: time, expected: expected, got: got))
      isInStep = false
    }
    return false
  }

  /// The DHKey checks may differ, as only the old keys can make the same.
  private func isSame(_ expected: [UInt8], _ got: [UInt8]) -> Bool {
    if let a = securityPDU(expected), let b = securityPDU(got), isDHKeyCheck(a), isDHKeyCheck(b) {
      return a.count == b.count
    }
    return expected == got
  }

  private func isDHKeyCheck(_ pdu: ArraySlice<UInt8>) -> Bool {
    pdu.first == SecurityCode.pairingDHKeyCheck.rawValue
  }

  // MARK: - Commands without an answer

  mutating func sent(_ packet: [UInt8]) {
    if packet.first == PacketIndicator.command { command = packet }
  }

  /// Command Complete and Command Status.
  mutating func received(_ packet: [UInt8]) {
    guard let command, packet.count > 6, packet[0] == PacketIndicator.event else { return }
    let place: Int
    switch EventCode(rawValue: packet[1]) {
    case .commandComplete: place = 4
    case .commandStatus: place = 5
    default: return
    }
    if packet[place] == command[1], packet[place + 1] == command[2] {
      self.command = nil
    }
  }

  /// The answer to a command whose own one is missing in the recording.
  mutating func takeAnswer() -> [UInt8]? {
    guard let command else { return nil }
    self.command = nil
    return [
      PacketIndicator.event, EventCode.commandComplete.rawValue, 4, 1, command[1], command[2], 0,
    ]
  }
}
