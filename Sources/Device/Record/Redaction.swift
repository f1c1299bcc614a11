public import Bytes
import HCI
import L2CAP

/// What packets must not reveal to those who read a capture of them.
///
/// Takes all packets in their order, as a frame may come in any number of pieces.
public struct Redaction {
  /// The pieces of frames, in one direction.
  private struct Pieces {
    var handle: UInt16?
    /// Bytes of the frame so far.
    var count = 0
    var channel: UInt16 = 0
    /// Whether it hands out a key: Encryption, Identity or Signing Information.
    var isKey = false

    mutating func take(_ byte: UInt8) {
      switch count {
      case 2: channel = UInt16(byte)
      case 3: channel |= UInt16(byte) << 8
      case BasicFrame.headerCount where channel == ChannelIdentifier.securityManager.rawValue:
        isKey = byte == 0x06 || byte == 0x08 || byte == 0x0A
      default: break
      }
      count += 1
    }
  }

  /// Behind the indicator, the command's header, handle, random number and diversifier.
  private static var keyInCommand: Int { 1 + 3 + 2 + 8 + 2 }
  /// Behind the indicator and the header of ACL data.
  private static var pieceInPacket: Int { 1 + 4 }

  private var received = Pieces()
  private var sent = Pieces()

  /// Before the first packet.
  public init() {}

  /// Overwrites the key of an LE Enable Encryption, or one that a phone hands out, with zeros.
  ///
  /// Core Specification, Vol 4, Part E, 7.8.24 and Vol 3, Part H, 3.6.2 to 3.6.6. Whoever has the
  /// key can track the phone, or read what is encrypted.
  public mutating func blankKeys(in packet: inout FixedBuffer<1026>, isReceived: Bool) {
    switch packet[0] {
    case PacketIndicator.command where isEncryption(packet.bytes):
      for index in Self.keyInCommand..<packet.count { packet[index] = 0 }
    case PacketIndicator.aclData:
      if isReceived { blank(&packet, &received) } else { blank(&packet, &sent) }
    default: break
    }
  }

  private func isEncryption(_ packet: Span<UInt8>) -> Bool {
    guard packet.count > 2 else { return false }
    return UInt16(packet[1]) | UInt16(packet[2]) << 8 == Opcode.leEnableEncryption.rawValue
  }

  private func blank(_ packet: inout FixedBuffer<1026>, _ pieces: inout Pieces) {
    let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
    let handle = field & 0x0FFF
    let isContinuation = (field >> 12) & 0b11 == 0b01
    if !isContinuation { pieces = Pieces(handle: handle) }
    for index in Self.pieceInPacket..<max(Self.pieceInPacket, packet.count) {
      // Of a piece whose beginning is not known nobody can say what it is.
      let isHidden = pieces.handle != handle || pieces.isKey
      if isHidden { packet[index] = 0 } else { pieces.take(packet[index]) }
    }
  }
}
