import Bytes
import Expecting
import TestSupport

@testable import Browser

struct RideTests {
  private static let steps = [0, 1_000, 4_000].map {
    RideStep(milliseconds: $0, direction: $0 < 4_000 ? 8 : 3, distance: 100, street: [])
  }

  @Test func aStepIsDueAtItsTime() {
    var ride = Ride(Self.steps)
    expect(ride.deadline, nil)
    ride.start(at: at(500))
    expect(ride.takeDueStep(at: at(500))?.milliseconds, 0)
    expect(ride.deadline, at(1_500))
    expect(ride.takeDueStep(at: at(1_499)) == nil)
    expect(ride.takeDueStep(at: at(1_500))?.milliseconds, 1_000)
  }

  @Test func itsClockMayBeFaster() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    ride.setSpeed(40, at: at(0))
    _ = ride.takeDueStep(at: at(0))
    expect(ride.deadline, at(25))
    expect(ride.takeDueStep(at: at(100))?.milliseconds, 4_000)
    expect(ride.isOver && ride.permille == 1_000 && ride.deadline == nil)
  }

  @Test func itStandsStillInAPause() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    _ = ride.takeDueStep(at: at(0))
    ride.stop(at: at(600))
    expect(ride.deadline == nil && ride.takeDueStep(at: at(9_000)) == nil)
    ride.start(at: at(9_000))
    expect(ride.deadline, at(9_400))
  }

  @Test func itSkipsToTheFirstStepOfTheFinish() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    ride.skipToFinish(at: at(10))
    expect(ride.takeDueStep(at: at(10))?.direction, 3)
  }

  @Test func ofStepsThatAreMissedTheNewestIsSaid() {
    var ride = Ride(Self.steps)
    ride.start(at: at(0))
    expect(ride.takeDueStep(at: at(3_000))?.milliseconds, 1_000)
  }
}

struct RideReaderTests {
  private static let header = "milliseconds,direction,distance,street\n"

  private func read(_ rows: String) throws(RideError) -> [RideStep] {
    try RideReader.read(Array((Self.header + rows).utf8))
  }

  @Test func rowsAreSteps_theFirstAtNothing() throws {
    let steps = try read("700,2,0,Lenkerweg\n1200,8,110,Große Straße\n")
    expect(steps.map(\.milliseconds), [0, 500])
    expect(steps.map(\.direction), [2, 8])
    expect(steps.map(\.distance), [0, 110])
    expect(
      steps.map { String(decoding: $0.street, as: UTF8.self) }, ["Lenkerweg", "Große Straße"])
  }

  @Test(arguments: [
    ("0,8,1,\"A, B\"\n", "A, B"), ("0,8,1,\"A \"\"B\"\"\"\n", "A \"B\""), ("0,8,1,\r\n", ""),
    ("0,8,1,\"A\nB\"\n", "A\nB"), ("\n0,8,1,A", "A"),
  ])
  func streetsAreQuotedAsInRFC4180(_ rows: String, _ street: String) throws {
    let steps = try read(rows)
    expect(steps.map { String(decoding: $0.street, as: UTF8.self) }, [street])
  }

  @Test(
    arguments: [
      ("", .noInstruction, 2), ("0,8,1\n", .columns, 2), ("0,8,1,A,B\n", .columns, 2),
      ("0,8,1,A\n0,256,1,A\n", .number, 3), ("-1,8,1,A\n", .number, 2),
      ("0,8,4294967296,A\n", .number, 2), ("9,8,1,A\n8,8,1,A\n", .order, 3),
      ("0,8,1,\"A\n\n", .quotation, 2), ("0,8,1,A\"\n", .quotation, 2),
      ("0,8,1,\"A\nB\"\n0,8,1\n", .columns, 4),
    ] as [(String, RideError.Problem, Int32)])
  func whatIsWrongHasItsLine(_ rows: String, _ problem: RideError.Problem, _ line: Int32) {
    #expect(throws: RideError(problem: problem, line: line)) { try read(rows) }
  }

  @Test func anotherKindOfFileIsNoRide() {
    #expect(throws: RideError(problem: .noHeader, line: 1)) { try RideReader.read([]) }
    #expect(throws: RideError(problem: .noHeader, line: 1)) {
      try RideReader.read(Array("time,street\n".utf8))
    }
    #expect(throws: RideError(problem: .encoding, line: 2)) {
      try RideReader.read(Array((Self.header + "0,8,1,").utf8) + [0xFF])
    }
  }
}
