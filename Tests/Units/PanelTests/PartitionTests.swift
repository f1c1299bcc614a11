import Expecting
import Graphics
import Panel
import Seeded
import TestSupport

/// How many bytes a change costs on the wire, addresses included.
struct PartitionTests {
  /// A turn as recorded rides have it: told each ten metres until it is reached.
  struct Turn {
    var arrow: Arrow
    var start: Int
    var street: String
  }

  static let ride = [
    Turn(arrow: .straight, start: 210, street: "Charlottenstraße"),
    Turn(arrow: .right, start: 410, street: "Kiepenheuerallee"),
    Turn(arrow: .slightLeft, start: 90, street: "Am Neuen Garten"),
    Turn(arrow: .start, start: 160, street: "Uferweg"),
    Turn(arrow: .sharpRight, start: 120, street: "Zeppelinstraße"),
    Turn(arrow: .left, start: 300, street: "Humboldtbrücke"),
  ]

  /// Arrow, distance and street, where the screens have them.
  func draw(_ turn: Turn, at distance: Int, on bitmap: inout Bitmap) {
    let (number, street) = ("\(distance)".utf8, turn.street.utf8)
    let font: Font = distance < 100 ? .bold34 : .bold24
    bitmap.clear()
    bitmap.draw(turn.arrow, fitting: 48, at: Point(0, 0))
    let x = bitmap.draw(number.span, font: font, at: Point(52, 34))
    let unit = "m".utf8
    bitmap.draw(unit.span, font: .bold14, at: Point(x + 4, 34))
    bitmap.draw(street.span, font: .bold14, at: Point(0, 61), width: bitmap.size.width)
  }

  @Test(arguments: [PanelKind.ssd1306x128x64, .sh1106x128x64])
  func aPictureOfARideCostsLessThan110Bytes(_ kind: PanelKind) {
    var panel = Driven(kind)
    var paid: [Int] = []
    for turn in Self.ride {
      for distance in stride(from: turn.start, through: 10, by: -10) {
        paid.append(cost(panel.show { draw(turn, at: distance, on: &$0) }))
      }
    }
    #expect(paid.reduce(0, +) < 110 * paid.count)
  }

  /// Digits in a row, as a distance is: each changes in the pages that it covers.
  @Test func neighbouringColumnsThatChangeInAllPagesAreOneArea() {
    var panel = Driven()
    let messages = panel.show {
      $0.fill(Point(71, 8), Size(8, 32))
      $0.fill(Point(80, 8), Size(8, 32))
    }
    expect(messages.map(\.count), [7, 1 + 17 * 4])
  }

  /// Pages that change in other columns only are left out at the top and at the bottom.
  @Test func anAreaHasNoPageWithoutAChange() {
    var panel = Driven()
    let messages = panel.show {
      $0.fill(Point(8, 8), Size(40, 24))
      $0.fill(Point(70, 16), Size(6, 8))
    }
    expect(messages.map(\.count), [7, 1 + 40 * 3, 7, 1 + 6])
  }

  /// Changes without any order are the worst that can be.
  ///
  /// An address for each page and `A7` are all that may come on top.
  @Test(arguments: allKinds) func noiseCostsLittleMoreThanAWholePicture(_ kind: PanelKind) {
    let seed: UInt64 = 7
    var random = SeededGenerator(state: seed)
    var panel = Driven(kind)
    let size = kind.size.width * kind.size.height / 8
    for _ in 0..<50 {
      let density = Int.random(in: 1...20, using: &random)
      for page in 0..<kind.size.height / 8 {
        for column in 0..<kind.size.width where Int.random(in: 0..<20, using: &random) < density {
          panel.bitmap[page: page, column: column] = UInt8.random(in: 0...255, using: &random)
        }
      }
      #expect(cost(panel.show()) <= size + kind.size.height / 8 * 10 + 2, "seed \(seed)")
    }
  }

  /// A scroll step changes two pages over the whole width.
  @Test(arguments: [PanelKind.ssd1306x128x64, .sh1106x128x64])
  func aScrollStepIsCheap(_ kind: PanelKind) {
    let seed: UInt64 = 8
    var random = SeededGenerator(state: seed)
    var panel = Driven(kind)
    for _ in 0..<50 {
      for column in 0..<128 {
        panel.bitmap[page: 6, column: column] = UInt8.random(in: 0...255, using: &random)
        panel.bitmap[page: 7, column: column] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(cost(panel.show()) < 320, "seed \(seed)")
    }
  }
}
