import Bytes
import Komoot
import TestSupport
import Testing

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

@Suite struct InstructionTests {
  @Test func thePublishedExampleIsRead() throws {
    let bytes: [UInt8] = [
      0x04, 0x03, 0x02, 0x01, 0x01, 0xD2, 0x04, 0x00, 0x00, 0x4C, 0x65, 0x6E, 0x6E, 0xC3, 0xA9,
      0x73, 0x74, 0x72, 0x61, 0xC3, 0x9F, 0x65,
    ]
    let instruction = try Instruction(parsing: bytes.span)
    let (identifier, distance) = (instruction.identifier, instruction.distance)
    let direction = instruction.direction
    let street = array(instruction.street)
    #expect(identifier == 0x0102_0304)
    #expect(direction == .straight)
    #expect(distance == 1_234)
    #expect(street == Array("Lennéstraße".utf8))
  }

  @Test(arguments: 0..<9) func shorterThanNineBytesIsNoInstruction(_ count: Int) {
    let bytes = Array(value().prefix(count))
    #expect(throws: ParseError.truncated) { _ = try Instruction(parsing: bytes.span) }
  }

  @Test(arguments: 9...22) func everyLongerPrefixIsOne(_ count: Int) throws {
    let bytes = Array(value().prefix(count))
    let instruction = try Instruction(parsing: bytes.span)
    let street = array(instruction.street)
    #expect(street == Array(bytes.dropFirst(9)))
  }

  @Test(arguments: [(503, 503), (504, 503), (1_000, 503), (65_000, 503)])
  func aValueBeyond512BytesIsCut(_ sent: Int, _ kept: Int) throws {
    let street = (0..<sent).map { UInt8(truncatingIfNeeded: $0) }
    let instruction = try Instruction(parsing: value(street: street).span)
    let held = array(instruction.street)
    #expect(held == Array(street.prefix(kept)))
  }

  @Test func theStreetStaysAsItWasSent() throws {
    let street: [UInt8] = [0x00, 0x0A, 0x1B, 0xC3, 0xFF, 0xE2, 0x82]
    let instruction = try Instruction(parsing: value(street: street).span)
    let held = array(instruction.street)
    #expect(held == street)
  }

  @Test func theGreatestNumbersAreRead() throws {
    let bytes = [UInt8](repeating: 0xFF, count: 9)
    let instruction = try Instruction(parsing: bytes.span)
    let numbers = (instruction.identifier, instruction.distance, instruction.direction.rawValue)
    let isKnown = instruction.direction.isKnown
    #expect(numbers == (UInt32.max, UInt32.max, 255))
    #expect(!isKnown)
  }

  @Test func aBadValueLeavesTheInstructionAsItIs() throws {
    var instruction = try Instruction(parsing: value().span)
    let short = [UInt8](repeating: 7, count: 8)
    #expect(throws: ParseError.truncated) { try instruction.parse(short.span) }
    let distance = instruction.distance
    let street = array(instruction.street)
    #expect(distance == 1_234)
    #expect(street == Array("Lennéstraße".utf8))
  }

  @Test func aShorterStreetReplacesALongerOne() throws {
    var instruction = try Instruction(parsing: value().span)
    let other = try Instruction(parsing: value(identifier: 9, street: Array("Am".utf8)).span)
    instruction.assign(other)
    let street = array(instruction.street)
    let identifier = instruction.identifier
    #expect(street == Array("Am".utf8))
    #expect(identifier == 9)
  }

  @Test(arguments: [
    (value(identifier: 5), true, true), (value(distance: 1_235), false, true),
    (value(direction: 2), false, false), (value(street: Array("Lennéstraß".utf8)), false, false),
    (value(street: Array("Lennéstraßf".utf8)), false, false),
  ])
  func whatMattersToTheRiderIsCompared(_ other: [UInt8], _ isSame: Bool, _ isSameTurn: Bool) throws
  {
    let one = try Instruction(parsing: value().span)
    let two = try Instruction(parsing: other.span)
    let seen = (one.isSame(as: two), one.isSameTurn(as: two))
    #expect(seen == (isSame, isSameTurn))
  }

  @Test(arguments: [
    (value(direction: 0, distance: 0, street: []), true),
    (value(identifier: 0, direction: 0, distance: 0, street: []), true),
    (value(direction: 1, distance: 0, street: []), false),
    (value(direction: 0, distance: 1, street: []), false),
    (value(direction: 0, distance: 0, street: [0x41]), false),
  ])
  func anIdentifierAndZerosAreNoInstructionYet(_ bytes: [UInt8], _ isEmpty: Bool) throws {
    let instruction = try Instruction(parsing: bytes.span)
    let seen = instruction.isEmpty
    #expect(seen == isEmpty)
  }
}

@Suite struct DirectionTests {
  @Test(
    arguments: [
      (0, .none), (1, .straight), (2, .start), (3, .finish), (4, .slightLeft), (5, .left),
      (6, .sharpLeft), (7, .sharpRight), (8, .right), (9, .slightRight), (10, .forkRight),
      (11, .forkLeft), (12, .uTurn), (13, .pointOfInterest), (14, .roundabout),
      (15, .roundaboutExitLeft), (16, .roundaboutExitRight), (17, .counterclockwiseExit1Of1),
      (18, .counterclockwiseExit1Of2), (19, .counterclockwiseExit1Of3),
      (20, .counterclockwiseExit2Of2), (21, .counterclockwiseExit2Of3),
      (22, .counterclockwiseExit3Of3), (23, .clockwiseExit1Of1), (24, .clockwiseExit1Of2),
      (25, .clockwiseExit1Of3), (26, .clockwiseExit2Of2), (27, .clockwiseExit2Of3),
      (28, .clockwiseExit3Of3), (29, .roundaboutExitUnknown), (30, .offRoute),
    ] as [(UInt8, Direction)])
  func eachByteHasItsName(_ byte: UInt8, _ direction: Direction) {
    #expect(direction.rawValue == byte)
    #expect(direction.isKnown)
  }

  @Test(arguments: [31, 32, 128, 255] as [UInt8])
  func aByteThatIsNotDocumentedIsUnknown(_ byte: UInt8) {
    #expect(!Direction(rawValue: byte).isKnown)
  }
}

@Suite struct NotificationTests {
  @Test(
    arguments: [
      (4, 23, .identifier(0x0102_0304)), (9, 23, .whole), (19, 23, .whole), (20, 23, .cut),
      (20, 24, .whole), (21, 23, .cut), (512, 517, .whole), (514, 517, .cut), (0, 23, .ignore),
      (1, 23, .ignore), (3, 23, .ignore), (5, 23, .ignore), (8, 23, .ignore), (9, 0, .cut),
    ] as [(Int, Int, Notification)])
  func aValueIsUsedOnlyIfItIsSurelyWhole(_ count: Int, _ mtu: Int, _ expected: Notification) {
    let bytes = Array((value() + [UInt8](repeating: 0x41, count: 600)).prefix(count))
    #expect(Notification(bytes.span, mtu: mtu) == expected)
  }
}

@Suite struct NavigationServiceTests {
  /// The text turned round, byte by byte.
  func littleEndian(_ text: String) -> [UInt8] {
    bytes(text.replacing("-", with: "")).reversed()
  }

  @Test func identifiersStandInTheOrderOfTheAir() {
    var air = FixedBuffer<32>()
    air.append(NavigationService.uuid)
    air.append(NavigationService.characteristic)
    let written = array(air.bytes)
    #expect(
      written == littleEndian("71C1E128-D92F-4FA8-A2B2-0F171DB3436C")
        + littleEndian("503DD605-9BCB-4F6E-B235-270A57483026"))
  }
}
