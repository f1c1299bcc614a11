import Graphics
import Seeded
import Testing

@testable import Panel

/// How many bytes a change costs, compared with the fewest possible.
///
/// The optimum is found by trying: all ways to cover the changed bytes with rectangles, in all
/// orders, with the prices of the data sheet and of nothing else. Every rectangle between the
/// changed columns and pages counts, not only those around changes.
@Suite struct PartitionTests {
  struct Rectangle: Hashable {
    var columns: ClosedRange<Int>
    var pages: ClosedRange<Int>
    var count: Int { columns.count * pages.count }
  }

  /// Where the controller's pointer is: data sheet SSD1306, figure 10-3.
  struct Pointer: Hashable {
    var window: Rectangle
    var column: Int
    var page: Int

    /// Writes a rectangle; returns the bytes on the wire.
    ///
    /// `21` and `22` take three bytes each, in a message with an address and a control byte. The
    /// data take another two.
    mutating func write(_ area: Rectangle) -> Int {
      var commands = 0
      let isRow = area.pages.count == 1
      if column != area.columns.lowerBound
        || (isRow
          ? area.columns.upperBound > window.columns.upperBound : area.columns != window.columns)
      {
        commands += 3
        window.columns = area.columns
      }
      if page != area.pages.lowerBound
        || !isRow && area.pages.upperBound > window.pages.upperBound
      {
        commands += 3
        window.pages = area.pages
      }
      (column, page) = (area.columns.upperBound + 1, area.pages.upperBound)
      if column > window.columns.upperBound {
        column = window.columns.lowerBound
        page = page == window.pages.upperBound ? window.pages.lowerBound : page + 1
      }
      return (commands == 0 ? 0 : commands + 2) + 2 + area.count
    }
  }

  /// Dijkstra's search over what is still to be covered and where the pointer is.
  func optimum(_ changed: Set<[Int]>, from pointer: Pointer) -> Int {
    let columns = changed.map { $0[0] }
    let pages = changed.map { $0[1] }
    var rectangles: [(Rectangle, Set<[Int]>)] = []
    for left in Set(columns) {
      for right in Set(columns) where right >= left {
        for top in Set(pages) {
          for bottom in Set(pages) where bottom >= top {
            let inside = changed.filter {
              (left...right).contains($0[0]) && (top...bottom).contains($0[1])
            }
            if !inside.isEmpty {
              rectangles.append((Rectangle(columns: left...right, pages: top...bottom), inside))
            }
          }
        }
      }
    }
    struct State: Hashable {
      var rest: Set<[Int]>
      var pointer: Pointer
    }
    var costs = [State(rest: changed, pointer: pointer): 0]
    var open: [Int: [State]] = [0: [State(rest: changed, pointer: pointer)]]
    for cost in 0... {
      for state in open.removeValue(forKey: cost) ?? [] where costs[state] == cost {
        if state.rest.isEmpty { return cost }
        for (rectangle, inside) in rectangles where !inside.isDisjoint(with: state.rest) {
          var next = State(rest: state.rest.subtracting(inside), pointer: state.pointer)
          let total = cost + next.pointer.write(rectangle)
          guard total < costs[next, default: .max] else { continue }
          costs[next] = total
          open[total, default: []].append(next)
        }
      }
    }
    return .max
  }

  /// A few changed bytes in a field of some columns and pages.
  func changes(_ random: inout SeededGenerator) -> Set<[Int]> {
    let width = Bool.random(using: &random) ? 5 : 40
    let height = Int.random(in: 1...4, using: &random)
    let left = Int.random(in: 0...60, using: &random)
    let top = Int.random(in: 0...4, using: &random)
    var changed: Set<[Int]> = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      changed.insert([
        left + Int.random(in: 0..<width, using: &random),
        top + Int.random(in: 0..<height, using: &random),
      ])
    }
    return changed
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>) func theSplitIsCloseToTheOptimum(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var (sum, optimalSum) = (0, 0)
    for number in 0..<50 {
      let changed = changes(&random)
      var display = darkDisplay()
      var bitmap = Bitmap(display.size)
      for byte in changed { bitmap[page: byte[1], column: byte[0]] = 0x42 }
      display.show(bitmap)
      let paid = cost(takeMessages(&display))
      let whole = Rectangle(columns: 0...127, pages: 0...7)
      let best = optimum(changed, from: Pointer(window: whole, column: 0, page: 0))
      #expect(paid >= best, "seed \(seed), case \(number): the test's optimum is none: \(changed)")
      #expect(paid <= best + 16, "seed \(seed), case \(number): \(changed)")
      sum += paid
      optimalSum += best
    }
    #expect(sum * 100 <= optimalSum * 105, "seed \(seed): \(sum) bytes instead of \(optimalSum)")
  }

  /// Digits in a row, as a distance is: each changes in the pages that it covers.
  @Test func neighbouringColumnsThatChangeInAllPagesAreOneArea() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap.fill(Point(71, 8), Size(8, 32))
    bitmap.fill(Point(80, 8), Size(8, 32))
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages.map(\.count) == [7, 1 + 17 * 4])
  }

  /// Pages that change in other columns only are left out at the top and at the bottom.
  @Test func anAreaHasNoPageWithoutAChange() {
    var display = darkDisplay()
    var bitmap = Bitmap(display.size)
    bitmap.fill(Point(8, 8), Size(40, 24))
    bitmap.fill(Point(70, 16), Size(6, 8))
    display.show(bitmap)
    let messages = takeMessages(&display)
    #expect(messages.map(\.count) == [7, 1 + 40 * 3, 7, 1 + 6])
  }

  /// Changes without any order are the worst that can be.
  @Test(arguments: allKinds) func noiseCostsLittleMoreThanAWholePicture(_ kind: PanelKind) {
    let seed: UInt64 = 7
    var random = SeededGenerator(state: seed)
    var display = darkDisplay(kind)
    var bitmap = Bitmap(display.size)
    let size = kind.size.width * kind.size.height / 8
    for _ in 0..<50 {
      let density = Int.random(in: 1...20, using: &random)
      for page in 0..<bitmap.pageCount {
        for column in 0..<kind.size.width where Int.random(in: 0..<20, using: &random) < density {
          bitmap[page: page, column: column] = UInt8.random(in: 0...255, using: &random)
        }
      }
      display.show(bitmap)
      let paid = cost(takeMessages(&display))
      #expect(paid <= size + 9 * 8, "seed \(seed)")
    }
  }

  /// A scroll step changes two pages over the whole width.
  @Test(arguments: [PanelKind.ssd1306x128x64, .sh1106x128x64])
  func aScrollStepIsCheap(_ kind: PanelKind) {
    let seed: UInt64 = 8
    var random = SeededGenerator(state: seed)
    var display = darkDisplay(kind)
    var bitmap = Bitmap(display.size)
    for _ in 0..<50 {
      for column in 0..<128 {
        bitmap[page: 6, column: column] = UInt8.random(in: 0...255, using: &random)
        bitmap[page: 7, column: column] = UInt8.random(in: 0...255, using: &random)
      }
      display.show(bitmap)
      let paid = cost(takeMessages(&display))
      #expect(paid < 320, "seed \(seed)")
    }
  }
}
