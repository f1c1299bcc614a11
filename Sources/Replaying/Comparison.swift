import ATT
import Bytes
import HCI
import L2CAP
import SMP

/// The packets of today's device beside the recorded ones.
package struct Comparison {
  /// A place where they differ; `nil` stands for no packet.
  package struct Divergence: Equatable {
    package var time: Int64
    package var expected: [UInt8]?
    package var got: [UInt8]?
  }

  package private(set) var divergences: [Divergence] = []
  package private(set) var matches = 0
  /// When the comparison begins, at first and after each place where something is missing.
  package private(set) var starts: [Int64] = []
  /// Whether both send the same, so that a difference counts.
  private(set) var isInStep = true
  /// The command that waits for its answer.
  private var command: [UInt8]?
  /// The attribute request of each link that waits for its response.
  private var requests: [[UInt8]] = []

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

  /// DHKey checks may differ, as only the old keys can make the same, and so may the confirm value of a number
  /// that was never sent.
  private func isSame(_ expected: [UInt8], _ got: [UInt8]) -> Bool {
    if let a = securityPDU(expected), let b = securityPDU(got), isOfSecrets(a), a.first == b.first {
      return a.count == b.count
    }
    return expected == got
  }

  private func isOfSecrets(_ pdu: ArraySlice<UInt8>) -> Bool {
    switch pdu.first.flatMap(SecurityCode.init) {
    case .pairingDHKeyCheck, .pairingConfirm: true
    default: false
    }
  }

  // MARK: - Without an answer

  mutating func sent(_ packet: [UInt8]) {
    if packet.first == PacketIndicator.command { command = packet }
    guard Self.isRequest(packet) else { return }
    endRequest(of: packet)
    requests.append(packet)
  }

  mutating func received(_ packet: [UInt8]) {
    commandWasAnswered(by: packet)
    guard let opcode = Self.attributeOpcode(packet), ServerPDU.isServer(opcode: opcode.rawValue)
    else { return }
    switch opcode {
    case .notification, .indication, .multipleNotification: break
    default: endRequest(of: packet)
    }
  }

  private mutating func endRequest(of packet: [UInt8]) {
    requests.removeAll { $0[1] == packet[1] && $0[2] & 0x0F == packet[2] & 0x0F }
  }

  static func isRequest(_ packet: [UInt8]) -> Bool {
    guard let opcode = attributeOpcode(packet), opcode != .confirmation else { return false }
    return !ServerPDU.isServer(opcode: opcode.rawValue)
  }

  private static func attributeOpcode(_ packet: [UInt8]) -> AttributeOpcode? {
    guard packet.count > 9, packet[0] == PacketIndicator.aclData, packet[2] & 0x30 != 0x10,
      UInt16(packet[7]) | UInt16(packet[8]) << 8 == ChannelIdentifier.attribute.rawValue
    else { return nil }
    return AttributeOpcode(rawValue: packet[9])
  }

  /// Command Complete and Command Status.
  private mutating func commandWasAnswered(by packet: [UInt8]) {
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

  /// An answer to a command whose own answer is missing in the recording.
  mutating func takeAnswer() -> [UInt8]? {
    guard let command else { return nil }
    self.command = nil
    return [
      PacketIndicator.event, EventCode.commandComplete.rawValue, 4, 1, command[1], command[2], 0,
    ]
  }

  /// Number Of Completed Packets, for this one.
  static func completion(of packet: [UInt8]) -> [UInt8] {
    [
      PacketIndicator.event, EventCode.numberOfCompletedPackets.rawValue, 5, 1, packet[1],
      packet[2] & 0x0F, 1, 0,
    ]
  }

  /// A refusal of the last request whose own response is missing in the recording: without any the link would end.
  mutating func takeRefusal() -> [UInt8]? {
    guard let request = requests.popLast() else { return nil }
    return [
      PacketIndicator.aclData, request[1], 0x20 | request[2] & 0x0F, 9, 0, 5, 0, 4, 0,
      AttributeOpcode.errorResponse.rawValue, request[9], 0, 0,
      AttributeError.attributeNotFound.rawValue,
    ]
  }
}

extension Comparison {
  /// How many divergences are listed.
  private static var most: Int { 20 }

  /// What was compared, and each divergence: its time, what was expected, and what came instead.
  package var summary: String {
    var lines = divergences.prefix(Self.most).map { divergence in
      "\(seconds(divergence.time)) s: expected \(hexadecimal(divergence.expected)), got \(hexadecimal(divergence.got))"
    }
    if divergences.count > Self.most { lines.append("… and \(divergences.count - Self.most) more") }
    let since = starts.map { "\(seconds($0)) s" }.joined(separator: ", ")
    lines.append(
      "\(matches) packets are the same, compared from \(since.isEmpty ? "nowhere" : since) on; "
        + (divergences.isEmpty ? "no divergence" : "\(divergences.count) divergences"))
    return lines.joined(separator: "\n")
  }

  private func hexadecimal(_ packet: [UInt8]?) -> String {
    guard let packet else { return "nothing" }
    return packet.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined(separator: " ")
  }
}

/// A time in seconds, of milliseconds.
func seconds(_ time: Int64) -> String {
  "\(time / 1000)." + String("\(1000 + time % 1000)".dropFirst())
}

/// Words of a file for a line of ours: short, and without characters that move a cursor.
func told(_ words: [String]) -> String {
  let line = words.joined(separator: " ").unicodeScalars.prefix(80)
  return line.map { isControl($0.value) || isLineSpace($0.value) ? "?" : String($0) }.joined()
}
