import Bytes
import Graphics
import Panel
import PanelModel
import TestSupport
import Testing

/// The controller's behaviours, one test each, from the SSD1306 data sheet.
@Suite struct PanelModelTests {
  /// A model that was initialised by hand and cleared, in horizontal mode.
  func clearModel(_ kind: PanelKind = .ssd1306x128x64) -> PanelModel {
    var model = PanelModel(kind)
    send("00 AE 20 00 8D 14 A1 C8 DA 12 AF 21 00 7F 22 00 07", &model)
    model.receive(([0x40] + [UInt8](repeating: 0, count: 1_024)).span)
    return model
  }

  func send(_ text: String, _ model: inout PanelModel) {
    let message = bytes(text)
    model.receive(message.span)
  }

  /// The lit pixels as "x,y", row by row.
  func lit(_ model: borrowing PanelModel) -> [String] {
    var bitmap = Bitmap(model.kind.size)
    model.updateGlass(&bitmap)
    var pixels: [String] = []
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width where bitmap[x, y] { pixels.append("\(x),\(y)") }
    }
    return pixels
  }

  @Test func afterPowerOnThePanelIsDark() {
    let model = PanelModel(.ssd1306x128x64)
    let (pixels, isOn, contrast) = (lit(model), model.isOn, model.contrast)
    #expect(pixels == [])
    #expect(!isOn)
    #expect(contrast == 0x7F)
  }

  @Test func theRAMHoldsNoiseAfterPowerOn() {
    var model = PanelModel(.ssd1306x128x64)
    send("00 8D 14 AF", &model)
    let count = lit(model).count
    #expect(count > 3_000 && count < 5_000)
  }

  @Test func withoutTheChargePumpThePanelStaysDark() {
    var model = clearModel()
    send("00 8D 10 A5", &model)
    let dark = lit(model).count
    send("00 8D 14", &model)
    let bright = lit(model).count
    #expect(dark == 0)
    #expect(bright == 128 * 64)
  }

  @Test func bitZeroIsOnTop() {
    var model = clearModel()
    send("00 21 05 7F 22 01 07", &model)
    send("40 81", &model)
    let pixels = lit(model)
    #expect(pixels == ["5,8", "5,15"])
  }

  @Test func oneMessageHoldsCommandsAndData() {
    var model = clearModel()
    send("80 21 80 0A 80 0B 80 22 80 02 80 02 C0 01 40 02", &model)
    let pixels = lit(model)
    #expect(pixels == ["10,16", "11,17"])
  }

  @Test func aCommandMayBeSpreadOverMessages() {
    var model = clearModel()
    send("80 81", &model)
    send("00 42", &model)
    let contrast = model.contrast
    #expect(contrast == 0x42)
  }

  @Test func aWindowWrapsToItsStart() {
    var model = clearModel()
    send("00 21 02 03 22 00 01", &model)
    send("40 01 02 04 08 80", &model)
    let pixels = lit(model)
    #expect(pixels == ["3,1", "2,7", "2,10", "3,11"])
  }

  @Test func verticalModeGoesDownThePages() {
    var model = clearModel()
    send("00 20 01 21 02 03 22 00 01 ", &model)
    send("40 01 02 04 08 80", &model)
    let pixels = lit(model)
    #expect(pixels == ["3,2", "2,7", "2,9", "3,11"])
  }

  @Test func pageModeStaysInItsPage() {
    var model = clearModel()
    send("00 20 02 B3 0E 17", &model)
    send("40 01 02", &model)
    send("00 00 10", &model)
    send("40 04", &model)
    let pixels = lit(model)
    #expect(pixels == ["126,24", "127,25", "0,26"].sorted(by: rows))
  }

  @Test func pageModeWrapsWithinItsPage() {
    var model = clearModel()
    send("00 20 02 B3 00 10", &model)
    model.receive(([0x40] + [UInt8](repeating: 0, count: 128) + [0x01]).span)
    let pixels = lit(model)
    #expect(pixels == ["0,24"])
  }

  /// Orders "x,y" as `lit` does.
  func rows(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.split(separator: ","), b.split(separator: ","))
    return (Int(a[1]) ?? 0, Int(a[0]) ?? 0) < (Int(b[1]) ?? 0, Int(b[0]) ?? 0)
  }

  @Test func addressCommandsOfAnotherModeAreFaults() {
    var model = clearModel()
    send("00 B0 00 10", &model)
    send("00 20 02 21 00 7F 22 00 07", &model)
    let faults = model.faults
    #expect(faults == 5)
  }

  /// Table 10-1: with start line 8 the first row shows RAM line 8.
  @Test func theStartLineShiftsThePictureUp() {
    var model = clearModel()
    send("00 22 01 07", &model)
    send("40 01", &model)
    send("00 48", &model)
    let pixels = lit(model)
    #expect(pixels == ["0,0"])
  }

  /// Table 10-2: remapped with offset 8, row 0 is at COM7 and row 63 at COM8.
  @Test func theDisplayOffsetTurnsThePicture() {
    var model = clearModel()
    send("40 01", &model)
    send("00 D3 08", &model)
    let pixels = lit(model)
    #expect(pixels == ["0,56"])
  }

  @Test func rowsBeyondTheMultiplexRatioAreDark() {
    var model = clearModel()
    send("00 A5 A8 1F", &model)
    let count = lit(model).count
    send("00 A8 0D", &model)
    let faults = model.faults
    #expect(count == 128 * 32)
    #expect(faults == 1)
  }

  @Test func inversionSwapsLitAndDark() {
    var model = clearModel()
    send("40 01", &model)
    send("00 A7", &model)
    let count = lit(model).count
    let first = lit(model).first
    #expect(count == 128 * 64 - 1)
    #expect(first == "1,0")
  }

  @Test func entireDisplayOnLeavesTheRAMAsItIs() {
    var model = clearModel()
    send("40 01 00", &model)
    send("00 A5", &model)
    let all = lit(model).count
    send("00 A4", &model)
    let pixels = lit(model)
    #expect(all == 128 * 64)
    #expect(pixels == ["0,0"])
  }

  @Test func offIsAllDark() {
    var model = clearModel()
    send("00 A5 AE", &model)
    let pixels = lit(model)
    #expect(pixels == [])
  }

  /// Section 10.1.8: the remap affects later data only; section 10.1.14: the scan acts at once.
  @Test func remapActsOnDataToComeAndScanDirectionAtOnce() {
    var model = clearModel()
    send("40 01", &model)
    send("00 A0", &model)
    let remapped = lit(model)
    send("40 01", &model)
    send("00 C0", &model)
    let both = lit(model)
    #expect(remapped == ["0,0"])
    #expect(both == ["0,63", "126,63"])
  }

  /// Table 10-3: the wrong pin setting interleaves the halves of the picture.
  @Test func wrongCOMPinsScrambleTheRows() {
    var model = clearModel()
    send("40 03", &model)
    send("00 DA 02", &model)
    let interleaved = lit(model)
    send("00 DA 32", &model)
    let swapped = lit(model)
    #expect(interleaved == ["0,0", "0,2"])
    #expect(swapped == ["0,0", "0,1"].map { $0 == "0,0" ? "0,1" : "0,0" }.sorted())
  }

  @Test(
    arguments: [
      "26 00 01 07 06 00 FF", "27 00 00 00 07 00 FF", "29 00 01 02 03 3F", "2A 00 01 02 03 01",
      "2E", "2F", "A3 10 30", "D5 80", "D9 F1", "DB 40", "E3", "AD 30",
    ])
  func aCommandThatShowsInNoPictureTakesItsArgumentsOnly(_ command: String) {
    var model = clearModel()
    send("00" + command + "81 55", &model)
    let (faults, contrast) = (model.faults, model.contrast)
    #expect(faults == 0)
    #expect(contrast == 0x55)
  }

  @Test(arguments: ["00 FF", "00 20 03", "00 21 05 04", "00 22 05 04", "01 E3", "00 B8"])
  func whatMakesNoSenseIsCountedAndIgnored(_ message: String) {
    var model = clearModel()
    send("40 01", &model)
    let before = lit(model)
    send(message, &model)
    let after = lit(model)
    let faults = model.faults
    #expect(faults == 1)
    #expect(after == before)
  }
}
