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
    model.receive("00 AE 20 00 8D 14 A1 C8 DA 12 AF 21 00 7F 22 00 07")
    model.receive(([0x40] + [UInt8](repeating: 0, count: 1_024)).span)
    return model
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
    model.receive("00 8D 14 AF")
    let count = lit(model).count
    #expect(count > 3_000 && count < 5_000)
  }

  @Test func withoutTheChargePumpThePanelStaysDark() {
    var model = clearModel()
    model.receive("00 8D 10 A5")
    let dark = lit(model).count
    model.receive("00 8D 14")
    let bright = lit(model).count
    #expect(dark == 0)
    #expect(bright == 128 * 64)
  }

  @Test func bitZeroIsOnTop() {
    var model = clearModel()
    model.receive("00 21 05 7F 22 01 07")
    model.receive("40 81")
    let pixels = lit(model)
    #expect(pixels == ["5,8", "5,15"])
  }

  @Test func oneMessageHoldsCommandsAndData() {
    var model = clearModel()
    model.receive("80 21 80 0A 80 0B 80 22 80 02 80 02 C0 01 40 02")
    let pixels = lit(model)
    #expect(pixels == ["10,16", "11,17"])
  }

  @Test func aCommandMayBeSpreadOverMessages() {
    var model = clearModel()
    model.receive("80 81")
    model.receive("00 42")
    let contrast = model.contrast
    #expect(contrast == 0x42)
  }

  @Test func aWindowWrapsToItsStart() {
    var model = clearModel()
    model.receive("00 21 02 03 22 00 01")
    model.receive("40 01 02 04 08 80")
    let pixels = lit(model)
    #expect(pixels == ["3,1", "2,7", "2,10", "3,11"])
  }

  @Test func verticalModeGoesDownThePages() {
    var model = clearModel()
    model.receive("00 20 01 21 02 03 22 00 01 ")
    model.receive("40 01 02 04 08 80")
    let pixels = lit(model)
    #expect(pixels == ["3,2", "2,7", "2,9", "3,11"])
  }

  @Test func pageModeStaysInItsPage() {
    var model = clearModel()
    model.receive("00 20 02 B3 0E 17")
    model.receive("40 01 02")
    model.receive("00 00 10")
    model.receive("40 04")
    let pixels = lit(model)
    #expect(pixels == ["126,24", "127,25", "0,26"].sorted(by: rows))
  }

  @Test func pageModeWrapsWithinItsPage() {
    var model = clearModel()
    model.receive("00 20 02 B3 00 10")
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
    model.receive("00 B0 00 10")
    model.receive("00 20 02 21 00 7F 22 00 07")
    let faults = model.faults
    #expect(faults == 5)
  }

  /// Table 10-1: with start line 8 the first row shows RAM line 8.
  @Test func theStartLineShiftsThePictureUp() {
    var model = clearModel()
    model.receive("00 22 01 07")
    model.receive("40 01")
    model.receive("00 48")
    let pixels = lit(model)
    #expect(pixels == ["0,0"])
  }

  /// Table 10-2: remapped with offset 8, row 0 is at COM7 and row 63 at COM8.
  @Test func theDisplayOffsetTurnsThePicture() {
    var model = clearModel()
    model.receive("40 01")
    model.receive("00 D3 08")
    let pixels = lit(model)
    #expect(pixels == ["0,56"])
  }

  @Test func rowsBeyondTheMultiplexRatioAreDark() {
    var model = clearModel()
    model.receive("00 A5 A8 1F")
    let count = lit(model).count
    model.receive("00 A8 0D")
    let faults = model.faults
    #expect(count == 128 * 32)
    #expect(faults == 1)
  }

  @Test func inversionSwapsLitAndDark() {
    var model = clearModel()
    model.receive("40 01")
    model.receive("00 A7")
    let count = lit(model).count
    let first = lit(model).first
    #expect(count == 128 * 64 - 1)
    #expect(first == "1,0")
  }

  @Test func entireDisplayOnLeavesTheRAMAsItIs() {
    var model = clearModel()
    model.receive("40 01 00")
    model.receive("00 A5")
    let all = lit(model).count
    model.receive("00 A4")
    let pixels = lit(model)
    #expect(all == 128 * 64)
    #expect(pixels == ["0,0"])
  }

  @Test func offIsAllDark() {
    var model = clearModel()
    model.receive("00 A5 AE")
    let pixels = lit(model)
    #expect(pixels == [])
  }

  /// Section 10.1.8: the remap affects later data only; section 10.1.14: the scan acts at once.
  @Test func remapActsOnDataToComeAndScanDirectionAtOnce() {
    var model = clearModel()
    model.receive("40 01")
    model.receive("00 A0")
    let remapped = lit(model)
    model.receive("40 01")
    model.receive("00 C0")
    let both = lit(model)
    #expect(remapped == ["0,0"])
    #expect(both == ["0,63", "126,63"])
  }

  /// Table 10-3: the wrong pin setting interleaves the halves of the picture.
  @Test func wrongCOMPinsScrambleTheRows() {
    var model = clearModel()
    model.receive("40 03")
    model.receive("00 DA 02")
    let interleaved = lit(model)
    model.receive("00 DA 32")
    let swapped = lit(model)
    #expect(interleaved == ["0,0", "0,2"])
    #expect(swapped == ["0,0", "0,1"].map { $0 == "0,0" ? "0,1" : "0,0" }.sorted())
  }

  @Test(arguments: ["00 FF", "00 20 03", "00 21 05 04", "00 22 05 04", "01 E3", "00 B8"])
  func whatMakesNoSenseIsCountedAndIgnored(_ message: String) {
    var model = clearModel()
    model.receive("40 01")
    let before = lit(model)
    model.receive(message)
    let after = lit(model)
    let faults = model.faults
    #expect(faults == 1)
    #expect(after == before)
  }
}
