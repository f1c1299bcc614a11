import Expecting
import Graphics
import Panel
import PanelModel
import Seeded
import TestSupport

extension Driven {
  /// Moves the picture, if it may; returns what is sent.
  @discardableResult
  fileprivate mutating func shift() -> [[UInt8]] {
    display.shiftPicture()
    return deliver()
  }
}

/// Those whose start line is a row; PanelDriverTests has the other one.
private let kindsOfRows = nonEmpty(allKinds.filter { $0 != .sh1107x128x128 })

/// The picture moves by a row now and then, and nothing of it is lost.
struct PixelShiftTests {
  /// A frame with a row of room at the edges that are named.
  func frame(_ bitmap: inout Bitmap, roomAbove: Bool, roomBelow: Bool) {
    let top = roomAbove ? 1 : 0
    let height = bitmap.size.height - top - (roomBelow ? 1 : 0)
    bitmap.clear()
    bitmap.fill(Point(0, top), Size(bitmap.size.width, height))
    bitmap.fill(Point(1, top + 1), Size(bitmap.size.width - 2, height - 2), lit: false)
  }

  @Test(arguments: kindsOfRows) func itGoesUpAndBackAndDownAndBack(_ kind: PanelKind) {
    var panel = Driven(kind)
    panel.show { frame(&$0, roomAbove: true, roomBelow: true) }
    let middle = panel.rows
    let dark = String(repeating: ".", count: kind.size.width)
    let up = [panel.shift(), panel.shift(), panel.shift(), panel.shift()]
    panel.shift()
    let above = panel.rows
    panel.shift()
    let back = panel.rows
    panel.shift()
    let below = panel.rows
    expect(up, [[bytes("00 41")], [bytes("00 40")], [bytes("00 7F")], [bytes("00 40")]])
    expect(above, Array(middle.dropFirst()) + [dark])
    expect(back, middle)
    expect(below, [dark] + middle.dropLast())
  }

  @Test(arguments: kindsOfRows) func aPictureWithRoomOnOneSideGoesThereOnly(_ kind: PanelKind) {
    for roomAbove in [true, false] {
      var panel = Driven(kind)
      panel.show { frame(&$0, roomAbove: roomAbove, roomBelow: !roomAbove) }
      let messages = [panel.shift(), panel.shift(), panel.shift()]
      let line = roomAbove ? bytes("00 41") : bytes("00 7F")
      expect(messages, [[line], [bytes("00 40")], [line]])
    }
  }

  @Test(arguments: allKinds) func aPictureWithoutRoomStays(_ kind: PanelKind) {
    var panel = Driven(kind)
    panel.show { frame(&$0, roomAbove: false, roomBelow: false) }
    expect([panel.shift(), panel.shift()], [[], []])
  }

  /// The first shift goes up, the third one down.
  @Test(arguments: allKinds, [1, 3])
  func aPictureThatWouldBeCutMovesBackAndStays(_ kind: PanelKind, _ shifts: Int) {
    var panel = Driven(kind)
    panel.show { frame(&$0, roomAbove: true, roomBelow: true) }
    for _ in 0..<shifts { panel.shift() }
    panel.show { frame(&$0, roomAbove: shifts == 3, roomBelow: shifts == 1) }
    let moved = panel.rows
    let expected = picture(panel.bitmap).split(separator: "\n").map(String.init)
    panel.show { frame(&$0, roomAbove: true, roomBelow: true) }
    let later = panel.rows
    let middle = picture(panel.bitmap).split(separator: "\n").map(String.init)
    expect(moved, expected)
    expect(later, middle)
  }

  @Test(arguments: allKinds) func anInvertedPictureStaysWhereItIs(_ kind: PanelKind) {
    var panel = Driven(kind)
    panel.show { frame(&$0, roomAbove: true, roomBelow: true) }
    panel.shift()
    let before = panel.rows
    panel.show { $0.invert($0.bounds) }
    let inverted = panel.rows
    let swapped = before.map { String($0.map { $0 == "#" ? "." : "#" }) }
    expect(inverted, swapped)
  }

  @Test func upsideDownItGoesTheOtherWay() {
    var panel = Driven(.ssd1306x128x64, .halfTurn)
    panel.show { $0.fill(Point(5, 1), Size(3, 1)) }
    panel.shift()
    let rows = panel.rows
    #expect(rows[63].contains("#"))
    expect(rows.filter { $0.contains("#") }.count, 1)
  }

  @Test func refreshingKeepsTheShift() {
    var panel = Driven(.ssd1306x128x64)
    panel.show { frame(&$0, roomAbove: true, roomBelow: true) }
    panel.shift()
    panel.display.refresh()
    expect(panel.deliver().first?.contains(0x41), true)
  }

  /// Whatever is drawn and whenever it is shifted: what is lit in the picture is lit on the glass.
  @Test(arguments: kindsOfRows) func noPixelIsEverCutOff(_ kind: PanelKind) {
    let seed = testSeed
    var random = SeededGenerator(state: seed)
    var panel = Driven(kind)
    for step in 0..<80 {
      let origin = Point(
        Int.random(in: 0..<kind.size.width, using: &random),
        Int.random(in: 0..<kind.size.height, using: &random))
      panel.bitmap.fill(origin, Size(3, 3), lit: Int.random(in: 0..<3, using: &random) == 0)
      if Bool.random(using: &random) { panel.display.shiftPicture() }
      panel.show()
      let seen = panel.rows
      let wanted = picture(panel.bitmap).split(separator: "\n").map(String.init)
      let dark = String(repeating: ".", count: kind.size.width)
      let isWhole =
        seen == wanted || seen == Array(wanted.dropFirst()) + [dark] && wanted[0] == dark
        || seen == [dark] + wanted.dropLast() && wanted.last == dark
      guard isWhole else {
        Issue.record("seed \(seed): step \(step) is cut off")
        return
      }
    }
  }
}
