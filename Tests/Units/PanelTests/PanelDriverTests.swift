import Bytes
import Expecting
import Graphics
import Panel
import TestSupport

/// What goes over the wire, byte by byte; lengths here lack the address byte.
struct PanelDriverTests {
  /// The sequences that the modules' makers give: SSD1306 data sheet, 3 (application note), and those of the SH1106, SSD1309 and SH1107.
  @Test(
    arguments: [
      (
        .ssd1306x128x64, .noTurn,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306x128x64, .halfTurn,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A0 C0 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306x128x64, .quarterTurn,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306x128x64, .threeQuarterTurn,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A0 C0 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306x128x32, .noTurn,
        "AE D5 80 A8 1F D3 00 40 8D 14 20 00 A1 C8 DA 02 81 8F D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306x64x48, .noTurn,
        "AE D5 80 A8 2F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 22 DB 00 2E A4 A6"
      ),
      (
        .ssd1306x72x40, .noTurn,
        "AE D5 80 A8 27 D3 00 40 8D 14 AD 30 20 00 A1 C8 DA 12 81 AF D9 22 DB 20 2E A4 A6"
      ),
      (
        .sh1106x128x64, .noTurn,
        "AE D5 80 A8 3F D3 00 40 AD 8B A1 C8 DA 12 81 CF D9 F1 DB 40 A4 A6"
      ),
      (
        .ssd1309x128x64, .noTurn,
        "FD 12 AE D5 A0 A8 3F D3 00 40 20 00 A1 C8 DA 12 81 BF D9 82 DB 34 2E A4 A6"
      ),
      (
        .sh1107x128x128, .noTurn,
        "AE D5 50 A8 7F D3 00 DC 00 AD 81 20 A0 C0 81 80 D9 22 DB 35 A4 A6"
      ),
      (
        .sh1107x128x128, .halfTurn,
        "AE D5 50 A8 7F D3 00 DC 00 AD 81 20 A1 C8 81 80 D9 22 DB 35 A4 A6"
      ),
    ] as [(PanelKind, Rotation, String)])
  func theFirstPictureFollowsTheInitialisation(
    _ kind: PanelKind, _ rotation: Rotation, _ expected: String
  ) {
    var display = PanelDriver(kind, rotation: rotation, contrast: kind.usualContrast)
    expect(display.message.isEmpty, true)
    display.show(Bitmap(kind.size))
    let messages = takeMessages(&display)
    expect(messages.first, bytes("00" + expected))
    expect(messages.last, bytes("00 AF"))
  }

  @Test func aFullFrameIs1034BytesWithTheAddresses() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 1)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.fill(Point(0, 0), Size(128, 64))
    display.show(bitmap)
    let messages = takeMessages(&display)
    expect(messages.count, 4)
    expect(messages[1], bytes("00 21 00 7F 22 00 07"))
    expect(messages[2], bytes("40") + [UInt8](repeating: 0xFF, count: 1_024))
    expect(messages[1].count + 1 + messages[2].count + 1, 1_034)
  }

  /// Its RAM is a ring of 64 rows, of which any may be shown first.
  @Test func theRowsBelowALowPanelAreClearedToo() {
    var display = PanelDriver(.ssd1306x128x32, rotation: .noTurn, contrast: 1)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.fill(Point(0, 0), display.pictureSize)
    display.show(bitmap)
    let messages = takeMessages(&display)
    let data =
      [UInt8](repeating: 0xFF, count: 4 * 128) + [UInt8](repeating: 0, count: 4 * 128)
    expect(messages[1], bytes("00 21 00 7F 22 00 07"))
    expect(messages[2], bytes("40") + data)
  }

  @Test func oneByteTakesAWindow() {
    var panel = Driven()
    let messages = panel.show { $0[10, 20] = true }
    expect(messages, [bytes("00 21 0A 0A 22 02 02"), bytes("40 10")])
  }

  @Test func anAreaOf48By16IsOneWindow() {
    var panel = Driven()
    let messages = panel.show { $0.fill(Point(40, 16), Size(48, 16)) }
    let data = [UInt8](repeating: 0xFF, count: 96)
    expect(messages, [bytes("00 21 28 57 22 02 03"), bytes("40") + data])
  }

  @Test func distantChangesAreSentApartAndNearOnesTogether() {
    var panel = Driven()
    let apart = panel.show {
      $0[page: 1, column: 5] = 1
      $0[page: 7, column: 127] = 1
    }
    // Ten bytes between two changes cost as much as another area.
    let together = panel.show {
      $0[page: 4, column: 60] = 1
      $0[page: 4, column: 71] = 1
    }
    expect(apart.map(\.count), [7, 2, 7, 2])
    expect(
      together, [bytes("00 21 3C 47 22 04 04"), bytes("40 01 00 00 00 00 00 00 00 00 00 00 01")])
  }

  /// A gap of seven costs more than two messages with both halves of a column, one of six does not.
  @Test func anSH1106GetsRunsOfItsPages() {
    var panel = Driven(.sh1106x128x64)
    let messages = panel.show {
      $0[page: 3, column: 0] = 1
      $0[page: 3, column: 8] = 2
      $0[page: 3, column: 15] = 3
    }
    expect(
      messages,
      [
        bytes("00 B3 0A 10"), bytes("40 02 00 00 00 00 00 00 03"), bytes("00 02 10"),
        bytes("40 01"),
      ])
  }

  @Test func anSH1106BeginsInThePageThatItIsIn() {
    var panel = Driven(.sh1106x128x64)
    panel.show { $0[page: 3, column: 0] = 1 }
    let messages = panel.show {
      $0[page: 1, column: 0] = 1
      $0[page: 3, column: 0] = 2
      $0[page: 5, column: 0] = 1
    }
    expect(messages.first, bytes("00 02 10"))
    expect(messages.map(\.count), [3, 2, 4, 2, 4, 2])
  }

  @Test func anInvertedPictureCostsThreeBytesAndBackAgain() {
    var panel = Driven()
    panel.show { $0.fill(Point(10, 10), Size(50, 30)) }
    let inverted = panel.show { $0.invert($0.bounds) }
    let back = panel.show { $0.invert($0.bounds) }
    expect(inverted, [bytes("00 A7")])
    expect(back, [bytes("00 A6")])
  }

  /// One pixel of an inverted picture: what is sent is its complement.
  @Test func aChangeOfAnInvertedPictureIsSentInverted() {
    var panel = Driven()
    panel.show { $0.invert($0.bounds) }
    let messages = panel.show { $0[3, 9] = false }
    expect(messages.last, bytes("40 02"))
  }

  @Test func ofALargerPictureThePartOnTheGlassIsSent() {
    var panel = Driven(.ssd1306x72x40)
    var other = Driven(.ssd1306x72x40)
    let messages = panel.show {
      $0 = Bitmap(Size(128, 64))
      $0.fill(Point(64, 32), Size(64, 32))
    }
    let wanted = other.show { $0.fill(Point(64, 32), Size(8, 8)) }
    expect(messages, wanted)
    #expect(!messages.isEmpty)
  }

  // MARK: - What the square panel gets that the others do not

  @Test func aChangeOfAnSH1107IsARunInOneOfSixteenPages() {
    var panel = Driven(.sh1107x128x128)
    let messages = panel.show { $0.fill(Point(127, 24), Size(1, 8)) }
    expect(messages, [bytes("00 B3 0F 17"), bytes("40 FF")])
  }

  /// An interrupted SH1107 may wait for an argument; 7F is none of its commands, E3 does nothing.
  @Test func afterAnErrorAnSH1107GetsCommandsOfItsOwnAlone() {
    var panel = Driven(.sh1107x128x128)
    panel.display.invalidate()
    expect(panel.show()[0].starts(with: bytes("00 E3 E3 AE")) && panel.model.faults == 0)
  }

  @Test func aWholePictureOfAnSH1107GoesPageByPage() {
    var display = PanelDriver(.sh1107x128x128, rotation: .noTurn, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let data = takeMessages(&display).filter { $0[0] == 0x40 }
    expect(data.map(\.count), Array(repeating: 129, count: 16))
  }

  /// A module whose first column is another one is turned by its start line: its RAM has no more columns.
  @Test(arguments: [(0, 0), (2, 126), (96, 32)] as [(UInt8, UInt8)])
  func aModuleThatBeginsElsewhereHasAnotherStartLine(_ offset: UInt8, _ line: UInt8) throws {
    var display = PanelDriver(
      .sh1107x128x128, rotation: .noTurn, columnOffset: offset, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    let command = try #require(first.firstIndex(of: 0xDC))
    expect(first[command + 1], line)
  }

  /// It moves to the left, back, to the right, and back: the RAM is a ring of 128 columns.
  @Test func thePixelsOfAnSH1107AreSparedSideways() {
    var panel = Driven(.sh1107x128x128)
    panel.show { $0.fill(Point(1, 0), Size(126, 2)) }
    var moves: [[UInt8]] = []
    for _ in 0..<4 {
      panel.display.shiftPicture()
      moves += panel.deliver()
    }
    expect(moves, ["00 DC 01", "00 DC 00", "00 DC 7F", "00 DC 00"].map { bytes($0) })
  }

  @Test func aPictureOfAnSH1107FromEdgeToEdgeDoesNotMove() {
    var panel = Driven(.sh1107x128x128)
    panel.show { $0.fill(Point(0, 5), Size(128, 1)) }
    panel.display.shiftPicture()
    #expect(panel.deliver().isEmpty)
  }
}
