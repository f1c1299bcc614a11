import ATT
package import Bytes
import Central
import HCI
import L2CAP
package import Link
package import PhoneServices
import SMP

/// What of the next packet that is received may be shown.
package struct Discretion: Sendable {
  package let visibility: Visibility
  /// How the next bytes of Data Source are read.
  package let answer: AnswerReader

  package init(visibility: Visibility, answer: AnswerReader) {
    (self.visibility, self.answer) = (visibility, answer)
  }

  /// Everything, where nobody asks a phone for what is private.
  package static var none: Discretion {
    Discretion(visibility: .all, answer: AnswerReader(uid: 0, hasMessage: false))
  }
}

/// Blanks what a capture of packets must not reveal.
///
/// Takes all packets in their order, as a frame may come in any number of pieces.
package struct Redaction {
  /// The pieces of frames, in one direction.
  private struct Pieces {
    /// Stands for each private byte, so that a text stays as long as it was.
    private static var letter: UInt8 { 0x78 }
    /// Behind the indicator and the header of ACL data.
    static var start: Int { 1 + 4 }

    var handle: UInt16?
    /// Bytes of the frame so far.
    var count = 0
    var channel: UInt16 = 0
    /// Whether it hands out a key: Encryption, Identity or Signing Information.
    var isKey = false
    /// Whether it is a Handle Value Notification.
    var isNotification = false
    var attribute: UInt16 = 0
    /// From which byte on it is private; `nil` for none.
    var privateStart: Int?
    /// The answer of Data Source that it is a part of, if it is.
    var answer: AnswerReader?

    /// Takes the bytes of a packet, and overwrites those that are private, and all of one with a key.
    mutating func blank(_ packet: inout FixedBuffer<1026>, _ discretion: Discretion) {
      for index in Self.start..<max(Self.start, packet.count) {
        if isKey {
          packet[index] = 0
        } else if take(packet[index], discretion) {
          packet[index] = Self.letter
        }
      }
    }

    /// Takes the next byte; returns whether it is private.
    private mutating func take(_ byte: UInt8, _ discretion: Discretion) -> Bool {
      defer { count += 1 }
      if answer != nil {
        if case .text? = answer?.take(byte) { return true }
        return false
      }
      if let privateStart { return count >= privateStart }
      switch count {
      case 2: channel = UInt16(byte)
      case 3: channel |= UInt16(byte) << 8
      case BasicFrame.headerCount where channel == ChannelIdentifier.securityManager.rawValue:
        isKey = SecurityCode(rawValue: byte)?.isOfKey ?? false
      case BasicFrame.headerCount where channel == ChannelIdentifier.attribute.rawValue:
        isNotification = byte == AttributeOpcode.notification.rawValue
      case BasicFrame.headerCount + 1: attribute = UInt16(byte)
      case BasicFrame.headerCount + 2:
        attribute |= UInt16(byte) << 8
        if isNotification { limit(discretion) }
      default: break
      }
      return false
    }

    private mutating func limit(_ discretion: Discretion) {
      switch discretion.visibility.extent(of: attribute) {
      case .all: break
      case .first(let shown): privateStart = BasicFrame.headerCount + 3 + shown
      case .structure:
        answer = discretion.answer
        answer?.beginNotification()
      }
    }
  }

  /// Behind the indicator, the command's header and the handle: of a central's command there are the random
  /// number and the diversifier, of a peripheral's the key itself.
  private static var handleEnd: Int { 1 + 3 + 2 }

  private var received = Pieces()
  private var sent = Pieces()

  /// Before the first packet.
  package init() {}

  /// Overwrites a key that the controller is given, or that a phone hands out, with zeros, and what a phone
  /// notifies that is private with a letter.
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
    case PacketIndicator.aclData:
      if isReceived {
        blank(&packet, &received, discretion)
      } else {
        blank(&packet, &sent, .none)
      }
    default: break
    }
  }

  /// Where the key begins in a command that has one.
  private func keyStart(_ packet: Span<UInt8>) -> Int? {
    guard packet.count > 2 else { return nil }
    switch Opcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8) {
    case .leEnableEncryption: return Self.handleEnd + 8 + 2
    case .leLongTermKeyRequestReply: return Self.handleEnd
    default: return nil
    }
  }

  private func blank(
    _ packet: inout FixedBuffer<1026>, _ pieces: inout Pieces, _ discretion: Discretion
  ) {
    let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
    let handle = field & 0x0FFF
    let isContinuation = (field >> 12) & 0b11 == 0b01
    guard isContinuation || !isWhole(packet.bytes) else {
      // What comes between two pieces of another link's frame changes nothing there.
      var whole = Pieces(handle: handle)
      if pieces.handle == handle { pieces = Pieces() }
      return whole.blank(&packet, discretion)
    }
    if !isContinuation { pieces = Pieces(handle: handle) }
    guard pieces.handle == handle else {
      // Of a piece whose beginning is not known nobody can say what it is.
      for index in Pieces.start..<max(Pieces.start, packet.count) { packet[index] = 0 }
      return
    }
    pieces.blank(&packet, discretion)
  }

  /// Whether the packet has all of a frame.
  private func isWhole(_ packet: Span<UInt8>) -> Bool {
    guard packet.count >= Pieces.start + BasicFrame.headerCount else { return false }
    let length = Int(packet[Pieces.start]) | Int(packet[Pieces.start + 1]) << 8
    return packet.count == Pieces.start + BasicFrame.headerCount + length
  }
}
