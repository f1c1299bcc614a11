package import Bytes
import CLinux

/// Who unbinds the controller's driver and binds it again for us, as only root may.
///
/// A datagram to the unix socket that LENKER_RADIO names; without that variable there is nobody.
public struct RadioSwitch: ~Copyable {
  private let socket: FixedBuffer<107>
  /// From when on the watchdog may be starved; `nil` for never.
  package let rebootTime: Instant?

  /// Asks the socket `name`, a path or with @ in front an abstract name; nobody if it is empty.
  ///
  /// `seconds` is a decimal number, from when on the board may be rebooted by the kernel's
  /// monotonic clock; empty for never.
  package init(socket name: Span<UInt8>, rebootTime seconds: Span<UInt8>) {
    var socket = FixedBuffer<107>()
    // A longer name is none that the kernel knows.
    socket.append(name)
    let time = socket.isEmpty ? nil : number(seconds)
    rebootTime = time.map { Instant(milliseconds: Int64(bitPattern: $0 & 0xFFFF_FFFF) * 1_000) }
    self.socket = socket
  }

  /// Nobody.
  package static var none: RadioSwitch {
    let nothing = FixedBuffer<1>()
    return RadioSwitch(socket: nothing.bytes, rebootTime: nothing.bytes)
  }

  /// The one that this process' environment names.
  package static var ours: RadioSwitch {
    var socket = FixedBuffer<107>()
    var seconds = FixedBuffer<20>()
    Process.environment("LENKER_RADIO", into: &socket)
    Process.environment("LENKER_REBOOT", into: &seconds)
    return RadioSwitch(socket: socket.bytes, rebootTime: seconds.bytes)
  }

  /// Whether there is anybody to ask.
  package var exists: Bool { !socket.isEmpty }

  /// Asks for it; who does not hear it is asked again a minute later.
  package func rebind() { tell("RADIO=rebind") }

  /// Says that the watchdog will run out, and why.
  package func announceReboot() { tell("RADIO=reboot") }

  private func tell(_ wish: String) {
    let utf8 = wish.utf8
    if exists { _ = linux_send_datagram(socket.bytes, utf8.span) }
  }
}
