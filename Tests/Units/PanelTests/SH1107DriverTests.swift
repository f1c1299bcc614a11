import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// What the square panel gets that the others do not.
@Suite struct SH1107DriverTests {
  @Test func aChangeIsARunInOneOfSixteenPages() {
    var panel = Driven(.sh1107x128x128)
    let messages = panel.show { $0.fill(Point(127, 24), Size(1, 8)) }
    expect(messages, [bytes("00 B3 0F 17"), bytes("40 FF")])
  }

  /// An interrupted SH1107 may wait for an argument; 7F is none of its commands, E3 does nothing.
  @Test func afterAnErrorItGetsCommandsOfItsOwnAlone() {
    var panel = Driven(.sh1107x128x128)
    panel.display.invalidate()
    expect(panel.show()[0].starts(with: bytes("00 E3 E3 AE")) && panel.model.faults == 0)
  }

  @Test func aWholePictureGoesPageByPage() {
    var display = PanelDriver(.sh1107x128x128, rotation: .noTurn, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let data = takeMessages(&display).filter { $0[0] == 0x40 }
    expect(data.map(\.count), Array(repeating: 129, count: 16))
  }

  /// A module whose first column is another one is turned by its start line: its RAM has no more columns.
  @Test(arguments: [(0, 0), (2, 126), (96, 32)] as [(UInt8, UInt8)])
  func aModuleThatBeginsElsewhereHasAnotherStartLine(_ offset: UInt8, _ line: UInt8) throws {
    var display = PanelDriver(
      .sh1107x128x128, rotation: .noTurn, columnOffset: offset, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    let command = try #require(first.firstIndex(of: 0xDC))
    expect(first[command + 1], line)
  }

  /// It moves to the left, back, to the right, and back: the RAM is a ring of 128 columns.
  @Test func itsPixelsAreSparedSideways() {
    var panel = Driven(.sh1107x128x128)
    panel.show { $0.fill(Point(1, 0), Size(126, 2)) }
    var moves: [[UInt8]] = []
    for _ in 0..<4 {
      panel.display.shiftPicture()
      moves += panel.deliver()
    }
    expect(moves, ["00 DC 01", "00 DC 00", "00 DC 7F", "00 DC 00"].map { bytes($0) })
  }

  @Test func aPictureFromEdgeToEdgeDoesNotMove() {
    var panel = Driven(.sh1107x128x128)
    panel.show { $0.fill(Point(0, 5), Size(128, 1)) }
    panel.display.shiftPicture()
    #expect(panel.deliver().isEmpty)
  }

}
