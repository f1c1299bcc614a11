import Bytes
import HCI
import Sensors
import Testing

@testable import SensorLinks

/// What the end of an attempt, and the values of a sensor, mean for the search: each says whose they are.
@Suite struct SensorHuntTests {
  private let first = DeviceAddress(1, .random)
  private let second = DeviceAddress(2, .random)
  private let now = Instant(milliseconds: 10_000)

  /// Two straps were offered; on the second round the first one is tried again.
  private func secondRound(_ body: (inout SensorHunt) -> Void) {
    var hunt = SensorHunt()
    hunt.beginSearch(at: now)
    for strap in [first, second] {
      _ = hunt.hear(.heart, strap, rssi: -50, at: now)
      _ = hunt.advance(to: now + 1_500, remembered: SensorKinds())
      hunt.offer(.heart, strap, at: now + 1_500)
      hunt.searchNext(at: now + 1_500)
    }
    hunt.searchNext(at: now + 1_500)
    #expect(hunt.search.state == .trying(.heart, first))
    body(&hunt)
  }

  private func list(_ hunt: borrowing SensorHunt) -> [UInt64] {
    var list: [UInt64] = []
    while let sensor = hunt.search.listed(list.count) { list.append(sensor.address.value) }
    return list
  }

  @Test func anAttemptThatEndedCostsTheSensorItsPlaceInTheList() {
    secondRound { hunt in
      let goesOn = hunt.attemptFailed(.heart, first, at: now)
      #expect(goesOn && hunt.search.state == .listening)
      #expect(list(hunt) == [2])
    }
  }

  /// The phone came meanwhile, say.
  @Test func anAttemptThatWasBrokenOffCostsItNothing() {
    secondRound { hunt in
      let goesOn = hunt.attemptFailed(.heart, first, isOver: false, at: now)
      #expect(goesOn && hunt.search.state == .listening)
      #expect(list(hunt) == [1, 2])
    }
  }

  /// A remembered strap was waited for in its turn when the rider went on.
  @Test(arguments: [true, false])
  func theEndOfAnAttemptAtAnotherOneSaysNothingOfTheOneThatIsTried(_ isOver: Bool) {
    secondRound { hunt in
      let goesOn = hunt.attemptFailed(.heart, DeviceAddress(9, .random), isOver: isOver, at: now)
      #expect(!goesOn && hunt.search.state == .trying(.heart, first))
      #expect(list(hunt) == [1, 2])
      let rests = hunt.turns.isResting(.heart)
      #expect(rests == isOver, "nor of that one, if it was broken off")
    }
  }

  /// The last words of the one that is being left.
  @Test func theValuesOfAnotherOneDoNotOfferTheOneThatIsTried() {
    secondRound { hunt in
      hunt.offer(.heart, second, at: now)
      #expect(hunt.search.state == .trying(.heart, first))
      hunt.offer(.heart, first, at: now)
      #expect(hunt.search.state == .offering(.heart))
    }
  }
}
