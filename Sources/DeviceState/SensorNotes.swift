package import Bytes
package import Screens
package import Sensors

/// The names and readings of the sensors that a search came to, by which the rider chooses one.
package struct SensorNotes: ~Copyable {
  /// The name and the last reading of one sensor.
  private struct Note: ~Copyable {
    var address: DeviceAddress?
    var kind = SensorKind.heart
    var name = FixedBuffer<32>()
    var reading = SensorCandidate.Reading.still

    func copyName(into other: inout FixedBuffer<40>) { other.append(name.bytes) }

    func hasName(_ other: Span<UInt8>) -> Bool { isEqual(name.bytes, other) }
  }

  /// As many as a search tries.
  private var notes: InlineArray<16, Note>
  /// Where the next one goes.
  private var next = 0

  package init() { notes = InlineArray { _ in Note() } }

  /// Whether the search has come to no sensor so far.
  package var isEmpty: Bool { notes[0].address == nil }

  /// Notes a sensor's name and reading.
  ///
  /// A sensor that is still, or has not sent its name on this link, keeps what was noted before.
  package mutating func note(
    _ kind: SensorKind, _ name: Span<UInt8>, _ reading: SensorCandidate.Reading,
    of address: DeviceAddress
  ) {
    let known = index(of: address)
    let index = known ?? next
    if known == nil {
      notes[index] = Note()
      notes[index].address = address
      next = (next + 1) % notes.count
    }
    if known == nil || reading != .still {
      notes[index].kind = kind
      notes[index].reading = reading
    }
    if !name.isEmpty { notes[index].name.assign(name) }
  }

  /// The kind and the last reading of a sensor; `nil` if nothing is noted of it.
  package func note(of address: DeviceAddress) -> (SensorKind, SensorCandidate.Reading)? {
    index(of: address).map { (notes[$0].kind, notes[$0].reading) }
  }

  /// Replaces `name` by a sensor's name; empty if that is unknown.
  package func copyName(of address: DeviceAddress, into name: inout FixedBuffer<40>) {
    name.removeAll()
    if let index = index(of: address) { notes[index].copyName(into: &name) }
  }

  /// Whether another sensor has the same name.
  package func isNameTwice(of address: DeviceAddress) -> Bool {
    var name = FixedBuffer<40>()
    copyName(of: address, into: &name)
    for index in notes.indices {
      guard let other = notes[index].address, !other.isSame(as: address) else { continue }
      if notes[index].hasName(name.bytes) { return true }
    }
    return false
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in notes.indices {
      if let other = notes[index].address, other.isSame(as: address) { return index }
    }
    return nil
  }
}
