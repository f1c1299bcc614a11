import Graphics
import Panel
import PanelModel
import TestSupport
import Testing

/// Where the SH1107 differs from the SSD1306: its data sheet, version 2.1.
@Suite struct SH1107ModelTests {
  func send(_ text: String, _ model: inout PanelModel) {
    let message = bytes(text)
    model.receive(message.span)
  }

  func clearModel() -> PanelModel {
    var model = PanelModel(.sh1107x128x128)
    for page in 0..<16 as Range<UInt8> {
      let head = bytes("80 00 80 10 80") + [0xB0 | page, 0x40]
      model.receive((head + [UInt8](repeating: 0, count: 128)).span)
    }
    send("00 A0 C0 AF", &model)
    return model
  }

  func rows(_ model: borrowing PanelModel) -> [String] {
    glass(model).split(separator: "\n").map(String.init)
  }

  private let dark = String(repeating: ".", count: 127)

  /// Figure 10: a byte is eight segments of a COM output.
  @Test func sixteenPagesOfARowAreTheWholeGlass() {
    var model = clearModel()
    send("80 B0 80 00 80 10 40 01", &model)
    send("80 BF 80 0F 80 17 40 80", &model)
    let rows = rows(model)
    let faults = model.faults
    #expect(rows.count == 128)
    #expect(rows[0] == "#" + dark)
    #expect(rows[127] == dark + "#")
    #expect(rows[1..<127].allSatisfy { !$0.contains("#") })
    #expect(faults == 0)
  }

  @Test func theRemapTurnsRowsAndTheScanTurnsColumns() {
    var model = clearModel()
    send("80 B0 80 00 80 10 40 01", &model)
    send("00 A1", &model)
    let below = rows(model)
    send("00 C8", &model)
    let opposite = rows(model)
    #expect(below[127] == "#" + dark)
    #expect(opposite[127] == dark + "#")
  }

  /// Command 17: "Specify Column address to determine the initial display line or COM0".
  @Test func theStartLineIsAColumn() {
    var model = clearModel()
    send("80 B0 80 01 80 10 40 01", &model)
    send("00 DC 01", &model)
    let first = rows(model)
    send("00 DC 02", &model)
    let last = rows(model)
    let startLine = model.startLine
    #expect(first[0] == "#" + dark)
    #expect(last[0] == dark + "#")
    #expect(startLine == 2)
  }

  @Test func inItsVerticalModeThePageMovesOn() {
    var model = clearModel()
    send("80 21 80 BF 80 00 80 10 40 80 01", &model)
    let rows = rows(model)
    #expect(rows[127] == "#" + dark)
    #expect(rows[0] == ".#" + dark.dropFirst())
  }

  @Test func theConverterRunsFromTheBeginningAndMustRun() {
    var model = clearModel()
    let first = model.isOn
    send("00 AD 8A", &model)
    let isOff = model.isOn
    send("00 AD 81", &model)
    let isOn = model.isOn
    #expect(first && !isOff && isOn)
  }

  /// Page 23: "Don't use any commands not mentioned above".
  @Test(arguments: ["18", "22", "2E", "40", "8D", "D8", "DA", "FD"])
  func itHasNoneOfTheOthersCommands(_ command: String) {
    var model = clearModel()
    send("00 " + command, &model)
    let faults = model.faults
    #expect(faults == 1)
  }
}
