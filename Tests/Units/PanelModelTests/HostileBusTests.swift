import Expecting
import Graphics
import Panel
import PanelModel
import Seeded
import TestSupport

/// Whatever comes over the bus, the mirror stands.
struct HostileBusTests {
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
    #expect(model.faults > 0, "seed \(seed)")
  }

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
