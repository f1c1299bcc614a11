import Bytes
import Expecting
import PhoneServices
import TestSupport
import Turns

/// A value as a phone sends it.
func value(
  identifier: UInt32 = 0x0102_0304, direction: UInt8 = 1, distance: UInt32 = 1_234,
  street: [UInt8] = Array("Lennéstraße".utf8)
) -> [UInt8] {
  func fourBytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  return fourBytes(identifier) + [direction] + fourBytes(distance) + street
}

struct InstructionTests {
  @Test func thePublishedExampleIsRead() throws {
    let bytes: [UInt8] = [
      0x04, 0x03, 0x02, 0x01, 0x01, 0xD2, 0x04, 0x00, 0x00, 0x4C, 0x65, 0x6E, 0x6E, 0xC3, 0xA9,
      0x73, 0x74, 0x72, 0x61, 0xC3, 0x9F, 0x65,
    ]
    let instruction = try Instruction(parsing: bytes.span)
    let (identifier, distance) = (instruction.identifier, instruction.distance)
    expect(instruction.direction, 1)
    expect(array(instruction.street), Array("Lennéstraße".utf8))
    expect(identifier, 0x0102_0304)
    expect(distance, 1_234)
  }

  @Test func aStreetMayHaveBlanks() throws {
    let bytes = value(street: Array("Am Markt".utf8))
    let instruction = try Instruction(parsing: bytes.span)
    expect(array(instruction.street), Array("Am Markt".utf8))
  }

  @Test func aPrefixOfNineBytesOrMoreIsAnInstructionWhoseStreetStaysAsItWasSent() throws {
    for count in 0...22 {
      let bytes = Array(value().prefix(count))
      guard count >= 9 else {
        #expect(throws: ParseError.truncated) { _ = try Instruction(parsing: bytes.span) }
        continue
      }
      let instruction = try Instruction(parsing: bytes.span)
      expect(array(instruction.street), Array(bytes.dropFirst(9)))
    }
    let bytes = value(
      identifier: .max, direction: 30, distance: 1_000_000, street: [0xC3, 0xFF, 0xE2, 0x82])
    let instruction = try Instruction(parsing: bytes.span)
    let numbers = (instruction.identifier, instruction.distance, instruction.direction)
    expect(numbers == (UInt32.max, 1_000_000, 30))
    expect(array(instruction.street), [0xC3, 0xFF, 0xE2, 0x82])
  }

  @Test(arguments: [(503, 503), (504, 503), (1_000, 503), (65_000, 503)])
  func aValueBeyond512BytesIsCut(_ sent: Int, _ kept: Int) throws {
    let street = (0..<sent).map { UInt8(truncatingIfNeeded: 0x61 + $0 % 26) }
    let bytes = value(street: street)
    let instruction = try Instruction(parsing: bytes.span)
    expect(array(instruction.street), Array(street.prefix(kept)))
  }

  /// Another app's text, a time, and what only looks like an instruction.
  @Test(
    arguments: [
      Array("Hello, world".utf8), bytes("EA 07 0B 1C 0A 1E 2D 06 00 00"), value(direction: 31),
      value(direction: 255), value(distance: 1_000_001), value(street: [0]),
      value(street: Array("Am Markt\n".utf8)), value(street: [0x41, 0x7F]),
    ])
  func centralBehaviour139_whatKomootDoesNotSayIsNoInstruction(_ bytes: [UInt8]) {
    #expect(throws: ParseError.invalid) { _ = try Instruction(parsing: bytes.span) }
  }

  @Test func itIsAboutATurn() throws {
    let bytes = value(direction: 7, distance: 70_000)
    let turn = try Instruction(parsing: bytes.span).turn
    expect((turn.maneuver, turn.distance) == (.sharpRight, 70_000))
    expect(array(turn.street), Array("Lennéstraße".utf8))
  }

  @Test(arguments: [
    (value(direction: 0, distance: 0, street: []), true),
    (value(identifier: 0, direction: 0, distance: 0, street: []), true),
    (value(direction: 1, distance: 0, street: []), false),
    (value(direction: 0, distance: 1, street: []), false),
    (value(direction: 0, distance: 0, street: [0x41]), false),
    (value(direction: 30, distance: 0, street: []), false),
  ])
  func anIdentifierAndZerosAreNoTurnYet(_ bytes: [UInt8], _ isEmpty: Bool) throws {
    let turn = try Instruction(parsing: bytes.span).turn
    expect(turn.isEmpty, isEmpty)
  }
}

struct NotificationTests {
  @Test(
    arguments: [
      (4, 23, .identifier(0x0102_0304)), (9, 23, .whole), (19, 23, .whole), (20, 23, .cut),
      (21, 23, .cut), (21, 25, .whole), (512, 517, .whole), (514, 517, .cut), (0, 23, .ignore),
      (1, 23, .ignore), (3, 23, .ignore), (5, 23, .ignore), (8, 23, .ignore), (9, 0, .cut),
    ] as [(Int, Int, Notification)])
  func aValueIsUsedOnlyIfItIsSurelyWhole(_ count: Int, _ mtu: Int, _ expected: Notification) {
    let bytes = Array((value() + [UInt8](repeating: 0x41, count: 600)).prefix(count))
    expect(Notification(bytes.span, mtu: mtu), expected)
  }

  /// An app that thinks of the smallest MTU cuts to what a notification or a read carries there.
  @Test(arguments: [20, 22], [24, 185, 517])
  func centralBehaviour56_aValueOfTheLengthOfASmallPacketMayBeCut(_ count: Int, _ mtu: Int) {
    let bytes = Array((value() + [UInt8](repeating: 0x41, count: 600)).prefix(count))
    expect(Notification(bytes.span, mtu: mtu), .cut)
  }
}

struct NavigationServiceTests {
  /// The text turned round, byte by byte.
  func littleEndian(_ text: String) -> [UInt8] {
    bytes(text.replacing("-", with: "")).reversed()
  }

  @Test func identifiersStandInTheOrderOfTheAir() {
    var air = FixedBuffer<32>()
    air.append(NavigationService.uuid)
    air.append(NavigationService.characteristic)
    let written = array(air.bytes)
    expect(
      written,
      littleEndian("71C1E128-D92F-4FA8-A2B2-0F171DB3436C")
        + littleEndian("503DD605-9BCB-4F6E-B235-270A57483026"))
  }
}

/// komoot's published list of directions, in its order: byte 4 of a value.
struct DirectionTests {
  private static let published: [Maneuver] =
    [
      .none, .straight, .start, .finish, .slightLeft, .left, .sharpLeft, .sharpRight, .right,
      .slightRight, .forkRight, .forkLeft, .uTurn, .pointOfInterest, .roundabout(.unsaid, nil),
      .roundabout(.left, .clockwise), .roundabout(.right, .counterclockwise),
    ] + exits(.counterclockwise) + exits(.clockwise) + [.roundabout(.unknown, nil), .offRoute]

  private static func exits(_ circulation: Maneuver.Circulation) -> [Maneuver] {
    [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)].map {
      .roundabout(.number($0, of: $1), circulation)
    }
  }

  @Test func eachPublishedDirectionIsAManeuverAndEveryOtherIsUnknown() {
    for byte in UInt8.min...UInt8.max {
      expect(Maneuver(direction: byte), byte <= 30 ? Self.published[Int(byte)] : .unknown(byte))
    }
  }

  /// Another direction with the same street is another turn, known or not.
  @Test func noTwoDirectionsAreTheSameManeuver() {
    let maneuvers = (0...255 as ClosedRange<UInt8>).map(Maneuver.init(direction:))
    for (index, maneuver) in maneuvers.enumerated() {
      expect(maneuvers.firstIndex(of: maneuver), index)
    }
  }
}
