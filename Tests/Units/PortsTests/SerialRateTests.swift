import BoardFile
import Bytes
import Foundation
import Linux
import Testing

@Suite struct SerialRateTests {
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
    #expect(rates.filter(isAllowed).count == 18)
    for rate in rates { #expect(isAllowed(rate) == isOpened(path, rate), "\(rate) baud") }
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
      _ = try H4Stream(serial: bytes.span, baud: rate)
      return true
    } catch {
      return false
    }
  }
}
