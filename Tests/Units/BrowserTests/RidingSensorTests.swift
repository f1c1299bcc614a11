import BoardFile
import Bond
import Buttons
import Bytes
import Expecting
import Sensors
import TestSupport
import VirtualAir

@testable import Browser

/// The sensors of the page's bicycle: they are added by the buttons, and measured.
struct RidingSensorTests {
  private let it: Demonstration

  init() {
    it = .meeting(Board())
    it.advance(by: 1_000)
    it.removeEvents()
  }

  private func press(_ button: Button) {
    it.hold(button, for: 100)
    it.advance(by: 100)
  }

  /// Switches it on, goes to the page of the sensors, has it offered, and keeps it.
  private func add(_ kind: RidingSensorKind) {
    it.setSensor(kind, isOn: true)
    // Without a sensor there is no page of the data before it.
    for _ in 0..<(it.device.sensors.isEmpty ? 2 : 0) { press(.a) }
    press(.b)
    it.advance(by: 4_000)
    press(.a)
    it.advance(by: 2_000)
  }

  @Test func oneThatIsOffIsNotThere() {
    it.advance(by: 5_000)
    for kind in RidingSensorKind.allCases { expect(!it.isLinked(kind)) }
    it.setSensor(.strap, isOn: true)
    it.advance(by: 5_000)
    expect(!it.isLinked(.strap), "nobody has searched for it")
  }

  @Test(
    arguments: [
      (.strap, "heart", #""heart":128"#), (.wheel, "speed", #""speed":555"#),
      (.crank, "cadence", #""cadence":80"#), (.radar, "radar", #""kind":"radar""#),
    ] as [(RidingSensorKind, String, String)])
  func itIsOfferedKeptAndMeasured(_ kind: RidingSensorKind, _ name: String, _ value: String) {
    add(kind)
    it.advance(by: 5_000)
    let events = it.takeEvents()
    #expect(events.contains(#""event":"sensor","kind":"\#(name)""#))
    #expect(events.contains(#""state":"remembered""#), "\(events)")
    #expect(events.contains(value), "\(events)")
    expect(it.isLinked(kind))
  }

  @Test func whatIsMeasuredIsWhatWasChosen() {
    add(.strap)
    it.withSensor(.strap) { $0.setFigure(171, at: $1) }
    it.advance(by: 3_000)
    #expect(it.takeEvents().contains(#""heart":171"#))
  }

  @Test func aWheelThatStandsHasNoSpeed() {
    add(.wheel)
    it.advance(by: 3_000)
    #expect(it.takeEvents().contains(#""speed":555"#))
    it.withSensor(.wheel) { $0.setFigure(0, at: $1) }
    it.advance(by: 6_000)
    #expect(it.takeEvents().contains(#""speed":0"#))
    it.withSensor(.wheel) { $0.setFigure(20, at: $1) }
    it.advance(by: 4_000)
    #expect(it.takeEvents().contains(#""speed":555"#))
  }

  @Test func aVehicleComesNearerAndIsGone() throws {
    add(.radar)
    _ = it.takeEvents()
    it.withSensor(.radar) { $0.vehicleComes(at: $1) }
    it.advance(by: 7_000)
    let near = distances(it.takeEvents())
    let (first, last) = (try #require(near.first), try #require(near.last))
    expect(first > 135 && last < 75)
    expect(near, near.sorted(by: >))
    it.withSensor(.radar) { $0.vehicleComes(at: $1) }
    it.advance(by: 500)
    #expect(it.takeEvents().contains(#"},{"track":2,"distance":13"#))
    it.advance(by: 16_000)
    #expect(it.takeEvents().contains(#""vehicles":[]"#))
  }

  /// Those of the first vehicle.
  private func distances(_ events: String) -> [Int] {
    let before = #"{"track":1,"distance":"#
    return events.split(separator: "\n").compactMap { line in
      line.firstRange(of: before).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  @Test func oneThatIsSwitchedOffIsLostAndComesBack() {
    add(.strap)
    it.setSensor(.strap, isOn: false)
    it.advance(by: 3_000)
    expect(!it.isLinked(.strap))
    #expect(it.takeEvents().contains(#""state":"disconnected""#))
    it.setSensor(.strap, isOn: true)
    it.advance(by: 10_000)
    expect(it.isLinked(.strap))
  }

  @Test func itIsStillKeptOnAnotherBoardAndWithAnotherPhone() {
    add(.strap)
    it.withSensor(.strap) { $0.setFigure(99, at: $1) }
    it.restart(Board())
    it.advance(by: 10_000)
    expect(it.isLinked(.strap))
    #expect(it.takeEvents().contains(#""heart":99"#))
    let other = it.withAnotherPhone(.osmAnd, GadgetbridgeTests.board)
    other.advance(by: 10_000)
    expect(other.isLinked(.strap))
    #expect(other.takeEvents().contains(#""heart":99"#))
  }
}
