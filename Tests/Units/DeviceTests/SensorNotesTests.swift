import Bytes
import DeviceState
import Screens
import Sensors
import TestSupport
import Testing

/// What is noted of the sensors that a search came to.
@Suite struct SensorNotesTests {
  private let strap = DeviceAddress(1, .random)

  private func note(
    _ notes: inout SensorNotes, _ address: DeviceAddress, _ name: String,
    _ reading: SensorCandidate.Reading
  ) {
    let bytes = Array(name.utf8)
    notes.note(.heart, bytes.span, reading, of: address)
  }

  private func name(_ notes: borrowing SensorNotes, _ address: DeviceAddress) -> String {
    var name = FixedBuffer<40>()
    notes.copyName(of: address, into: &name)
    return string(name.bytes)
  }

  private func reading(
    _ notes: borrowing SensorNotes, _ address: DeviceAddress
  ) -> SensorCandidate.Reading? {
    notes.note(of: address)?.1
  }

  /// On a new link, which begins without either.
  @Test func aNameAndAValueStayUntilOthersAreSaid() {
    var notes = SensorNotes()
    note(&notes, strap, "TICKR", .figure(.heart(72)))
    note(&notes, strap, "", .still)
    #expect(name(notes, strap) == "TICKR")
    #expect(reading(notes, strap) == .figure(.heart(72)))
    note(&notes, strap, "TICKR 2", .figure(.heart(74)))
    #expect(name(notes, strap) == "TICKR 2")
    #expect(reading(notes, strap) == .figure(.heart(74)))
  }

  @Test func theSeventeenthTakesThePlaceOfTheFirst() {
    var notes = SensorNotes()
    for number in 1...17 as ClosedRange<UInt64> {
      note(&notes, DeviceAddress(number, .random), "H10 \(number)", .still)
    }
    #expect(reading(notes, strap) == nil && name(notes, strap) == "")
    #expect(name(notes, DeviceAddress(2, .random)) == "H10 2")
    #expect(name(notes, DeviceAddress(17, .random)) == "H10 17")
  }

  @Test func aNameIsThereTwiceIfAnotherOneHasIt() {
    var notes = SensorNotes()
    note(&notes, strap, "H10", .still)
    let isTwiceAlone = notes.isNameTwice(of: strap)
    note(&notes, DeviceAddress(2, .random), "H10", .still)
    let isTwice = notes.isNameTwice(of: strap)
    #expect(!isTwiceAlone && isTwice)
  }
}
