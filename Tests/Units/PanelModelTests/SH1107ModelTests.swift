import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// Where the SH1107 differs from the SSD1306: its data sheet, version 2.1.
@Suite struct SH1107ModelTests {
  func clearModel() -> PanelModel {
    var model = PanelModel(.sh1107x128x128)
    for page in 0..<16 as Range<UInt8> {
      let head = bytes("80 00 80 10 80") + [0xB0 | page, 0x40]
      model.receive((head + [UInt8](repeating: 0, count: 128)).span)
    }
    model.receive("00 A0 C0 AF")
    return model
  }

  func rows(_ model: borrowing PanelModel) -> [String] {
    glass(model).split(separator: "\n").map(String.init)
  }

  private let dark = String(repeating: ".", count: 127)

  /// Figure 10: a byte is eight segments of a COM output.
  @Test func sixteenPagesOfARowAreTheWholeGlass() {
    var model = clearModel()
    model.receive("80 B0 80 00 80 10 40 01")
    model.receive("80 BF 80 0F 80 17 40 80")
    let rows = rows(model)
    expect(model.faults, 0)
    expect(rows.count, 128)
    expect(rows[0], "#" + dark)
    expect(rows[127], dark + "#")
    #expect(rows[1..<127].allSatisfy { !$0.contains("#") })
  }

  @Test func theRemapTurnsRowsAndTheScanTurnsColumns() {
    var model = clearModel()
    model.receive("80 B0 80 00 80 10 40 01")
    model.receive("00 A1")
    let below = rows(model)
    model.receive("00 C8")
    let opposite = rows(model)
    expect(below[127], "#" + dark)
    expect(opposite[127], dark + "#")
  }

  /// Command 17: "Specify Column address to determine the initial display line or COM0".
  @Test func theStartLineIsAColumn() {
    var model = clearModel()
    model.receive("80 B0 80 01 80 10 40 01")
    model.receive("00 DC 01")
    let first = rows(model)
    model.receive("00 DC 02")
    let last = rows(model)
    expect(model.startLine, 2)
    expect(first[0], "#" + dark)
    expect(last[0], dark + "#")
  }

  @Test func inItsVerticalModeThePageMovesOn() {
    var model = clearModel()
    model.receive("80 21 80 BF 80 00 80 10 40 80 01")
    let rows = rows(model)
    expect(rows[127], "#" + dark)
    expect(rows[0], ".#" + dark.dropFirst())
  }

  @Test func theConverterRunsFromTheBeginningAndMustRun() {
    var model = clearModel()
    let first = model.isOn
    model.receive("00 AD 8A")
    let isOff = model.isOn
    model.receive("00 AD 81")
    expect(first && !isOff && model.isOn)
  }

}
