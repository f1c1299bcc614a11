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

  @Test(arguments: [(0, [9, 1, 2]), (1, [1, 9, 2]), (2, [1, 2, 9])])
  func aValueIsInsertedBeforeTheOneAtItsPlace(_ index: Int, _ expected: [Int]) {
    var list = list(1, 2)
    list.insert(9, at: index)
    expect(numbers(list), expected)
  }

  @Test(arguments: [(0, [9, 1, 2]), (2, [1, 2, 9]), (3, [1, 2, 3])])
  func aFullListLosesItsLastValue(_ index: Int, _ expected: [Int]) {
    var list = list(1, 2, 3)
    list.insert(9, at: index)
    expect(numbers(list), expected)
  }

  @Test(arguments: [(0, [2, 3]), (1, [1, 3]), (2, [1, 2])])
  func theOthersCloseTheGapOfARemovedOne(_ index: Int, _ expected: [Int]) {
    var list = list(1, 2, 3)
    list.remove(at: index)
    expect(numbers(list), expected)
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
