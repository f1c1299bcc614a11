import Graphics
import Panel
import PanelModel
import TestSupport
import Testing

/// What the square panel gets that the others do not.
@Suite struct SH1107DriverTests {
  @Test func aChangeIsARunInOneOfSixteenPages() {
    var display = darkDisplay(.sh1107x128x128)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.fill(Point(127, 24), Size(1, 8))
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages == [bytes("00 B3 0F 17"), bytes("40 FF")])
  }

  /// An interrupted SH1107 may wait for an argument; 7F is none of its commands, E3 does nothing.
  @Test func afterAnErrorItGetsCommandsOfItsOwnAlone() {
    var display = darkDisplay(.sh1107x128x128)
    display.invalidate()
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    #expect(first.starts(with: bytes("00 E3 E3 AE")))
    var model = PanelModel(.sh1107x128x128)
    for message in takeMessages(&display) { model.receive(message.span) }
    let faults = model.faults
    #expect(faults == 0)
  }

  @Test func aWholePictureGoesPageByPage() {
    var display = PanelDriver(.sh1107x128x128, rotation: .noTurn, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let data = takeMessages(&display).filter { $0[0] == 0x40 }
    #expect(data.map(\.count) == Array(repeating: 129, count: 16))
  }

  /// A module whose first column is another one is turned by its start line: its RAM has no more columns.
  @Test(arguments: [(0, 0), (2, 126), (96, 32)] as [(UInt8, UInt8)])
  func aModuleThatBeginsElsewhereHasAnotherStartLine(_ offset: UInt8, _ line: UInt8) throws {
    var display = PanelDriver(
      .sh1107x128x128, rotation: .noTurn, columnOffset: offset, contrast: 1)
    display.show(Bitmap(display.pictureSize))
    let first = array(display.message)
    let command = try #require(first.firstIndex(of: 0xDC))
    #expect(first[command + 1] == line)
  }

  /// It moves to the left, back, to the right, and back: the RAM is a ring of 128 columns.
  @Test func itsPixelsAreSparedSideways() {
    var display = darkDisplay(.sh1107x128x128)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.fill(Point(1, 0), Size(126, 2))
    display.show(bitmap)
    _ = takeMessages(&display)
    var moves: [[UInt8]] = []
    for _ in 0..<4 {
      display.shiftPicture()
      moves += takeMessages(&display)
    }
    #expect(moves == ["00 DC 01", "00 DC 00", "00 DC 7F", "00 DC 00"].map { bytes($0) })
  }

  @Test func aPictureFromEdgeToEdgeDoesNotMove() {
    var display = darkDisplay(.sh1107x128x128)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.fill(Point(0, 5), Size(128, 1))
    display.show(bitmap)
    _ = takeMessages(&display)
    display.shiftPicture()
    let messages = takeMessages(&display)
    #expect(messages.isEmpty)
  }

  /// Whatever the rotation, the glass shows the picture, turned.
  @Test(arguments: allRotations, allUpdates)
  func theGlassShowsThePicture(_ rotation: Rotation, _ updates: Updates) {
    var display = PanelDriver(
      .sh1107x128x128, rotation: rotation, updates: updates, contrast: 1)
    var bitmap = Bitmap(display.pictureSize)
    bitmap.draw("Weg 7".utf8.span, font: .bold34, at: Point(3, 60))
    bitmap.fill(Point(100, 90), Size(20, 30))
    display.show(bitmap)
    var model = PanelModel(.sh1107x128x128)
    for message in takeMessages(&display) { model.receive(message.span) }
    let (seen, faults) = (glass(model), model.faults)
    #expect(seen == turned(picture(bitmap), rotation))
    #expect(faults == 0)
  }
}
