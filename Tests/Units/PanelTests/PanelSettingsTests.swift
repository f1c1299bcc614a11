import Bytes
import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// What is sent beside the picture.
struct PanelSettingsTests {
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
    var panel = Driven(
      PanelDriver(kind, rotation: .noTurn, contrast: kind.usualContrast), kind)
    panel.display.setDim(true)
    expect(panel.deliver(), [bytes("00" + dim)])
    panel.display.setDim(true)
    expect(panel.deliver(), [])
    panel.display.setDim(false)
    expect(panel.deliver(), [bytes("00" + bright)])
  }

  @Test(arguments: [1, 2, 3, 4, 90, 255] as [UInt8])
  func theUsersContrastComesBackAndADimPanelIsNeverBlack(_ contrast: UInt8) {
    var panel = Driven(
      PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: contrast), .ssd1306x128x64)
    expect(panel.model.contrast, contrast)
    panel.display.setDim(true)
    panel.deliver()
    let dim = panel.model.contrast
    panel.display.setDim(false)
    panel.deliver()
    expect(panel.model.contrast, contrast)
    expect(dim > 0 && dim <= max(1, contrast / 2))
  }

  @Test func settingsBeforeTheFirstPictureGoIntoTheInitialisation() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 0xCF)
    display.setDim(true)
    expect(takeMessages(&display), [])
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    expect(
      first, bytes("00 AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 33 D9 11 DB 00 2E A4 A6"))
  }

  @Test func switchedOffItKeepsAndTakesPictures() {
    var panel = Driven()
    panel.display.setOn(false)
    expect(panel.deliver(), [bytes("00 AE")])
    let meanwhile = panel.show { $0[0, 0] = true }
    panel.display.setOn(true)
    expect(panel.deliver(), [bytes("00 AF")])
    expect(meanwhile, [bytes("00 21 00 00 22 00 00"), bytes("40 01")])
  }

  @Test func aPictureIsThereBeforeThePanelIsSwitchedOn() {
    var panel = Driven()
    panel.display.setOn(false)
    panel.deliver()
    panel.display.setOn(true)
    let messages = panel.show { $0[0, 0] = true }
    expect(messages, [bytes("00 21 00 00 22 00 00"), bytes("40 01"), bytes("00 AF")])
  }

  @Test func shuttingDownDarkensFirstAndThenClears() {
    var panel = Driven()
    panel.show { $0[page: 1, column: 2] = 0xFF }
    panel.display.shutDown()
    expect(panel.deliver(), [bytes("00 AE"), bytes("00 21 02 02 22 01 01"), bytes("40 00")])
  }

  /// Configuration without `AE`, so that nothing flickers.
  @Test func centralBehaviour65_refreshingSendsAddressingAndStartLineAnewAndEndsScrolling() {
    var panel = Driven()
    panel.show { $0[0, 0] = true }
    panel.display.refresh()
    let messages = panel.deliver()
    let next = panel.show { $0[0, 0] = false }
    expect(
      messages, [bytes("00 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 2E A4 A6 AF")])
    expect(next, [bytes("00 21 00 00 22 00 00"), bytes("40 00")])
  }

  /// SH1106 data sheet, command 10: the converter is set while the panel is off.
  @Test func refreshingAPanelThatIsOnLeavesItsConverterAlone() {
    var panel = Driven(.sh1106x128x64)
    panel.display.refresh()
    expect(panel.deliver(), [bytes("00 A8 3F D3 00 40 A1 C8 DA 12 81 CF D9 F1 DB 40 A4 A6 AF")])
  }

  @Test func refreshingKeepsAPanelOff() {
    var panel = Driven()
    panel.display.setOn(false)
    panel.deliver()
    panel.display.refresh()
    let messages = panel.deliver()
    expect(messages.count, 1)
    expect(messages.first?.last, 0xAE)
  }

  @Test func aPanelThatNeverHadAPictureIsSentNothing() {
    var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 1)
    display.refresh()
    expect(takeMessages(&display), [])
    display.shutDown()
    expect(takeMessages(&display), [])
  }

  @Test func afterAnErrorEverythingIsSentAgainAtTheNextPicture() {
    var panel = Driven()
    panel.bitmap[0, 0] = true
    panel.display.show(panel.bitmap)
    panel.display.invalidate()
    expect(panel.display.message.isEmpty, true)
    expect(panel.show().map(\.count), [28, 7, 1_025, 2])
  }

  /// The page may have been set to another by a message that is taken for lost.
  @Test func afterAnErrorAnSH1106GetsItsPageAnew() {
    var panel = Driven(.sh1106x128x64)
    panel.show { $0[0, 0] = true }
    panel.display.invalidate()
    expect(panel.show()[1], bytes("00 B0 02 10"))
  }

  /// The longest waits for two more bytes: SSD1306, table 9-1, 21h and 22h.
  @Test func aCommandThatWasCutOffIsFilledUpBeforeTheInitialisation() {
    var panel = Driven()
    panel.display.invalidate()
    let messages = panel.show()
    panel.display.invalidate()
    let again = panel.show()
    expect(messages.first?.starts(with: bytes("00 7F 7F AE D5 80 A8 3F")), true)
    expect(again.first, messages.first)
  }

  @Test func aPictureThatComesMeanwhileReplacesWhatIsLeftToSend() {
    var panel = Driven()
    panel.bitmap[page: 0, column: 0] = 1
    panel.bitmap[page: 7, column: 127] = 1
    panel.display.show(panel.bitmap)
    panel.display.messageWasSent()
    panel.display.messageWasSent()
    let messages = panel.show { $0.clear() }
    expect(messages, [bytes("00 21 00 00 22 00 00"), bytes("40 00")])
  }

  /// The address has arrived, the bytes have not: another picture may need others.
  @Test func aPictureThatComesBehindAnAddressIsAddressedItself() {
    var panel = Driven()
    panel.bitmap[page: 2, column: 50] = 1
    panel.display.show(panel.bitmap)
    panel.display.messageWasSent()
    let messages = panel.show {
      $0[page: 2, column: 50] = 0
      $0[page: 2, column: 60] = 1
    }
    expect(messages, [bytes("00 21 3C 3C 22 02 02"), bytes("40 01")])
  }

  /// The addressing mode was sent in between.
  @Test func aRefreshBehindAnAddressIsFollowedByTheAddressAgain() {
    var panel = Driven()
    panel.bitmap[page: 2, column: 50] = 1
    panel.display.show(panel.bitmap)
    panel.display.messageWasSent()
    panel.display.refresh()
    expect(panel.deliver().dropFirst(), [bytes("00 21 32 32 22 02 02"), bytes("40 01")])
  }
}
