import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// Where the relatives differ from the SSD1306: the SSD1309, the SH1106, and the SH1107 by its data sheet, version 2.1.
struct RelativeModelTests {
  /// A model of an SH1106 or SH1107 that was cleared and switched on.
  private func clearModel(_ kind: PanelKind) -> PanelModel {
    var model = PanelModel(kind)
    let isSquare = kind == .sh1107x128x128
    for page in 0..<UInt8(isSquare ? 16 : 8) {
      let head = bytes("80 00 80 10 80") + [0xB0 | page, 0x40]
      model.receive((head + [UInt8](repeating: 0, count: isSquare ? 128 : 132)).span)
    }
    model.receive(isSquare ? "00 A0 C0 AF" : "00 A1 C8 AF")
    return model
  }

  private func rows(_ model: borrowing PanelModel) -> [String] {
    glass(model).split(separator: "\n").map(String.init)
  }

  private let dark = String(repeating: ".", count: 127)

  /// Its module makes the voltage of the pixels.
  @Test func anSSD1309ShowsWithoutAChargePump() {
    var model = PanelModel(.ssd1309x128x64)
    model.receive("00 AF")
    expect(model.isOn, true)
  }

  @Test func anSSD1309ThatIsLockedTakesNoCommandButTheOneThatUnlocksIt() {
    var model = PanelModel(.ssd1309x128x64)
    model.receive("00 FD 16 AF 81 05")
    let (isOn, contrast) = (model.isOn, model.contrast)
    expect(!isOn && contrast == 0x7F)
    model.receive("00 FD 12 AF 81 05")
    let (isOnThen, contrastThen) = (model.isOn, model.contrast)
    expect(isOnThen && contrastThen == 5)
    expect(model.faults, 0)
  }

  @Test func theGlassOfAnSH1106ShowsColumns2To129() {
    var model = clearModel(.sh1106x128x64)
    model.receive("80 B0 80 00 80 10 40 FF FF 01")
    model.receive("80 01 80 18 40 80 FF FF")
    let rows = rows(model)
    expect(rows[0], "#" + dark)
    expect(rows[7], dark + "#")
    #expect(rows.dropFirst(8).allSatisfy { !$0.contains("#") })
    #expect(rows[1..<7].allSatisfy { !$0.contains("#") })
  }

  @Test func theRemapOfAnSH1106ActsAtOnce() {
    var model = clearModel(.sh1106x128x64)
    model.receive("80 B0 80 02 80 10 40 01")
    model.receive("00 A0")
    let rows = rows(model)
    expect(rows[0], dark + "#")
  }

  @Test func dataBeyondTheRAMOfAnSH1106IsLost() {
    var model = clearModel(.sh1106x128x64)
    model.receive("80 B0 80 0F 80 1F 40 FF")
    expect(model.faults, 1)
    #expect(!glass(model).contains("#"))
  }

  /// Figure 10: a byte is eight segments of a COM output.
  @Test func sixteenPagesOfARowOfAnSH1107AreTheWholeGlass() {
    var model = clearModel(.sh1107x128x128)
    model.receive("80 B0 80 00 80 10 40 01")
    model.receive("80 BF 80 0F 80 17 40 80")
    let rows = rows(model)
    expect(model.faults, 0)
    expect(rows.count, 128)
    expect(rows[0], "#" + dark)
    expect(rows[127], dark + "#")
    #expect(rows[1..<127].allSatisfy { !$0.contains("#") })
  }

  @Test func theRemapOfAnSH1107TurnsRowsAndTheScanTurnsColumns() {
    var model = clearModel(.sh1107x128x128)
    model.receive("80 B0 80 00 80 10 40 01")
    model.receive("00 A1")
    let below = rows(model)
    model.receive("00 C8")
    let opposite = rows(model)
    expect(below[127], "#" + dark)
    expect(opposite[127], dark + "#")
  }

  /// Command 17: "Specify Column address to determine the initial display line or COM0".
  @Test func theStartLineOfAnSH1107IsAColumn() {
    var model = clearModel(.sh1107x128x128)
    model.receive("80 B0 80 01 80 10 40 01")
    model.receive("00 DC 01")
    let first = rows(model)
    model.receive("00 DC 02")
    let last = rows(model)
    expect(model.startLine, 2)
    expect(first[0], "#" + dark)
    expect(last[0], dark + "#")
  }

  @Test func inTheVerticalModeOfAnSH1107ThePageMovesOn() {
    var model = clearModel(.sh1107x128x128)
    model.receive("80 21 80 BF 80 00 80 10 40 80 01")
    let rows = rows(model)
    expect(rows[127], "#" + dark)
    expect(rows[0], ".#" + dark.dropFirst())
  }

  @Test(
    arguments: [
      (.sh1106x128x64, "00 AD 8A A5", "00 AD 8B"), (.sh1107x128x128, "00 AD 8A", "00 AD 81"),
    ] as [(PanelKind, String, String)])
  func theConverterMustRun(_ kind: PanelKind, _ off: String, _ on: String) {
    var model = clearModel(kind)
    let first = model.isOn
    model.receive(off)
    let isOff = !model.isOn
    model.receive(on)
    expect([first, isOff, model.isOn], [true, true, true])
  }
}

/// Whatever comes over the bus, the mirror stands.
struct HostileBusTests {
  @Test(arguments: allKinds) func everyPrefixOfAMessageIsTaken(_ kind: PanelKind) {
    let message = bytes("80 AE 80 A8 80 3F 80 D3 80 00 80 81 80 CF 80 DB 80 40 C0 01 40 02 03")
    for count in 0...message.count {
      var model = PanelModel(kind)
      model.receive(message.span.extracting(first: count))
      expect(model.faults, 0)
    }
  }

  /// The contrast tells whether the byte behind a command's arguments begins the next command.
  @Test(arguments: allKinds) func aCommandHasAsManyArgumentsAsItsDataSheetSays(_ kind: PanelKind) {
    let commands = Self.commands(of: kind)
    for opcode in 0...255 as ClosedRange<UInt8> {
      let known = commands.first { $0.opcodes.contains(opcode) }
      // A window needs another mode than that after power-on. FA is no command, but takes any place as
      // an argument: it chooses the page mode, and locks nothing.
      let lead = known?.arguments == 2 ? bytes("20 00") : []
      let arguments = [UInt8](repeating: 0xFA, count: known?.arguments ?? 0)
      var model = PanelModel(kind)
      model.receive(([0x00] + lead + [opcode] + arguments + bytes("81 55")).span)
      let (faults, contrast) = (model.faults, model.contrast)
      expect(faults, (known == nil ? 1 : 0), "\(hex([opcode]))")
      expect(contrast, 0x55, "\(hex([opcode]))")
    }
  }

  private typealias Command = (opcodes: ClosedRange<UInt8>, arguments: Int)

  /// The tables of commands: SSD1306 revision 1.1, table 9-1 and the note on `8D`, with the `AD` of the
  /// SSD1306B; SSD1309, table 9-1; SH1106 version 2.3; SH1107 version 2.1.
  private static func commands(of kind: PanelKind) -> [Command] {
    let all: [Command] = [
      (0x00...0x1F, 0), (0x40...0x7F, 0), (0x81...0x81, 1), (0xA0...0xA1, 0), (0xA4...0xA7, 0),
      (0xA8...0xA8, 1), (0xAE...0xAF, 0), (0xB0...0xB7, 0), (0xD3...0xD3, 1), (0xD5...0xD5, 1),
      (0xD9...0xDB, 1), (0xE3...0xE3, 0),
    ]
    let ofSSD: [Command] = [
      (0x20...0x20, 1), (0x21...0x22, 2), (0x26...0x27, 6), (0x29...0x2A, 5), (0x2E...0x2F, 0),
      (0xA3...0xA3, 2), (0xC0...0xC0, 0), (0xC8...0xC8, 0),
    ]
    return switch kind {
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .ssd1306x72x40:
      all + ofSSD + [(0x8D...0x8D, 1), (0xAD...0xAD, 1)]
    case .ssd1309x128x64: all + ofSSD + [(0xDC...0xDC, 1), (0xFD...0xFD, 1)]
    case .sh1106x128x64:
      all + [
        (0x30...0x33, 0), (0xAD...0xAD, 1), (0xC0...0xCF, 0), (0xE0...0xE0, 0), (0xEE...0xEE, 0),
      ]
    case .sh1107x128x128:
      [
        (0x00...0x17, 0), (0x20...0x21, 0), (0x81...0x81, 1), (0xA0...0xA1, 0), (0xA4...0xA7, 0),
        (0xA8...0xA8, 1), (0xAD...0xAD, 1), (0xAE...0xAF, 0), (0xB0...0xCF, 0), (0xD3...0xD3, 1),
        (0xD5...0xD5, 1), (0xD9...0xD9, 1), (0xDB...0xDC, 1), (0xE0...0xE0, 0), (0xE3...0xE3, 0),
        (0xEE...0xEE, 0),
      ]
    }
  }
}
