import BoardFile
import Expecting

private let good = Array(
  """
  \u{FEFF}# a board\r
  hci = tcp:[fe80::1:2:192.0.2.1]:6402 # the bench
  display = i2c:/dev/i2c-1@0x3c
  panel = sh1106-128x64
  rotation = 180
  contrast = 100
  buttons = gpio:/dev/gpiochip0
  button-a = 17
  button-b = 27
  alert = none
  store = /tmp/a#b
  pairing = off
  units = imperial
  name = Grün
  language = de
  sensors = off
  wheel = auto
  extra = heart
  home = e20a39f4-73f5-4bc4-a12f-17d1ad07a961/7/515@-70
  topics = navigation, device
  events = file:/tmp/e
  i2c-trace = none
  btsnoop = none
  """.utf8)

@Suite struct HostileFileTests {
  @Test func theGoodFileIsGood() { expect(read(good).complaint, nil) }

  @Test func everyPrefixIsReadOrRefusedInOneLine() {
    for count in 0..<good.count { expectOneLine(Array(good.prefix(count))) }
  }

  @Test func everyChangedBitIsReadOrRefusedInOneLine() {
    for index in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[index] ^= 1 << UInt8(bit)
        expectOneLine(bytes)
      }
    }
  }

  @Test func everyByteAloneIsReadOrRefusedInOneLine() {
    for byte in 0...255 as ClosedRange<UInt8> {
      expectOneLine([byte])
      expectOneLine([byte, 0x3D, byte])
      expectOneLine([UInt8](repeating: byte, count: 20_000))
    }
  }

  /// A complaint never carries control characters to the terminal that shows it.
  private func expectOneLine(_ file: [UInt8]) {
    guard let complaint = read(file).complaint else { return }
    let isPlain = complaint.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
    }
    expect(isPlain && complaint.hasPrefix("ride.conf:"), "\(file): \(complaint)")
  }
}
