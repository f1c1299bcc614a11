/// Sensors among which the rider chooses: those around the one that is offered.
package struct SensorChoice: ~Escapable {
  /// How many a panel is given at most.
  package static var room: Int { 4 }

  private let first, second, third, fourth: SensorCandidate
  /// How many of the four there are.
  let count: Int
  /// The number of the one that is offered.
  let mark: Int

  /// The first `count` of these, of which number `mark` is offered.
  @_lifetime(copy first, copy second, copy third, copy fourth)
  package init(
    _ first: SensorCandidate, _ second: SensorCandidate, _ third: SensorCandidate,
    _ fourth: SensorCandidate, count: Int, mark: Int
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
    self.count = min(max(count, 1), Self.room)
    self.mark = min(max(mark, 0), self.count - 1)
  }

  /// The sensor of a line.
  subscript(index: Int) -> SensorCandidate {
    @_lifetime(copy self)
    get {
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
  }
}
