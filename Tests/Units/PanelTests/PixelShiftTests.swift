import Graphics
import Panel
import PanelModel
import Seeded
import TestSupport
import Testing

/// Those whose start line is a row; SH1107DriverTests has the other one.
private let kindsOfRows = nonEmpty(allKinds.filter { $0 != .sh1107x128x128 })

/// The picture moves by a row now and then, and nothing of it is lost.
@Suite struct PixelShiftTests {
  /// A display and the panel that it drives.
  struct Pair: ~Copyable {
    var display: PanelDriver
    var model: PanelModel
    var bitmap: Bitmap

    init(_ kind: PanelKind, _ rotation: Rotation = .noTurn) {
      display = PanelDriver(kind, rotation: rotation, contrast: 1)
      model = PanelModel(kind)
      bitmap = Bitmap(kind.size)
    }

    /// Shows the bitmap and returns what is on the glass.
    mutating func show() -> [String] {
      display.show(bitmap)
      _ = flush()
      return rows
    }

    mutating func shift() -> [[UInt8]] {
      display.shiftPicture()
      return flush()
    }

    mutating func flush() -> [[UInt8]] {
      let messages = takeMessages(&display)
      for message in messages { model.receive(message.span) }
      return messages
    }

    var rows: [String] { glass(model).split(separator: "\n").map(String.init) }
  }

  /// A frame with a row of room at the edges that are named.
  func frame(_ bitmap: inout Bitmap, roomAbove: Bool, roomBelow: Bool) {
    let top = roomAbove ? 1 : 0
    let height = bitmap.size.height - top - (roomBelow ? 1 : 0)
    bitmap.clear()
    bitmap.fill(Point(0, top), Size(bitmap.size.width, height))
    bitmap.fill(Point(1, top + 1), Size(bitmap.size.width - 2, height - 2), lit: false)
  }

  @Test(arguments: kindsOfRows) func itGoesUpAndBackAndDownAndBack(_ kind: PanelKind) {
    var pair = Pair(kind)
    frame(&pair.bitmap, roomAbove: true, roomBelow: true)
    let middle = pair.show()
    let dark = String(repeating: ".", count: kind.size.width)
    let up = [pair.shift(), pair.shift(), pair.shift(), pair.shift()]
    _ = pair.shift()
    let above = pair.rows
    _ = pair.shift()
    let back = pair.rows
    _ = pair.shift()
    let below = pair.rows
    #expect(up == [[bytes("00 41")], [bytes("00 40")], [bytes("00 7F")], [bytes("00 40")]])
    #expect(above == Array(middle.dropFirst()) + [dark])
    #expect(back == middle)
    #expect(below == [dark] + middle.dropLast())
  }

  @Test(arguments: kindsOfRows) func aPictureWithRoomOnOneSideGoesThereOnly(_ kind: PanelKind) {
    for roomAbove in [true, false] {
      var pair = Pair(kind)
      frame(&pair.bitmap, roomAbove: roomAbove, roomBelow: !roomAbove)
      _ = pair.show()
      let messages = [pair.shift(), pair.shift(), pair.shift()]
      let line = roomAbove ? bytes("00 41") : bytes("00 7F")
      #expect(messages == [[line], [bytes("00 40")], [line]])
    }
  }

  @Test(arguments: allKinds) func aPictureWithoutRoomStays(_ kind: PanelKind) {
    var pair = Pair(kind)
    frame(&pair.bitmap, roomAbove: false, roomBelow: false)
    _ = pair.show()
    let messages = [pair.shift(), pair.shift()]
    #expect(messages == [[], []])
  }

  /// The first shift goes up, the third one down.
  @Test(arguments: allKinds, [1, 3])
  func aPictureThatWouldBeCutMovesBackAndStays(_ kind: PanelKind, _ shifts: Int) {
    var pair = Pair(kind)
    frame(&pair.bitmap, roomAbove: true, roomBelow: true)
    _ = pair.show()
    for _ in 0..<shifts { _ = pair.shift() }
    frame(&pair.bitmap, roomAbove: shifts == 3, roomBelow: shifts == 1)
    let moved = pair.show()
    let expected = picture(pair.bitmap).split(separator: "\n").map(String.init)
    frame(&pair.bitmap, roomAbove: true, roomBelow: true)
    let later = pair.show()
    let middle = picture(pair.bitmap).split(separator: "\n").map(String.init)
    #expect(moved == expected)
    #expect(later == middle)
  }

  @Test(arguments: allKinds) func anInvertedPictureStaysWhereItIs(_ kind: PanelKind) {
    var pair = Pair(kind)
    frame(&pair.bitmap, roomAbove: true, roomBelow: true)
    _ = pair.show()
    _ = pair.shift()
    let before = pair.rows
    pair.bitmap.invert(pair.bitmap.bounds)
    let inverted = pair.show()
    let swapped = before.map { String($0.map { $0 == "#" ? "." : "#" }) }
    #expect(inverted == swapped)
  }

  @Test func upsideDownItGoesTheOtherWay() {
    var pair = Pair(.ssd1306x128x64, .halfTurn)
    pair.bitmap.fill(Point(5, 1), Size(3, 1))
    _ = pair.show()
    _ = pair.shift()
    let rows = pair.rows
    #expect(rows[63].contains("#"))
    #expect(rows.filter { $0.contains("#") }.count == 1)
  }

  @Test func refreshingKeepsTheShift() {
    var pair = Pair(.ssd1306x128x64)
    frame(&pair.bitmap, roomAbove: true, roomBelow: true)
    _ = pair.show()
    _ = pair.shift()
    pair.display.refresh()
    let messages = pair.flush()
    #expect(messages.first?.contains(0x41) == true)
  }

  /// Whatever is drawn and whenever it is shifted: what is lit in the picture is lit on the glass.
  @Test(arguments: kindsOfRows) func noPixelIsEverCutOff(_ kind: PanelKind) {
    let seed = testSeed
    var random = SeededGenerator(state: seed)
    var pair = Pair(kind)
    for step in 0..<80 {
      let origin = Point(
        Int.random(in: 0..<kind.size.width, using: &random),
        Int.random(in: 0..<kind.size.height, using: &random))
      pair.bitmap.fill(origin, Size(3, 3), lit: Int.random(in: 0..<3, using: &random) == 0)
      if Bool.random(using: &random) { pair.display.shiftPicture() }
      let seen = pair.show()
      let wanted = picture(pair.bitmap).split(separator: "\n").map(String.init)
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
