import Expecting
import Graphics
import TestSupport

/// What the screens of pairing promise beyond their looks.
struct PairingScreenTests {
  private let phone = Array("iPhone 15".utf8)
  private let name = Array("Lenker".utf8)

  /// A digit that were cut off or covered would make two numbers look the same.
  @Test(arguments: Panel.allCases) func everyDigitOfANumberCounts(_ panel: Panel) {
    var pictures: Set<Pixels> = []
    var place: UInt32 = 1
    for _ in 0..<6 {
      for digit in 1...9 as ClosedRange<UInt32> {
        pictures.insert(Pixels(comparison(digit * place, on: panel)))
      }
      place *= 10
    }
    expect(pictures.count, 6 * 9)
  }

  /// In the question, which the flat panel has beside its digits, or in the answer.
  @Test(arguments: [
    (Panel.large, ["Same code", "on iPhone 15?"]), (.flat, ["Same?"]), (.small, ["Same?"]),
    (.tiny, ["Same?"]),
  ])
  func centralBehaviour48_thePanelSaysToCompareTheDigitsNeverToTypeThem(
    _ panel: Panel, _ words: [String]
  ) {
    let glass = Glass(comparison(123_456, on: panel))
    let found = (words + ["type", "Type", "nter"]).filter { glass.says($0) }
    expect(found, words)
  }

  @Test(arguments: Panel.allCases) func theAnswersDoNotDependOnTheNumber(_ panel: Panel) {
    let eights = comparison(888_888, on: panel)
    let ones = comparison(111_111, on: panel)
    let answers = Panel.upright.contains(panel) ? 22 : 13
    let rows = panel.size.height - answers..<panel.size.height
    for y in rows {
      for x in 0..<panel.size.width { expect(eights[x, y], ones[x, y]) }
    }
    expect(rows.contains { y in (0..<panel.size.width).contains { eights[$0, y] } })
  }

  @Test func aSignalThatIsTenTimesStrongerHasOneBarMore() {
    func found(_ rssi: Int8?) -> Pixels {
      Pixels(Panel.large.bitmap(.found(phone: phone.span, rssi: rssi)))
    }
    for (weakest, strongest) in [(-128, -81), (-80, -71), (-70, -61), (-60, 127)] as [(Int8, Int8)]
    {
      let bars = found(weakest)
      expect(found(strongest), bars)
      for other in [weakest &- 1, strongest &+ 1, nil] { expect(found(other) != bars) }
    }
  }

  /// Of a long name 60 bytes are shown, but never a part of a character.
  @Test func aNameIsCutBetweenCharacters() {
    let long = Array((String(repeating: "i", count: 59) + "éiii").utf8)
    let short = Array(String(repeating: "i", count: 59).utf8)
    let picture = Panel.large.bitmap(.waiting(phone: long.span))
    let expected = Panel.large.bitmap(.waiting(phone: short.span))
    expect(Pixels(picture), Pixels(expected))
  }

  /// A variation selector ends many a name with an emoji; it has no picture and takes no line.
  @Test(arguments: Panel.allCases) func whatCannotBeSeenTakesNoRoom(_ panel: Panel) {
    let invisible = phone + Array("\u{FE0F}".utf8)
    let picture = panel.bitmap(.unpairing(phone: invisible.span, permille: 500))
    let expected = panel.bitmap(.unpairing(phone: phone.span, permille: 500))
    expect(Pixels(picture), Pixels(expected))
  }

  /// The question is worth more than our own name.
  @Test func aLongNameOfOursGivesWayToTheQuestion() {
    let (none, long) = ([UInt8](), Array("Mein Fahrraddisplay".utf8))
    let without = Panel.large.bitmap(
      .comparison(number: 1, name: none.span, phone: phone.span))
    let with = Panel.large.bitmap(.comparison(number: 1, name: long.span, phone: phone.span))
    expect(Pixels(with), Pixels(without))
    #expect(Pixels(comparison(1, on: .large)) != Pixels(without))
  }

  /// The seconds are at the right edge; panels that are too small for them leave them out.
  @Test(arguments: Panel.allCases) func allElseStandsStillWhileTheSecondsGetFewer(_ panel: Panel) {
    for seconds in 1...30 {
      let before = panel.bitmap(.searching(name: name.span, secondsLeft: seconds))
      let after = panel.bitmap(.searching(name: name.span, secondsLeft: seconds - 1))
      var differences = 0
      for column in 0..<panel.size.width - 32 {
        for page in 0..<before.pageCount
        where before[page: page, column: column] != after[page: page, column: column] {
          differences += 1
        }
      }
      expect(differences, 0)
      expect(
        (changedBytes(before, after) > 0), (max(panel.size.width, panel.size.height) >= 100))
    }
  }

  /// A step of the bar costs about what a message on the bus costs anyway.
  @Test(arguments: Panel.allCases) func aStepOfTheBarChangesAFewBytesOfTheLastPage(_ panel: Panel) {
    var permille = 150
    while permille < 950 {
      let before = panel.bitmap(.unpairing(phone: phone.span, permille: permille))
      let after = panel.bitmap(.unpairing(phone: phone.span, permille: permille + 50))
      let changed = changedBytes(before, after)
      expect(changed >= (panel.size.width - 2) / 20 && changed <= 7, "a twentieth of the columns")
      let last = before.pageCount - 1
      for page in 0..<last {
        for column in 0..<panel.size.width {
          expect(before[page: page, column: column], after[page: page, column: column])
        }
      }
      permille += 50
    }
  }

  @Test(arguments: Panel.allCases) func theBarIsEmptyAtItsStartAndFullAtItsEnd(_ panel: Panel) {
    let (row, width) = (panel.size.height - 3, panel.size.width)
    // At its start there is only the frame: a column on either side.
    for (permille, lit) in [(-5, 2), (0, 2), (1_000, width), (.max, width)] {
      let picture = panel.bitmap(.unpairing(phone: phone.span, permille: permille))
      let count = (0..<width).count { picture[$0, row] }
      expect(count, lit)
    }
  }

  private func comparison(_ number: UInt32, on panel: Panel) -> Bitmap {
    panel.bitmap(.comparison(number: number, name: name.span, phone: phone.span))
  }

  private func changedBytes(_ a: borrowing Bitmap, _ b: borrowing Bitmap) -> Int {
    var count = 0
    for page in 0..<a.pageCount {
      for column in 0..<a.size.width
      where a[page: page, column: column] != b[page: page, column: column] { count += 1 }
    }
    return count
  }
}
