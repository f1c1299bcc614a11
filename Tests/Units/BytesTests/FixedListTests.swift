import Bytes
import Expecting

@Suite struct FixedListTests {
  private func list(_ numbers: Int...) -> FixedList<3, Int> {
    var list = FixedList<3, Int>(filler: -1)
    for number in numbers { list.append(number) }
    return list
  }

  private func numbers(_ list: FixedList<3, Int>) -> [Int] { (0..<list.count).map { list[$0] } }

  @Test func aListIsEmptyAtFirst() {
    var list = list()
    expect(list.isEmpty && !list.isFull && list.count == 0)
    expect(list.takeFirst(), nil)
  }

  @Test func whatIsAppendedToAFullListIsDropped() {
    expect(numbers(list(1, 2, 3)), [1, 2, 3])
    expect(numbers(list(1, 2, 3, 4)), [1, 2, 3])
    expect(list(1, 2, 3).isFull && !list(1, 2).isFull)
  }

  /// Before the one at its place; a full list loses its last value.
  @Test func aValueIsInsertedAndTheOthersCloseTheGapOfARemovedOne() {
    for (index, expected) in [[9, 1, 2], [1, 9, 2], [1, 2, 9]].enumerated() {
      var list = list(1, 2)
      list.insert(9, at: index)
      expect(numbers(list), expected)
    }
    for (index, expected) in [(0, [9, 1, 2]), (2, [1, 2, 9]), (3, [1, 2, 3])] {
      var full = list(1, 2, 3)
      full.insert(9, at: index)
      expect(numbers(full), expected)
    }
    for (index, expected) in [[2, 3], [1, 3], [1, 2]].enumerated() {
      var list = list(1, 2, 3)
      list.remove(at: index)
      expect(numbers(list), expected)
    }
  }

  @Test func theFirstIsTakenFirst() {
    var list = list(1, 2)
    expect(list.takeFirst(), 1)
    list.append(3)
    expect(list.takeFirst(), 2)
    expect(list.takeFirst(), 3)
    #expect(list.isEmpty)
  }

  @Test func aValueCanBeReplaced() {
    var list = list(1, 2)
    list[1] = 7
    expect(numbers(list), [1, 7])
    list.removeAll()
    #expect(list.isEmpty)
  }
}
