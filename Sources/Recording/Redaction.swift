import ATT
package import Bytes
import Central
import HCI
import L2CAP
package import Link
package import PhoneServices
import SMP

/// Which parts of the next received packet may be shown.
package struct Discretion: Sendable {
  package let visibility: Visibility
  /// How the next bytes of Data Source are read.
  package let answer: AnswerReader

  package init(visibility: Visibility, answer: AnswerReader) {
    (self.visibility, self.answer) = (visibility, answer)
  }

  /// Everything may be shown: nobody asks a phone for private texts.
  package static var none: Discretion {
    Discretion(visibility: .all, answer: AnswerReader(uid: 0, hasMessage: false))
  }
}

/// Blanks what a capture of packets must not reveal: keys, and texts other than turns.
///
/// Takes all packets in their order, as a frame may come in any number of pieces.
package struct Redaction {
  /// The pieces of frames, in one direction.
  private struct Pieces {
    /// Which value a PDU of the Attribute Protocol has.
    enum Value {
      case other
      /// The phone's, in a Handle Value Notification.
      case notified
      /// One of ours, by a Write Request.
      case written
      /// One of ours in a PDU that our server refuses or drops: part of a long value, a command, a signed command.
      case unanswered
      /// The parts that our server has refused, in an Execute Write Request.
      case executed

      init(opcode: UInt8, isReceived: Bool) {
        switch AttributeOpcode(rawValue: opcode) {
        case .notification: self = .notified
        case .writeRequest where isReceived: self = .written
        default:
          // The upper two bits are those of a command and of a signature (3.3.1).
          switch AttributeOpcode(rawValue: opcode & 0x3F) {
          case .writeRequest where isReceived, .prepareWriteRequest where isReceived:
            self = .unanswered
          case .executeWriteRequest where isReceived: self = .executed
          default: self = .other
          }
        }
      }
    }

    /// Which of the following bytes are private.
    enum Secret {
      case none
      /// All from this byte of the frame on.
      case from(Int)
      /// The texts in an answer of Data Source.
      case answer(AnswerReader)
      /// What `WrittenLines` hides of a line.
      case line
    }

    /// Stands for each private byte, so that a text stays as long as it was.
    private static var letter: UInt8 { 0x78 }
    /// The first byte after the indicator and the header of ACL data.
    static var start: Int { 1 + 4 }

    /// Whether the frames come from a phone or a sensor.
    let areReceived: Bool
    var handle: UInt16?
    /// Bytes of the frame so far, and how many follow its header.
    var count = 0
    var length: UInt16 = 0
    var channel: UInt16 = 0
    /// Whether the frame hands out a key: Encryption, Identity or Signing Information.
    var hasKey = false
    var value = Value.other
    var attribute: UInt16 = 0
    var secret = Secret.none

    /// Begins another frame of this link, or none; the missing part of the old frame will not come any more.
    mutating func begin(_ handle: UInt16?, _ lines: inout WrittenLines) {
      if areReceived, let old = self.handle, count < BasicFrame.headerCount + Int(length) {
        lines.bytesWereLost(of: old)
      }
      self = Pieces(areReceived: areReceived, handle: handle)
    }

    /// Takes the bytes of a packet, and overwrites the private ones with a letter and those of a key with 0.
    mutating func blank(
      _ packet: inout FixedBuffer<1026>, _ lines: inout WrittenLines, _ discretion: Discretion
    ) {
      for index in Self.start..<max(Self.start, packet.count) {
        if hasKey {
          packet[index] = 0
        } else if receive(packet[index], &lines, discretion) {
          packet[index] = Self.letter
        }
      }
    }

    /// Receives the next byte; returns whether it is private.
    private mutating func receive(
      _ byte: UInt8, _ lines: inout WrittenLines, _ discretion: Discretion
    ) -> Bool {
      defer { count += 1 }
      switch secret {
      case .none: look(at: byte, discretion)
      case .from(let start): return count >= start
      case .line: return lines.receive(byte, of: handle ?? 0)
      case .answer(var answer):
        let piece = answer.receive(byte)
        secret = .answer(answer)
        if case .text = piece { return true }
      }
      return false
    }

    /// Looks at a byte of the frame's beginning, after which something private may come.
    private mutating func look(at byte: UInt8, _ discretion: Discretion) {
      switch count {
      case 0: length = UInt16(byte)
      case 1: length |= UInt16(byte) << 8
      case 2: channel = UInt16(byte)
      case 3: channel |= UInt16(byte) << 8
      case BasicFrame.headerCount where channel == ChannelIdentifier.securityManager.rawValue:
        hasKey = SecurityCode(rawValue: byte)?.isOfKey ?? false
      case BasicFrame.headerCount where channel == ChannelIdentifier.attribute.rawValue:
        value = Value(opcode: byte, isReceived: areReceived)
        if value == .executed { secret = .from(BasicFrame.headerCount + 1) }
      case BasicFrame.headerCount + 1: attribute = UInt16(byte)
      case BasicFrame.headerCount + 2:
        attribute |= UInt16(byte) << 8
        secret = secretBehindHandle(discretion)
      default: break
      }
    }

    /// What is private after the handle.
    private func secretBehindHandle(_ discretion: Discretion) -> Secret {
      let start = BasicFrame.headerCount + 3
      switch value {
      case .other, .executed: return .none
      case .unanswered: return .from(start)
      case .written where attribute == GATTServer.uartHandle: return .line
      // A configuration is shown.
      case .written: return .from(start + 2)
      case .notified: break
      }
      switch discretion.visibility.extent(of: attribute) {
      case .all: return .none
      case .first(let shown): return .from(start + shown)
      case .structure:
        var answer = discretion.answer
        answer.beginNotification()
        return .answer(answer)
      }
    }
  }

  /// The first byte after the indicator, the command's header and the handle: of the random number and the
  /// diversifier in a central's command, of the key itself in a peripheral's.
  private static var handleEnd: Int { 1 + 3 + 2 }

  private var received = Pieces(areReceived: true)
  private var sent = Pieces(areReceived: false)
  /// What links write to our UART.
  private var lines = WrittenLines()

  /// Before the first packet.
  package init() {}

  /// Overwrites keys, given to the controller or handed out by a phone, with zeros, and private texts that a
  /// phone notifies or writes with a letter.
  ///
  /// Core Specification, Vol 4, Part E, 7.8.24 and 7.8.25, and Vol 3, Part H, 3.6.2 to 3.6.6. With the key
  /// anybody can track the phone, or read what is encrypted.
  package mutating func blank(
    _ packet: inout FixedBuffer<1026>, isReceived: Bool, with discretion: Discretion = .none
  ) {
    switch packet[0] {
    case PacketIndicator.command:
      if let start = keyStart(packet.bytes) {
        for index in start..<max(start, packet.count) { packet[index] = 0 }
      }
      if opcode(packet.bytes) == .reset { lines.removeAll() }
    case PacketIndicator.event: noteEndOfLink(packet.bytes)
    case PacketIndicator.aclData:
      if isReceived {
        Self.blank(&packet, &received, &lines, discretion)
      } else {
        Self.blank(&packet, &sent, &lines, .none)
      }
    default: break
    }
  }

  /// Where the key begins in a command that has one.
  private func keyStart(_ packet: Span<UInt8>) -> Int? {
    switch opcode(packet) {
    case .leEnableEncryption: Self.handleEnd + 8 + 2
    case .leLongTermKeyRequestReply: Self.handleEnd
    default: nil
    }
  }

  private func opcode(_ packet: Span<UInt8>) -> Opcode? {
    guard packet.count > 2 else { return nil }
    return Opcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
  }

  /// Ends the line of a link that ends or is new, as the end of an old one may not have been reported.
  private mutating func noteEndOfLink(_ packet: Span<UInt8>) {
    // Both have the status before the handle; a LE Meta event has its subevent code before that.
    let start: Int
    switch EventCode(rawValue: packet.count > 1 ? packet[1] : 0) {
    case .disconnectionComplete: start = 4
    case .leMeta where packet.count > 3:
      switch LEEventCode(rawValue: packet[3]) {
      case .connectionComplete, .enhancedConnectionComplete: start = 5
      default: return
      }
    default: return
    }
    guard packet.count > start + 1, packet[start - 1] == 0 else { return }
    lines.linkIsOver((UInt16(packet[start]) | UInt16(packet[start + 1]) << 8) & 0x0FFF)
  }

  private static func blank(
    _ packet: inout FixedBuffer<1026>, _ pieces: inout Pieces, _ lines: inout WrittenLines,
    _ discretion: Discretion
  ) {
    let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
    let handle = field & 0x0FFF
    let isContinuation = (field >> 12) & 0b11 == 0b01
    guard isContinuation || !isWhole(packet.bytes) else {
      // A packet between two pieces of another link's frame changes nothing there.
      if pieces.handle == handle { pieces.begin(nil, &lines) }
      var whole = Pieces(areReceived: pieces.areReceived, handle: handle)
      return whole.blank(&packet, &lines, discretion)
    }
    if !isContinuation { pieces.begin(handle, &lines) }
    guard pieces.handle == handle else {
      // Nobody can say what a piece is whose beginning is not known.
      for index in Pieces.start..<max(Pieces.start, packet.count) { packet[index] = 0 }
      if pieces.areReceived { lines.bytesWereLost(of: handle) }
      return
    }
    pieces.blank(&packet, &lines, discretion)
  }

  /// Whether the packet has all of a frame.
  private static func isWhole(_ packet: Span<UInt8>) -> Bool {
    guard packet.count >= Pieces.start + BasicFrame.headerCount else { return false }
    let length = Int(packet[Pieces.start]) | Int(packet[Pieces.start + 1]) << 8
    return packet.count == Pieces.start + BasicFrame.headerCount + length
  }
}
