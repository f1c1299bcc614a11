import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// How pictures get to panels that are no SSD1306, or not quite; lengths here lack the address byte.
struct UpdatesTests {
  /// The messages of the first picture, which is dark.
  private func begin(_ display: inout PanelDriver) -> [[UInt8]] {
    display.show(Bitmap(display.pictureSize))
    return takeMessages(&display)
  }

  private func display(_ kind: PanelKind, _ updates: Updates) -> PanelDriver {
    PanelDriver(kind, rotation: .noTurn, updates: updates, contrast: kind.usualContrast)
  }

  @Test func centralBehaviour64_aPageIsSentAsAWholeWithPageAndColumnEachTime() {
    var display = display(.ssd1306x128x64, .pages)
    let first = begin(&display)
    var bitmap = Bitmap(display.pictureSize)
    bitmap[10, 20] = true
    bitmap[90, 23] = true
    display.show(bitmap)
    let messages = takeMessages(&display)
    bitmap[10, 20] = false
    display.show(bitmap)
    let again = takeMessages(&display)
    var row = [UInt8](repeating: 0, count: 128)
    (row[10], row[90]) = (0x10, 0x80)
    // Page addressing mode: table 9-1.
    expect(
      first.first,
      bytes("00 AE D5 80 A8 3F D3 00 40 8D 14 20 02 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6"))
    let pages: [Int] = Array(repeating: [4, 129], count: 8).flatMap { $0 }
    expect(first.map(\.count), [26] + pages + [2])
    expect(messages, [bytes("00 B2 00 10"), bytes("40") + row])
    row[10] = 0
    expect(again, [bytes("00 B2 00 10"), bytes("40") + row])
  }

  @Test func centralBehaviour64_aWholePictureIsSentForEachChange() {
    var display = display(.ssd1306x128x64, .whole)
    _ = begin(&display)
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 1] = true
    display.show(bitmap)
    let messages = takeMessages(&display)
    let rest = [UInt8](repeating: 0, count: 1_023)
    expect(messages, [bytes("00 21 00 7F 22 00 07"), bytes("40 02") + rest])
  }

  @Test func centralBehaviour64_anSH1106GetsAWholePictureInEightPages() throws {
    var display = display(.sh1106x128x64, .whole)
    _ = begin(&display)
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 1] = true
    for value in [true, false] {
      bitmap[5, 50] = value
      display.show(bitmap)
      let messages = takeMessages(&display)
      try #require(messages.count == 16)
      expect(messages.last?.count, 129)
      for page in 0..<8 as Range<UInt8> {
        expect(messages[2 * Int(page)], [0x00, 0xB0 + page, 0x02, 0x10])
      }
    }
  }

  @Test(arguments: allKinds, allUpdates) func aPictureThatIsThereIsNotSentAgain(
    _ kind: PanelKind, _ updates: Updates
  ) {
    var display = display(kind, updates)
    _ = begin(&display)
    expect(begin(&display), [])
  }

  /// Of a glass with 128 columns it is the RAM column of the first; a narrower one is in their middle.
  @Test(
    arguments: [
      (.sh1106x128x64, nil, "00 B0 02 10"), (.sh1106x128x64, 2, "00 B0 02 10"),
      (.sh1106x128x64, 0, "00 B0 00 10"), (.sh1106x128x64, 4, "00 B0 04 10"),
      (.sh1106x128x64, 8, "00 B0 08 10"), (.ssd1306x128x64, 0, "00 21 00 7F 22 00 07"),
      (.ssd1306x128x32, 4, "00 21 04 83 22 00 07"), (.ssd1306x64x48, nil, "00 21 20 5F 22 00 07"),
      (.ssd1306x64x48, 2, "00 21 22 61 22 00 07"), (.ssd1306x72x40, nil, "00 21 1C 63 22 00 07"),
      (.ssd1306x72x40, 2, "00 21 1E 65 22 00 07"),
    ] as [(PanelKind, UInt8?, String)], allRotations)
  func centralBehaviour64_theColumnOffsetIsTheRAMColumnOfTheGlassesFirst(
    _ panel: (kind: PanelKind, offset: UInt8?, address: String), _ rotation: Rotation
  ) {
    var display = PanelDriver(
      panel.kind, rotation: rotation, columnOffset: panel.offset, contrast: 1)
    let messages = begin(&display)
    expect(messages[1], bytes(panel.address))
  }

  /// It knows neither windows nor modes, has 132 columns, and its supply runs by itself.
  @Test(arguments: allRotations)
  func centralBehaviour64_anSH1106ThatIsSoldAsAnSSD1306ShowsItsPicturesPageByPage(
    _ rotation: Rotation
  ) {
    var panel = Driven(
      PanelDriver(
        .ssd1306x128x64, rotation: rotation, columnOffset: 2, updates: .pages, contrast: 0xCF),
      .sh1106x128x64)
    for corner in 0..<5 {
      panel.show { $0.fill(Point(corner * 13, corner * 12), Size(12, 12)) }
      expect(glass(panel.model), turned(picture(panel.bitmap), rotation))
    }
  }
}
