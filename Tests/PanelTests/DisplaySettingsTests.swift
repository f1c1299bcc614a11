import Bytes
import Graphics
import Panel
import Testing

/// What is sent beside the picture.
@Suite struct DisplaySettingsTests {
  @Test func contrastAndInversionAreOneShortMessage() {
    var display = darkDisplay()
    display.setContrast(1)
    display.setInverted(true)
    let messages = takeMessages(&display)
    display.setInverted(true)
    let again = takeMessages(&display)
    #expect(messages == [hex("00 81 01 A7")])
    #expect(again == [])
  }

  @Test func settingsBeforeTheFirstPictureGoIntoTheInitialisation() {
    var display = Display(.ssd1306Size128x64, rotation: .upright, contrast: 0xCF)
    display.setContrast(0x20)
    display.setInverted(true)
    let early = takeMessages(&display)
    display.show(Bitmap(display.size))
    let first = array(display.message)
    #expect(early == [])
    #expect(
      first == hex("00 AE D5 80 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 20 D9 F1 DB 40 2E A4 A7"))
  }

  @Test func switchedOffItKeepsAndTakesPictures() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[0, 0] = true
    display.setOn(false)
    let off = takeMessages(&display)
    display.show(bitmap)
    let meanwhile = takeMessages(&display)
    display.setOn(true)
    let on = takeMessages(&display)
    #expect(off == [hex("00 AE")])
    #expect(meanwhile.count == 1)
    #expect(on == [hex("00 AF")])
  }

  @Test func aPictureIsThereBeforeThePanelIsSwitchedOn() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[0, 0] = true
    display.setOn(false)
    _ = takeMessages(&display)
    display.setOn(true)
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages.last == hex("00 AF"))
    #expect(messages.count == 2)
  }

  @Test func shuttingDownDarkensFirstAndThenClears() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[page: 1, column: 2] = 0xFF
    display.show(bitmap)
    _ = takeMessages(&display)
    display.shutDown()
    let messages = takeMessages(&display)
    #expect(messages == [hex("00 AE"), hex("40 00")])
  }

  @Test func shuttingDownAPanelThatNeverWorkedSendsNothing() {
    var display = Display(.ssd1306Size128x64, rotation: .upright, contrast: 1)
    display.shutDown()
    let messages = takeMessages(&display)
    #expect(messages == [])
  }

  /// Configuration without `AE`, so that nothing flickers, then a window for the next change.
  @Test func refreshingSendsAddressingAndStartLineAnew() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
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
        == [hex("00 A8 3F D3 00 40 8D 14 20 00 A1 C8 DA 12 81 CF D9 F1 DB 40 A4 A6 AF")])
    #expect(next == [hex("80 21 80 00 80 00 80 22 80 00 80 00 40 00")])
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
    var display = Display(.ssd1306Size128x64, rotation: .upright, contrast: 1)
    display.refresh()
    let messages = takeMessages(&display)
    #expect(messages == [])
  }

  @Test func afterAnErrorEverythingIsSentAgainAtTheNextPicture() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[0, 0] = true
    display.show(bitmap)
    display.invalidate()
    let silent = display.message.isEmpty
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(silent)
    #expect(messages.map(\.count) == [26, 1_037, 2])
  }

  @Test func aPictureThatComesMeanwhileReplacesWhatIsLeftToSend() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap[page: 0, column: 0] = 1
    bitmap[page: 7, column: 127] = 1
    display.show(bitmap)
    display.messageWasSent()
    display.show(Bitmap(display.size))
    let messages = takeMessages(&display)
    // The pointer stands behind the byte that was sent, in a window of the whole panel.
    #expect(messages == [hex("80 21 80 00 80 00 40 00")])
  }
}
