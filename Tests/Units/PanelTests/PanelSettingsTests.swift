import Bytes
import Graphics
import Panel
import PanelModel
import TestSupport
import Testing

/// What is sent beside the picture.
@Suite struct PanelSettingsTests {
  /// The contrast alone barely dims: also a shorter pre-charge and a lower voltage.
  @Test(
    arguments: [
      (.ssd1306x128x64, "81 33 D9 11 DB 00", "81 CF D9 F1 DB 40"),
      (.ssd1306x128x32, "81 23 D9 11 DB 00", "81 8F D9 F1 DB 40"),
      (.ssd1306x64x48, "81 33 D9 11 DB 00", "81 CF D9 22 DB 00"),
      (.ssd1306x72x40, "81 2B D9 11 DB 00", "81 AF D9 22 DB 20"),
      (.sh1106x128x64, "81 33 D9 11 DB 22", "81 CF D9 F1 DB 40"),
      (.ssd1309x128x64, "81 2F D9 11 DB 00", "81 BF D9 82 DB 34"),
      (.sh1107x128x128, "81 20 D9 11 DB 22", "81 80 D9 22 DB 35"),
    ] as [(PanelKind, String, String)])
  func dimmingSetsContrastPrechargeAndVoltage(_ kind: PanelKind, _ dim: String, _ bright: String) {
    var display = PanelDriver(kind, rotation: .noTurn, contrast: kind.usualContrast)
    display.show(Bitmap(kind.size))
    _ = takeMessages(&display)
    display.setDim(true)
    let dimmed = takeMessages(&display)
    display.setDim(true)
    let again = takeMessages(&display)
    display.setDim(false)
    let back = takeMessages(&display)
    #expect(dimmed == [bytes("00" + dim)])
    #expect(again == [])
    #expect(back == [bytes("00" + bright)])
  }

  @Test(arguments: [1, 2, 3, 4, 90, 255] as [UInt8])
  func theUsersContrastComesBackAndADimPanelIsNeverBlack(_ contrast: UInt8) {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: contrast)
    var model = PanelModel(.ssd1306x128x64)
    display.show(Bitmap(display.pictureSize))
    flush(&display, &model)
    let before = model.contrast
    display.setDim(true)
    flush(&display, &model)
    let dim = model.contrast
    display.setDim(false)
    flush(&display, &model)
    let after = model.contrast
    #expect(before == contrast)
    #expect(dim > 0 && dim <= max(1, contrast / 2))
    #expect(after == contrast)
  }

  @Test func settingsBeforeTheFirstPictureGoIntoTheInitialisation() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 0xCF)
    display.setDim(true)
    let early = takeMessages(&display)
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    #expect(early == [])
    #expect(
      first
        == bytes("00 AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 33 D9 11 DB 00 2E A4 A6"))
  }

  @Test func switchedOffItKeepsAndTakesPictures() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 0] = true
    display.setOn(false)
    let off = takeMessages(&display)
    display.show(bitmap)
    let meanwhile = takeMessages(&display)
    display.setOn(true)
    let on = takeMessages(&display)
    #expect(off == [bytes("00 AE")])
    #expect(meanwhile == [bytes("00 21 00 00 22 00 00"), bytes("40 01")])
    #expect(on == [bytes("00 AF")])
  }

  @Test func aPictureIsThereBeforeThePanelIsSwitchedOn() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 0] = true
    display.setOn(false)
    _ = takeMessages(&display)
    display.setOn(true)
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 21 00 00 22 00 00"), bytes("40 01"), bytes("00 AF")])
  }

  @Test func shuttingDownDarkensFirstAndThenClears() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[page: 1, column: 2] = 0xFF
    display.show(bitmap)
    _ = takeMessages(&display)
    display.shutDown()
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 AE"), bytes("00 21 02 02 22 01 01"), bytes("40 00")])
  }

  @Test func shuttingDownAPanelThatNeverWorkedSendsNothing() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 1)
    display.shutDown()
    let messages = takeMessages(&display)
    #expect(messages == [])
  }

  /// Configuration without `AE`, so that nothing flickers.
  @Test func centralBehaviour65_refreshingSendsAddressingAndStartLineAnewAndEndsScrolling() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 0] = true
    display.show(bitmap)
    _ = takeMessages(&display)
    display.refresh()
    let messages = takeMessages(&display)
    bitmap[0, 0] = false
    display.show(bitmap)
    let next = takeMessages(&display)
    #expect(
      messages
        == [bytes("00 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6 AF")])
    #expect(next == [bytes("00 21 00 00 22 00 00"), bytes("40 00")])
  }

  /// SH1106 data sheet, command 10: the converter is set while the panel is off.
  @Test func refreshingAPanelThatIsOnLeavesItsConverterAlone() {
    var display = PanelDriver(.sh1106x128x64, rotation: .noTurn, contrast: 0xCF)
    display.show(Bitmap(display.pictureSize))
    _ = takeMessages(&display)
    display.refresh()
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 A8 3F D3 00 40 A1 C8 DA 12 81 CF D9 F1 DB 40 A4 A6 AF")])
  }

  @Test func refreshingKeepsAPanelOff() {
    var display = darkDisplay()
    display.setOn(false)
    _ = takeMessages(&display)
    display.refresh()
    let messages = takeMessages(&display)
    #expect(messages.count == 1)
    #expect(messages.first?.last == 0xAE)
  }

  @Test func refreshingBeforeTheFirstPictureSendsNothing() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 1)
    display.refresh()
    let messages = takeMessages(&display)
    #expect(messages == [])
  }

  @Test func afterAnErrorEverythingIsSentAgainAtTheNextPicture() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 0] = true
    display.show(bitmap)
    display.invalidate()
    let silent = display.message.isEmpty
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(silent)
    #expect(messages.map(\.count) == [28, 7, 1_025, 2])
  }

  /// The page may have been set to another by a message that is taken for lost.
  @Test func afterAnErrorAnSH1106GetsItsPageAnew() {
    var display = darkDisplay(.sh1106x128x64)
    var bitmap = Bitmap(display.pictureSize)
    bitmap[0, 0] = true
    display.show(bitmap)
    _ = takeMessages(&display)
    display.invalidate()
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages[1] == bytes("00 B0 02 10"))
  }

  /// The longest waits for two more bytes: SSD1306, table 9-1, 21h and 22h.
  @Test func aCommandThatWasCutOffIsFilledUpBeforeTheInitialisation() {
    var display = darkDisplay()
    display.invalidate()
    display.show(Bitmap(display.pictureSize))
    let messages = takeMessages(&display)
    display.invalidate()
    display.show(Bitmap(display.pictureSize))
    let again = takeMessages(&display)
    #expect(messages.first?.starts(with: bytes("00 7F 7F AE D5 80 A8 3F")) == true)
    #expect(again.first == messages.first)
  }

  @Test func aPictureThatComesMeanwhileReplacesWhatIsLeftToSend() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[page: 0, column: 0] = 1
    bitmap[page: 7, column: 127] = 1
    display.show(bitmap)
    display.messageWasSent()
    display.messageWasSent()
    display.show(Bitmap(display.pictureSize))
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 21 00 00 22 00 00"), bytes("40 00")])
  }

  /// The address has arrived, the bytes have not: another picture may need others.
  @Test func aPictureThatComesBehindAnAddressIsAddressedItself() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[page: 2, column: 50] = 1
    display.show(bitmap)
    display.messageWasSent()
    bitmap[page: 2, column: 50] = 0
    bitmap[page: 2, column: 60] = 1
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 21 3C 3C 22 02 02"), bytes("40 01")])
  }

  /// The addressing mode was sent in between.
  @Test func aRefreshBehindAnAddressIsFollowedByTheAddressAgain() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.pictureSize)
    bitmap[page: 2, column: 50] = 1
    display.show(bitmap)
    display.messageWasSent()
    display.refresh()
    let messages = takeMessages(&display)
    #expect(messages.dropFirst() == [bytes("00 21 32 32 22 02 02"), bytes("40 01")])
  }

  private func flush(_ display: inout PanelDriver, _ model: inout PanelModel) {
    for message in takeMessages(&display) { model.receive(message.span) }
  }
}
