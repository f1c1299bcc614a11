import Bytes
import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// The controller's behaviours, one test each, from the SSD1306 data sheet.
struct PanelModelTests {
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
    expect(pixels, [])
    expect(!isOn)
    expect(contrast, 0x7F)
  }

  @Test func theRAMHoldsNoiseAfterPowerOn() {
    var model = PanelModel(.ssd1306x128x64)
    model.receive("00 8D 14 AF")
    let count = lit(model).count
    expect(count > 3_000 && count < 5_000)
  }

  @Test func withoutTheChargePumpThePanelStaysDark() {
    var model = clearModel()
    model.receive("00 8D 10 A5")
    expect(lit(model).count, 0)
    model.receive("00 8D 14")
    expect(lit(model).count, 128 * 64)
  }

  /// Tables 10-1 and 10-2: with start line 8 the first row shows RAM line 8; remapped with offset 8, row 0
  /// is at COM7 and row 63 at COM8.
  @Test(
    arguments: [
      ("bit 0 is on top", ["00 21 05 7F 22 01 07", "40 81"], ["5,8", "5,15"]),
      (
        "one message holds commands and data",
        ["80 21 80 0A 80 0B 80 22 80 02 80 02 C0 01 40 02"], ["10,16", "11,17"]
      ),
      (
        "a window wraps to its start", ["00 21 02 03 22 00 01", "40 01 02 04 08 80"],
        ["3,1", "2,7", "2,10", "3,11"]
      ),
      (
        "vertical mode goes down the pages", ["00 20 01 21 02 03 22 00 01", "40 01 02 04 08 80"],
        ["3,2", "2,7", "2,9", "3,11"]
      ),
      (
        "page mode stays in its page", ["00 20 02 B3 0E 17", "40 01 02", "00 00 10", "40 04"],
        ["126,24", "127,25", "0,26"]
      ),
      (
        "page mode wraps within its page",
        ["00 20 02 B3 00 10", "40" + String(repeating: "00", count: 128) + "01"], ["0,24"]
      ),
      ("the start line shifts the picture up", ["00 22 01 07", "40 01", "00 48"], ["0,0"]),
      ("the display offset turns the picture", ["40 01", "00 D3 08"], ["0,56"]),
      ("off is all dark", ["00 A5 AE"], []),
    ])
  func aPixelIsWhereTheDataSheetPutsIt(_ rule: String, _ messages: [String], _ pixels: [String]) {
    var model = clearModel()
    for message in messages { model.receive(message) }
    expect(lit(model), pixels, "\(rule)")
  }

  @Test func aCommandMayBeSpreadOverMessages() {
    var model = clearModel()
    model.receive("80 81")
    model.receive("00 42")
    expect(model.contrast, 0x42)
  }

  @Test func addressCommandsOfAnotherModeAreFaults() {
    var model = clearModel()
    model.receive("00 B0 00 10")
    model.receive("00 20 02 21 00 7F 22 00 07")
    expect(model.faults, 5)
  }

  @Test func rowsBeyondTheMultiplexRatioAreDark() {
    var model = clearModel()
    model.receive("00 A5 A8 1F")
    expect(lit(model).count, 128 * 32)
    model.receive("00 A8 0D")
    expect(model.faults, 1)
  }

  @Test func inversionSwapsLitAndDarkAndEntireDisplayOnLeavesTheRAMAsItIs() {
    var model = clearModel()
    model.receive("40 01")
    model.receive("00 A7")
    expect(lit(model).count == 128 * 64 - 1 && lit(model).first == "1,0")
    model.receive("00 A6 A5")
    expect(lit(model).count, 128 * 64)
    model.receive("00 A4")
    expect(lit(model), ["0,0"])
  }

  /// Section 10.1.8: the remap affects later data only; section 10.1.14: the scan acts at once.
  @Test func remapActsOnDataToComeAndScanDirectionAtOnce() {
    var model = clearModel()
    model.receive("40 01")
    model.receive("00 A0")
    expect(lit(model), ["0,0"])
    model.receive("40 01")
    model.receive("00 C0")
    expect(lit(model), ["0,63", "126,63"])
  }

  /// Table 10-3: the wrong pin setting interleaves the halves of the picture.
  @Test func wrongCOMPinsScrambleTheRows() {
    var model = clearModel()
    model.receive("40 03")
    model.receive("00 DA 02")
    expect(lit(model), ["0,0", "0,2"])
    model.receive("00 DA 32")
    expect(lit(model), ["0,0", "0,1"])
  }

  @Test(arguments: ["00 FF", "00 20 03", "00 21 05 04", "00 22 05 04", "01 E3", "00 B8"])
  func whatMakesNoSenseIsCountedAndIgnored(_ message: String) {
    var model = clearModel()
    model.receive("40 01")
    let before = lit(model)
    model.receive(message)
    let after = lit(model)
    expect(model.faults, 1)
    expect(after, before)
  }
}
