import Graphics
import Panel
import PanelModel
import Seeded
import TestSupport
import Testing

/// Where the SH1106 differs from the SSD1306.
@Suite struct SH1106ModelTests {
  func send(_ text: String, _ model: inout PanelModel) {
    let message = bytes(text)
    model.receive(message.span)
  }

  func clearModel() -> PanelModel {
    var model = PanelModel(.sh1106x128x64)
    for page in 0..<8 as Range<UInt8> {
      let head = bytes("80 00 80 10 80") + [0xB0 | page, 0x40]
      model.receive((head + [UInt8](repeating: 0, count: 132)).span)
    }
    send("00 A1 C8 AF", &model)
    return model
  }

  @Test func theGlassShowsColumns2To129() {
    var model = clearModel()
    send("80 B0 80 00 80 10 40 FF FF 01", &model)
    send("80 01 80 18 40 80 FF FF", &model)
    let rows = glass(model).split(separator: "\n").map(String.init)
    let dots = String(repeating: ".", count: 127)
    #expect(rows[0] == "#" + dots)
    #expect(rows[7] == dots + "#")
    #expect(rows.dropFirst(8).allSatisfy { !$0.contains("#") })
    #expect(rows[1..<7].allSatisfy { !$0.contains("#") })
  }

  @Test func theRemapActsAtOnce() {
    var model = clearModel()
    send("80 B0 80 02 80 10 40 01", &model)
    send("00 A0", &model)
    let rows = glass(model).split(separator: "\n").map(String.init)
    #expect(rows[0] == String(repeating: ".", count: 127) + "#")
  }

  @Test func itHasNoWindows() {
    var model = clearModel()
    send("00 20", &model)
    send("00 21", &model)
    send("00 22", &model)
    send("00 8D", &model)
    let faults = model.faults
    #expect(faults == 4)
  }

  @Test func theConverterMustRun() {
    var model = clearModel()
    send("00 AD 8A A5", &model)
    let isOff = model.isOn
    send("00 AD 8B", &model)
    let isOn = model.isOn
    #expect(!isOff)
    #expect(isOn)
  }

  @Test func dataBeyondTheRAMIsLost() {
    var model = clearModel()
    send("80 B0 80 0F 80 1F 40 FF", &model)
    let faults = model.faults
    let seen = glass(model)
    #expect(faults == 1)
    #expect(!seen.contains("#"))
  }
}

/// Whatever comes over the bus, the mirror stands.
@Suite struct HostileBusTests {
  @Test(arguments: allKinds) func randomBytesNeverTrap(_ kind: PanelKind) {
    let seed = testSeed
    var random = SeededGenerator(state: seed)
    var model = PanelModel(kind)
    var bitmap = Bitmap(kind.size)
    for _ in 0..<300 {
      let count = Int.random(in: 0...80, using: &random)
      var message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if !message.isEmpty, Bool.random(using: &random) { message[0] &= 0x40 }
      model.receive(message.span)
    }
    model.updateGlass(&bitmap)
    let faults = model.faults
    #expect(faults > 0, "seed \(seed)")
  }

  @Test(arguments: allKinds) func everyPrefixOfAMessageIsTaken(_ kind: PanelKind) {
    let message = bytes("80 AE 80 A8 80 3F 80 D3 80 00 80 81 80 CF 80 DB 80 40 C0 01 40 02 03")
    for count in 0...message.count {
      var model = PanelModel(kind)
      model.receive(message.span.extracting(first: count))
      let faults = model.faults
      #expect(faults == 0)
    }
  }

  @Test(arguments: allKinds) func everySingleByteCommandIsTaken(_ kind: PanelKind) {
    for opcode in 0...255 as ClosedRange<UInt8> {
      var model = PanelModel(kind)
      let message = [0x00, opcode] + [UInt8](repeating: 0xFF, count: 8)
      model.receive(message.span)
      let data = [UInt8](repeating: 0x40, count: 300)
      model.receive(data.span)
      var bitmap = Bitmap(kind.size)
      model.updateGlass(&bitmap)
    }
  }
}
