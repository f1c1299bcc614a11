import Bytes
import Expecting
import TestSupport

@testable import Panel

struct CommandTests {
  /// SSD1306 data sheet, table 9-1, row by row; the last rows from the relatives' sheets.
  @Test(
    arguments: [
      (.setContrast(0xCF), "81 CF"), (.setEntireDisplayOn(false), "A4"),
      (.setEntireDisplayOn(true), "A5"), (.setInverted(false), "A6"), (.setInverted(true), "A7"),
      (.setDisplayOn(false), "AE"), (.setDisplayOn(true), "AF"),
      (.setScrolling(false), "2E"), (.setScrolling(true), "2F"),
      (.setLowColumn(0x0B), "0B"), (.setHighColumn(7), "17"),
      (.setAddressingMode(.horizontal), "20 00"), (.setAddressingMode(.vertical), "20 01"),
      (.setAddressingMode(.page), "20 02"),
      (.setColumnAddress(first: 0, last: 127), "21 00 7F"),
      (.setColumnAddress(first: 4, last: 131), "21 04 83"),
      (.setPageAddress(first: 2, last: 7), "22 02 07"), (.setPage(7), "B7"),
      (.setStartLine(0), "40"), (.setStartLine(63), "7F"), (.setSegmentRemap(false), "A0"),
      (.setSegmentRemap(true), "A1"), (.setMultiplexRatio(rows: 64), "A8 3F"),
      (.setMultiplexRatio(rows: 16), "A8 0F"), (.setReversedScan(false), "C0"),
      (.setReversedScan(true), "C8"), (.setDisplayOffset(32), "D3 20"),
      (.setCOMPins(isAlternating: true, isSwapped: false), "DA 12"),
      (.setCOMPins(isAlternating: false, isSwapped: false), "DA 02"),
      (.setCOMPins(isAlternating: true, isSwapped: true), "DA 32"), (.setClock(0x80), "D5 80"),
      (.setPrecharge(0xF1), "D9 F1"), (.setVCOMHLevel(0x40), "DB 40"),
      (.setChargePump(true), "8D 14"), (.setChargePump(false), "8D 10"),
      (.setInternalReference(true), "AD 30"), (.setInternalReference(false), "AD 00"),
      (.setConverter(0x8B), "AD 8B"), (.setConverter(0x81), "AD 81"),
      (.setPageAddressing, "20"), (.setFirstColumn(127), "DC 7F"), (.doNothing, "E3"),
      (.setPage(15), "BF"), (.setMultiplexRatio(rows: 128), "A8 7F"),
      (.setCommandLock(true), "FD 16"), (.setCommandLock(false), "FD 12"),
      // No argument reaches beyond its bits.
      (.setPage(16), "B0"), (.setFirstColumn(128), "DC 00"), (.setLowColumn(0x10), "00"),
      (.setHighColumn(0xFF), "1F"), (.setStartLine(64), "40"),
      (.setPageAddress(first: 8, last: 15), "22 00 07"), (.setDisplayOffset(64), "D3 00"),
      (.setMultiplexRatio(rows: 0), "A8 7F"),
    ] as [(Command, String)])
  func eachCommandHasItsBytes(_ command: Command, _ expected: String) {
    var buffer = FixedBuffer<8>()
    command.append(to: &buffer)
    expect(array(buffer.bytes), bytes(expected))
  }
}

struct PanelKindTests {
  @Test(arguments: [
    ("ssd1306-128x64", PanelKind.ssd1306x128x64, 128, 64),
    ("ssd1306-128x32", .ssd1306x128x32, 128, 32), ("ssd1306-64x48", .ssd1306x64x48, 64, 48),
    ("ssd1306-72x40", .ssd1306x72x40, 72, 40), ("sh1106-128x64", .sh1106x128x64, 128, 64),
    ("ssd1309-128x64", .ssd1309x128x64, 128, 64), ("sh1107-128x128", .sh1107x128x128, 128, 128),
  ])
  func aNameIsAKindOfThatSize(_ name: String, _ kind: PanelKind, _ width: Int, _ height: Int) {
    expect(PanelKind(name: Array(name.utf8).span), kind)
    expect(kind.size.width, width)
    expect(kind.size.height, height)
    expect(kind.name, name)
  }

  @Test func eachNumberBelowTheCountIsAnotherKindAndOtherNamesAreNone() {
    expect(Set(allKinds).count, 7)
    expect(PanelKind(rawValue: UInt8(PanelKind.count)), nil)
    for name in ["", "ssd1306", "SSD1306-128x64", "ssd1306-128x64 ", "sh1106-128x32"] {
      expect(PanelKind(name: Array(name.utf8).span), nil)
    }
  }
}
