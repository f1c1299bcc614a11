import Bytes
import TestSupport
import Testing

@testable import Browser

@Suite struct RideTests {
  private static let steps = [0, 1_000, 4_000].map {
    RideStep(milliseconds: $0, direction: $0 < 4_000 ? 8 : 3, distance: 100, street: [])
  }

  @Test func aStepIsDueAtItsTime() {
    var ride = Ride(Self.steps)
    #expect(ride.deadline == nil)
    ride.start(at: at(500))
    #expect(ride.takeDueStep(at: at(500))?.milliseconds == 0)
    #expect(ride.deadline == at(1_500))
    #expect(ride.takeDueStep(at: at(1_499)) == nil)
    #expect(ride.takeDueStep(at: at(1_500))?.milliseconds == 1_000)
  }

  @Test func itsClockMayBeFaster() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    ride.setSpeed(40, at: at(0))
    _ = ride.takeDueStep(at: at(0))
    #expect(ride.deadline == at(25))
    #expect(ride.takeDueStep(at: at(100))?.milliseconds == 4_000)
    #expect(ride.isOver && ride.permille == 1_000 && ride.deadline == nil)
  }

  @Test func itStandsStillInAPause() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    _ = ride.takeDueStep(at: at(0))
    ride.stop(at: at(600))
    #expect(ride.deadline == nil && ride.takeDueStep(at: at(9_000)) == nil)
    ride.start(at: at(9_000))
    #expect(ride.deadline == at(9_400))
  }

  @Test func itSkipsToTheFirstStepOfTheFinish() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    ride.skipToFinish(at: at(10))
    #expect(ride.takeDueStep(at: at(10))?.direction == 3)
  }

  @Test func ofStepsThatAreMissedTheNewestIsSaid() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    #expect(ride.takeDueStep(at: at(3_000))?.milliseconds == 1_000)
  }
}
