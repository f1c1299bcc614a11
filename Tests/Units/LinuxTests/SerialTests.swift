import Bytes
import Expecting
import Foundation
import Linux

/// A pseudo terminal, as the serial port of a controller.
private final class Terminal {
  let peer: Peer
  let path: String

  init() throws {
    let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, as unlockpt(3) and ptsname(3) use them.
    try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    peer = Peer(master)
    path = "/dev/pts/\(number)"
  }
}

private func open(_ path: String, _ baud: UInt32) throws(Errno) -> HCITransport {
  let bytes = Array(path.utf8)
  return try HCITransport(serial: bytes.span, baud: baud)
}

struct SerialTests {
  @Test func everyByteGoesThroughAsItIs() throws {
    let terminal = try Terminal()
    let stream = try open(terminal.path, 115_200)
    expect(stream.isConnecting, false)
    // Among them are line ends, XON and XOFF, interrupt and end of file.
    let bytes = Array(0...255 as ClosedRange<UInt8>)
    let taken = try stream.send(bytes.span)
    expect(taken, 256)
    expect(terminal.peer.receive(256), bytes)
    terminal.peer.send(bytes)
    let received = try receive(256, from: stream)
    expect(received, bytes)
  }

  @Test(
    arguments: [
      (9600, B9600), (115_200, B115200), (921_600, B921600), (3_000_000, B3000000),
      (4_000_000, B4000000),
    ] as [(UInt32, Int32)])
  func thePortHasTheRateAndHardwareFlowControl(_ baud: UInt32, _ speed: Int32) throws {
    let terminal = try Terminal()
    let stream = try open(terminal.path, baud)
    var port = termios()
    expect(tcgetattr(terminal.peer.descriptor, &port), 0)
    expect(cfgetispeed(&port), speed_t(speed))
    expect(cfgetospeed(&port), speed_t(speed))
    expect(port.c_cflag & tcflag_t(CSIZE), tcflag_t(CS8))
    expect(port.c_cflag & tcflag_t(CSTOPB | PARENB), 0)
    #expect(port.c_cflag & tcflag_t(1 << 31) != 0)  // CRTSCTS
    withExtendedLifetime(stream) {}
  }

  @Test(arguments: [0, 1, 9601, 300_000_000] as [UInt32])
  func aRateThatLinuxDoesNotHaveIsRefused(_ baud: UInt32) throws {
    let terminal = try Terminal()
    #expect(throws: Errno.invalid) { _ = try open(terminal.path, baud) }
  }

  @Test func whatIsNoSerialPortIsTold() throws {
    #expect(throws: Errno.noSuchFile) { _ = try open("/dev/no-such-port", 9600) }
    #expect(throws: Errno.wrongKind) { _ = try open("/dev/null", 9600) }
  }

  @Test func aPortThatIsPulledOutIsAnError() throws {
    let terminal = try Terminal()
    let stream = try open(terminal.path, 9600)
    terminal.peer.end()
    #expect(throws: Errno.self) { _ = try receive(1, from: stream) }
  }
}
