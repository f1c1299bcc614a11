import Bytes
import Expecting
import Turns

struct TurnTests {
  private func turn(_ maneuver: Maneuver, _ distance: UInt32, _ street: [UInt8]) -> Turn {
    Turn(maneuver, distance: distance, street: street.span)
  }

  private func street(of turn: borrowing Turn) -> [UInt8] {
    let street = turn.street
    return street.indices.map { street[$0] }
  }

  @Test func aTurnIsWhatWasSaid() {
    let turn = turn(.sharpLeft, .max, Array("Lennéstraße".utf8))
    let seen = (turn.maneuver, turn.distance)
    expect(seen == (.sharpLeft, 4_294_967_295))
    expect(street(of: turn), Array("Lennéstraße".utf8))
  }

  @Test func aStreetStaysAsItWasSent() {
    let sent: [UInt8] = [0x00, 0x0A, 0x1B, 0xC3, 0xFF, 0xE2, 0x82]
    expect(street(of: turn(.left, 1, sent)), sent)
  }

  @Test(arguments: [(502, 502), (503, 503), (504, 503), (65_000, 503)])
  func of503BytesAStreetIsKept(_ sent: Int, _ kept: Int) {
    let bytes = (0..<sent).map { UInt8(truncatingIfNeeded: $0) }
    expect(street(of: turn(.left, 1, bytes)), Array(bytes.prefix(kept)))
  }

  @Test(
    arguments: [
      (.left, 10, "A", true), (.left, 99, "A", true), (.right, 10, "A", false),
      (.left, 10, "B", false), (.left, 10, "", false), (.left, 10, "AA", false),
    ] as [(Maneuver, UInt32, String, Bool)])
  func maneuverAndStreetMakeATurn(
    _ maneuver: Maneuver, _ distance: UInt32, _ street: String, _ isSame: Bool
  ) {
    let other = turn(maneuver, distance, Array(street.utf8))
    let seen = turn(.left, 10, [0x41]).isSameTurn(as: other)
    expect(seen, isSame)
  }

  @Test(
    arguments: [
      (.none, 0, [], true), (.straight, 0, [], false), (.none, 1, [], false),
      (.none, 0, [0x41], false), (.unknown(0), 0, [], false),
    ] as [(Maneuver, UInt32, [UInt8], Bool)])
  func nothingToDoNowhereIsNoTurn(
    _ maneuver: Maneuver, _ distance: UInt32, _ street: [UInt8], _ isEmpty: Bool
  ) {
    let seen = turn(maneuver, distance, street).isEmpty
    expect(seen, isEmpty)
  }

  @Test func whatIsMadeOfNothingIsNoTurn() {
    let isEmpty = Turn().isEmpty
    #expect(isEmpty)
  }
}
