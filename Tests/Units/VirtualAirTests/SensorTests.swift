import Expecting
import TestSupport
import VirtualAir

/// What the virtual sensors send, by the bytes of the specifications and of recordings.
struct SensorValueTests {
  /// HRS 1.0, 3.1.1.1: 8 bits, with contact.
  @Test func aPulseIsThatOfAStrapOnSkin() {
    expect(hex(VirtualSensor.pulse(77)), "06 4d")
  }

  /// The counts and times of a recorded Wahoo KICKR, each alone.
  @Test func wheelAndCrankAreCountedAlone() {
    let wheel = VirtualRotor.Turns(count: 0x1_5EA2, time: 0xF_0E6D)
    expect(hex(VirtualSensor.wheel(wheel)), "01 a2 5e 01 00 6d 0e")
    let crank = VirtualRotor.Turns(count: 0x2_634B, time: 0x7F96)
    expect(hex(VirtualSensor.crank(crank)), "02 4b 63 96 7f")
  }

  /// Two of them as recorded, but for the third byte.
  @Test(
    arguments: [
      (8, [], ["82"]), (8, [(0x2E, 43)], ["82 ae 2b 00"]),
      (1, [(0, 25)], ["12 80 19 00"]),
      (
        0x14, [(1, 50), (2, 45), (3, 40), (4, 35), (5, 30), (6, 25), (7, 20)],
        ["40 81 32 00 82 2d 00 83 28 00 84 23 00 85 1e 00 86 19 00", "42 87 14 00"]
      ),
    ] as [(UInt8, [(UInt8, UInt8)], [String])])
  func aRadarSaysWhichVehiclesItSees(
    _ count: UInt8, _ vehicles: [(UInt8, UInt8)], _ values: [String]
  ) {
    let seen = vehicles.map { VirtualSensor.Vehicle(track: $0.0, metres: $0.1) }
    expect(VirtualSensor.radar(seen, count: count).map { hex($0) }, values)
  }

  // MARK: - What turns

  /// Two turns a second: each half second is a turn, and has its time.
  @Test(arguments: [
    (499, 0, 0), (500, 1, 512), (999, 1, 512), (1_250, 2, 1_024), (1_500, 3, 1_536),
  ])
  func aRotorCountsWholeTurns(_ time: Int64, _ count: Int64, _ last: Int64) {
    var rotor = VirtualRotor(at: 0)
    rotor.turn(2_000, at: 0)
    expect(rotor.turns(at: time), VirtualRotor.Turns(count: count, time: last))
  }

  @Test func aRotorThatStandsKeepsItsLastTurn() {
    var rotor = VirtualRotor(at: 1_000)
    rotor.turn(1_000, at: 1_000)
    expect(rotor.turns(at: 3_500), VirtualRotor.Turns(count: 2, time: 3_072))
    rotor.turn(0, at: 3_500)
    expect(rotor.turns(at: 60_000), VirtualRotor.Turns(count: 2, time: 3_072))
    rotor.turn(1_000, at: 60_000)
    expect(rotor.turns(at: 60_500), VirtualRotor.Turns(count: 3, time: 61_952))
  }
}
