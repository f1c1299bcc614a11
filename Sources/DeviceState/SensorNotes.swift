package import Bytes
package import Screens
package import Sensors

/// What the sensors said that a search came to, by which the rider chooses among them.
package struct SensorNotes: ~Copyable {
  /// What one of them is called, and said last.
  private struct Note: ~Copyable {
    var address: DeviceAddress?
    var kind = SensorKind.heart
    var label = FixedBuffer<40>()
    var reading = SensorCandidate.Reading.still

    func copyLabel(into other: inout FixedBuffer<40>) { other.append(label.bytes) }
  }

  /// Twice those that a panel has room for: the rider goes back by a few.
  private var notes: InlineArray<8, Note>
  /// Where the next one goes.
  private var next = 0

  package init() { notes = InlineArray { _ in Note() } }

  /// Notes what a sensor is called and says; one that is still now keeps what it said before.
  package mutating func note(
    _ kind: SensorKind, _ label: Span<UInt8>, _ reading: SensorCandidate.Reading,
    of address: DeviceAddress
  ) {
    let known = index(of: address)
    let index = known ?? next
    if known == nil {
      notes[index].address = address
      notes[index].reading = .still
      next = (next + 1) % notes.count
    }
    notes[index].kind = kind
    notes[index].label.assign(label)
    if reading != .still { notes[index].reading = reading }
  }

  /// What a sensor is taken for, and said last; `nil` for one of which nothing is noted.
  package func note(of address: DeviceAddress) -> (SensorKind, SensorCandidate.Reading)? {
    index(of: address).map { (notes[$0].kind, notes[$0].reading) }
  }

  /// Replaces `label` by what a sensor is called; empty for one of which nothing is noted.
  package func copyLabel(of address: DeviceAddress, into label: inout FixedBuffer<40>) {
    label.removeAll()
    if let index = index(of: address) { notes[index].copyLabel(into: &label) }
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in notes.indices where notes[index].address == address { return index }
    return nil
  }
}
