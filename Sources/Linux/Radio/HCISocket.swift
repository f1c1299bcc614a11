package import Bytes
import CLinux

/// A controller of this machine, for us alone: the HCI user channel.
///
/// Linux, net/bluetooth/hci_sock.c.
///
/// Carries whole packets, each with its type byte in front as in H4. Needs CAP_NET_ADMIN.
public struct HCISocket: ~Copyable {
  private let file: FileDescriptor

  /// Packets that were longer than the buffer they were to be received into, and so were dropped.
  package private(set) var droppedPackets: UInt32 = 0

  /// Takes the controller `hci<device>` down, and opens it for us alone.
  ///
  /// Throws `noSuchDevice`, `radioBlocked`, `notPermitted`, and
  /// - `busy` or `tooManyUsers`: another program has it.
  /// - `inProgress`: its driver is setting it up, or failed to.
  /// - `noSuchFamily`: the kernel has no Bluetooth.
  package init(device: UInt16) throws(Errno) {
    file = try FileDescriptor(opening: linux_open_hci_user_channel(device))
  }

  /// Uses a socket that carries whole packets.
  init(_ file: consuming FileDescriptor) { self.file = file }

  /// Readable when a packet has come.
  package var descriptor: Descriptor { file.descriptor }

  /// Replaces `buffer` by the next whole packet; `false` if there is none now.
  ///
  /// Call it until then: the kernel drops packets when its queue is full. After any error the
  /// socket is of no more use: close it and open another one.
  package mutating func receive<let n: Int>(
    into buffer: inout FixedBuffer<n>
  ) throws(Errno) -> Bool {
    while true {
      var length = 0
      do throws(Errno) {
        try buffer.fill { (space) throws(Errno) in
          length = try check { linux_receive_message(file.rawValue, &space) }
          return length
        }
      } catch .wouldBlock {
        return false
      }
      guard length > 0 else { throw .peerClosed }
      if length <= n { return true }
      droppedPackets &+= 1
    }
  }

  /// Sends one whole packet; `false` if the kernel cannot take it now.
  package func send(_ packet: Span<UInt8>) throws(Errno) -> Bool {
    try file.send(packet) == packet.count
  }
}
