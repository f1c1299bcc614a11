import BoardFile
import Bytes
import Device
import DeviceState
import Expecting
import Foundation
import Linux
import Ports
import TestSupport

/// The transport to the controller on a unix socket that a test holds the other end of.
struct RadioTests {
  private let now = Instant(milliseconds: 5_000)

  /// Opens it to a controller that listens; returns the controller's end.
  private func connect(_ radio: inout Radio, in scratch: Scratch) throws -> Int32 {
    let path = scratch("hci")
    let listener = try Listener(path)
    var parser = BoardParser()
    let setting = Array("hci=unix:\(path)".utf8)
    try parser.override(setting.span, position: 1)
    try radio.open(try parser.finish().hci, at: now)
    _ = try radio.becameWritable()
    return listener.accept()
  }

  @Test func aClosedOneReceivesNothingAndHasNothingToWaitFor() throws {
    var radio = Radio()
    let found = try radio.receive(at: now)
    let (deadline, descriptor) = (radio.deadline, radio.descriptor)
    expect(!found && deadline == nil && descriptor == .none)
  }

  @Test func aPacketThatDoesNotEndIsGivenUpAfterHalfASecond() throws {
    let scratch = try Scratch()
    var radio = Radio()
    let end = try connect(&radio, in: scratch)
    defer { close(end) }
    let part = bytes("04 0e 04 01")
    expect(write(end, part, part.count), part.count)
    var found = try radio.receive(at: now)
    expect(!found)
    // Bytes that come meanwhile do not prolong it.
    expect(write(end, [0x03], 1), 1)
    found = try radio.receive(at: now + 400)
    let deadline = radio.deadline
    expect(!found && deadline == now + 500)
    #expect(throws: RadioFailure.stalled) { try radio.advance(to: now + 500) }
    let isOpen = radio.isOpen
    expect(!isOpen)
  }

  /// The disk held the program up meanwhile.
  @Test func aPacketThatHasComeIsTakenHoweverLateTheProgramIs() throws {
    let scratch = try Scratch()
    var radio = Radio()
    let end = try connect(&radio, in: scratch)
    defer { close(end) }
    _ = write(end, bytes("04 0e"), 2)
    var found = try radio.receive(at: now)
    expect(!found)
    _ = write(end, bytes("04 01 03 0c 00 04 13"), 7)
    found = try radio.receive(at: now + 800)
    expect(found)
    found = try radio.receive(at: now + 800)
    let deadline = radio.deadline
    expect(!found && deadline == now + 1_300, "the next one has begun")
    _ = write(end, bytes("05"), 1)
    #expect(throws: RadioFailure.stalled) { _ = try radio.receive(at: now + 1_300) }
  }

  @Test func packetsComeWholeHoweverTheyAreSent() throws {
    let scratch = try Scratch()
    var radio = Radio()
    let end = try connect(&radio, in: scratch)
    defer { close(end) }
    let packets = bytes("04 0e 04 01 03 0c 00 04 13 05 01 40 00 01 00")
    for byte in packets { _ = write(end, [byte], 1) }
    var whole: [[UInt8]] = []
    while try radio.receive(at: now) { whole.append(array(radio.packet)) }
    expect(whole, [bytes("04 0e 04 01 03 0c 00"), bytes("04 13 05 01 40 00 01 00")])
  }
}

/// A unix socket that takes connections.
private final class Listener {
  private let socket: Int32

  init(_ path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    try #require(status == 0 && listen(socket, 1) == 0)
  }

  deinit { close(socket) }

  func accept() -> Int32 { Glibc.accept(socket, nil, nil) }
}

struct SerialRateTests {
  /// Every rate that there is from 9600 on is a multiple of that or of 4000.
  @Test func aBoardFileMayNameJustTheRatesThatASerialPortCanHave() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(terminal) }
    var (lock, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, as unlockpt(3) and ptsname(3) use them.
    try #require(
      ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let path = "/dev/pts/\(number)"
    let limit: UInt32 = 5_000_000
    let rates = Set(stride(from: 4000, to: limit, by: 4000))
      .union(stride(from: 9600, to: limit, by: 9600))
    expect(rates.filter(isAllowed).count, 18)
    for rate in rates { expect(isAllowed(rate), isOpened(path, rate), "\(rate) baud") }
  }

  private func isAllowed(_ rate: UInt32) -> Bool {
    let line = Array("hci = serial:/dev/ttyAMA0@\(rate)".utf8)
    do throws(BoardError) {
      var parser = BoardParser()
      try parser.read(file: line.span)
      return true
    } catch {
      return false
    }
  }

  private func isOpened(_ path: String, _ rate: UInt32) -> Bool {
    let bytes = Array(path.utf8)
    do throws(Errno) {
      _ = try HCITransport(serial: bytes.span, baud: rate)
      return true
    } catch {
      return false
    }
  }
}
