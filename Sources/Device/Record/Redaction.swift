public import Bytes
import HCI
import L2CAP

/// What a packet must not reveal to those who read a capture of it.
public enum Redaction {
  /// A key, and where it lies in the packet.
  private static var keyCount: Int { 16 }
  /// Behind the indicator, the command's header, handle, random number and diversifier.
  private static var offsetInCommand: Int { 1 + 3 + 2 + 8 + 2 }
  /// Behind the indicator, the headers of ACL data and frame, and the SMP code.
  private static var offsetInFrame: Int { 1 + 4 + 4 + 1 }

  /// Overwrites the key of an LE Enable Encryption, or one that a phone hands out, with zeros.
  ///
  /// Core Specification, Vol 4, Part E, 7.8.24 and Vol 3, Part H, 3.6.2 to 3.6.6. Whoever has the
  /// key can track the phone, or read what is encrypted.
  public static func blankKeys(in packet: inout FixedBuffer<1026>) {
    if isEncryption(packet.bytes) {
      blank(&packet, from: offsetInCommand)
    } else if isKeyDistribution(packet.bytes) {
      blank(&packet, from: offsetInFrame)
    }
  }

  private static func blank(_ packet: inout FixedBuffer<1026>, from offset: Int) {
    for index in offset..<offset + keyCount { packet[index] = 0 }
  }

  private static func isEncryption(_ packet: Span<UInt8>) -> Bool {
    guard packet.count > 3, packet[0] == PacketIndicator.command else { return false }
    return UInt16(packet[1]) | UInt16(packet[2]) << 8 == Opcode.leEnableEncryption.rawValue
  }

  /// Encryption Information, Identity Information or Signing Information; each fits into the
  /// smallest packet, so that it is never cut.
  private static func isKeyDistribution(_ packet: Span<UInt8>) -> Bool {
    guard packet.count >= offsetInFrame, packet[0] == PacketIndicator.aclData else { return false }
    let channel = UInt16(packet[7]) | UInt16(packet[8]) << 8
    guard channel == ChannelIdentifier.securityManager.rawValue else { return false }
    return packet[9] == 0x06 || packet[9] == 0x08 || packet[9] == 0x0A
  }
}
