import Bytes
import Graphics
import Panel
import Testing

/// What goes over the wire, byte by byte; lengths here lack the address byte.
@Suite struct DisplayTests {
  /// The sequences of the makers' modules, as the hardware notes have them.
  @Test(
    arguments: [
      (
        .ssd1306Size128x64, .upright,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306Size128x64, .halfTurn,
        "AE D5 80 A8 3F D3 00 40 8D 14 20 00 A0 C0 DA 12 81 CF D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306Size128x32, .upright,
        "AE D5 80 A8 1F D3 00 40 8D 14 20 00 A1 C8 DA 02 81 8F D9 F1 DB 40 2E A4 A6"
      ),
      (
        .ssd1306Size64x48, .upright,
        "AE D5 80 A8 2F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 22 DB 00 2E A4 A6"
      ),
      (
        .ssd1306Size72x40, .upright,
        "AE D5 80 A8 27 D3 00 40 8D 14 AD 30 20 00 A1 C8 DA 12 81 AF D9 22 DB 20 2E A4 A6"
      ),
      (
        .sh1106Size128x64, .upright,
        "AE D5 80 A8 3F D3 00 40 AD 8B A1 C8 DA 12 81 CF D9 F1 DB 40 A4 A6"
      ),
    ] as [(PanelKind, Rotation, String)])
  func theFirstPictureFollowsTheInitialisation(
    _ kind: PanelKind, _ rotation: Rotation, _ expected: String
  ) {
    var display = Display(kind, rotation: rotation, contrast: kind.usualContrast)
    let silent = display.message.isEmpty
    display.show(Bitmap(kind.size))
    let messages = takeMessages(&display)
    #expect(silent)
    #expect(messages.first == hex("00" + expected))
    #expect(messages.last == hex("00 AF"))
  }

  @Test func aFullFrameIs1038BytesWithTheAddress() {
    var display = Display(.ssd1306Size128x64, rotation: .upright, contrast: 1)
    var bitmap = Bitmap(display.size)
    bitmap.fill(Point(0, 0), Size(128, 64))
    display.show(bitmap)
    let messages = takeMessages(&display)
    let window = hex("80 21 80 00 80 7F 80 22 80 00 80 07 40")
    #expect(messages.count == 3)
    #expect(messages[1] == window + [UInt8](repeating: 0xFF, count: 1_024))
    #expect(messages[1].count + 1 == 1_038)
  }

  @Test func theSmallPanelsWindowLiesInTheMiddleOfTheRAM() {
    var display = Display(.ssd1306Size64x48, rotation: .upright, contrast: 1)
    display.show(Bitmap(display.size))
    let messages = takeMessages(&display)
    let window = hex("80 21 80 20 80 5F 80 22 80 00 80 05 40")
    #expect(messages[1] == window + [UInt8](repeating: 0, count: 64 * 6))
  }

  @Test func theSH1106IsWrittenPageByPageFromColumnTwo() {
    var display = Display(.sh1106Size128x64, rotation: .upright, contrast: 1)
    display.show(Bitmap(display.size))
    let messages = takeMessages(&display)
    #expect(messages.count == 10)
    #expect(messages[1] == hex("80 B0 80 02 80 10 40") + [UInt8](repeating: 0, count: 128))
    #expect(messages[2] == hex("80 B1 80 02 80 10 40") + [UInt8](repeating: 0, count: 128))
  }

  @Test func nothingChangedSendsNothing() {
    var display = darkDisplay()
    display.show(Bitmap(display.size))
    let isEmpty = display.message.isEmpty
    #expect(isEmpty)
  }

  @Test func oneByteTakesAWindowAndThenNone() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[10, 20] = true
    display.show(bitmap)
    let first = takeMessages(&display)
    bitmap[10, 21] = true
    display.show(bitmap)
    let second = takeMessages(&display)
    #expect(first == [hex("80 21 80 0A 80 0A 80 22 80 02 80 02 40 10")])
    // The window was filled, so the pointer is at its start again: data sheet, figure 10-3.
    #expect(second == [hex("40 30")])
  }

  @Test func theNextPageInTheSameColumnsNeedsPagesOnly() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[page: 2, column: 10] = 1
    display.show(bitmap)
    _ = takeMessages(&display)
    bitmap[page: 5, column: 10] = 2
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages == [hex("80 22 80 05 80 05 40 02")])
  }

  @Test func otherColumnsInTheSamePageNeedColumnsOnly() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[page: 2, column: 10] = 1
    display.show(bitmap)
    _ = takeMessages(&display)
    bitmap[page: 2, column: 90] = 2
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages == [hex("80 21 80 5A 80 5A 40 02")])
  }

  @Test func anAreaOf48By16IsOneMessageOf96Bytes() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap.fill(Point(40, 16), Size(48, 16))
    display.show(bitmap)
    let messages = takeMessages(&display)
    let window = hex("80 21 80 28 80 57 80 22 80 02 80 03 40")
    #expect(messages == [window + [UInt8](repeating: 0xFF, count: 96)])
  }

  @Test func distantChangesAreSentApartAndNearOnesTogether() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[page: 1, column: 5] = 1
    bitmap[page: 7, column: 127] = 1
    display.show(bitmap)
    let apart = takeMessages(&display)
    // Three bytes between two changes are cheaper than the eight of a second message.
    bitmap[page: 4, column: 60] = 1
    bitmap[page: 4, column: 64] = 1
    display.show(bitmap)
    let together = takeMessages(&display)
    #expect(apart.map(\.count).reduce(0, +) == 2 * 14)
    #expect(together == [hex("80 21 80 3C 80 40 80 22 80 04 80 04 40 01 00 00 00 01")])
  }

  @Test func theSecondAreaOfAnSH1106NeedsOnlyWhatDiffers() {
    var display = darkDisplay(.sh1106Size128x64)
    var bitmap = Bitmap(display.size)
    bitmap[page: 3, column: 0] = 1
    bitmap[page: 3, column: 10] = 2
    bitmap[page: 3, column: 16] = 3
    display.show(bitmap)
    let messages = takeMessages(&display)
    // Columns 2, 12 and 18: a gap of nine costs more than an address, one of five less.
    #expect(
      messages == [hex("80 B3 80 02 80 10 40 01"), hex("80 0C 80 10 40 02 00 00 00 00 00 03")])
  }

  @Test func pixelsOutsideTheGlassCostNothing() {
    var display = darkDisplay(.ssd1306Size72x40)
    var bitmap = Bitmap(Size(128, 64))
    bitmap.fill(Point(72, 0), Size(56, 64))
    bitmap.fill(Point(0, 40), Size(128, 24))
    display.show(bitmap)
    let isEmpty = display.message.isEmpty
    #expect(isEmpty)
  }
}
