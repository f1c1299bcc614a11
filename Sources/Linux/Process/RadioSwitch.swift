package import Bytes
import CLinux

/// The helper that unbinds the controller's driver and binds it again, as only root may.
///
/// A datagram goes to the unix socket that LENKER_RADIO names; without that variable there is no helper.
public struct RadioSwitch: ~Copyable {
  private let socket: FixedBuffer<107>
  /// When the watchdog may be starved at the earliest; `nil` for never.
  package let rebootTime: Instant?

  /// A helper at the socket `name`, a path or with @ in front an abstract name; none if it is empty.
  ///
  /// `seconds` is a decimal number: when the board may be rebooted at the earliest, by the kernel's
  /// monotonic clock; empty for never.
  package init(socket name: Span<UInt8>, rebootTime seconds: Span<UInt8>) {
    var socket = FixedBuffer<107>()
    // The kernel knows no longer names.
    socket.append(name)
    let time = socket.isEmpty ? nil : naturalNumber(seconds)
    rebootTime = time.map { Instant(milliseconds: Int64(bitPattern: $0 & 0xFFFF_FFFF) * 1_000) }
    self.socket = socket
  }

  /// No helper.
  package static var none: RadioSwitch { RadioSwitch(socket: Span(), rebootTime: Span()) }

  /// The helper that the environment of this process names.
  package static var ours: RadioSwitch {
    var socket = FixedBuffer<107>()
    var seconds = FixedBuffer<20>()
    Process.environment("LENKER_RADIO", into: &socket)
    Process.environment("LENKER_REBOOT", into: &seconds)
    return RadioSwitch(socket: socket.bytes, rebootTime: seconds.bytes)
  }

  /// Whether there is a helper.
  package var exists: Bool { !socket.isEmpty }

  /// Asks for a rebind; the caller asks again a minute later if nothing came of it.
  package func rebind() { send("RADIO=rebind") }

  /// Says that the watchdog will run out, and why.
  package func announceReboot() { send("RADIO=reboot") }

  private func send(_ request: String) {
    let utf8 = request.utf8
    if exists { _ = linux_send_datagram(socket.bytes, utf8.span) }
  }
}
