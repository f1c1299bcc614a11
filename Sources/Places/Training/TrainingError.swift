import Beacons
package import Bytes

/// Why a training is no fingerprint; `write` has the words of each.
package enum TrainingError: Error, Equatable, Sendable {
  case tooShort(seconds: Int)
  case tooFewBeacons(Int)
  case aborted

  /// Writes what is wrong, and what to do, without a newline.
  ///
  /// `Training.write(heard:to:)` says what was heard.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    switch self {
    case .tooShort(let seconds):
      writer.append("only ")
      writer.append(decimal: Int64(widening: seconds))
      writer.append(" s were listened to, and a fingerprint takes ")
      writer.append(decimal: Int64(widening: Training.fewestSeconds))
      writer.append("; listen longer")
    case .tooFewBeacons(let count):
      writer.append("beacons of the group that were heard: ")
      writer.append(decimal: Int64(widening: count))
      writer.append(", and a fingerprint takes ")
      writer.append(decimal: Int64(widening: Training.fewestBeacons))
      writer.append(
        count == 0
          ? "; check the UUID, and that the beacons have power" : "; go nearer, or add a beacon")
    case .aborted: writer.append("aborted; nothing is written")
    }
  }
}

extension Training {
  /// Writes what was heard of a beacon, below `beaconCount`: `UUID.Maj:1.Min:2: 12 readings, -61 dBm`.
  package borrowing func write(heard index: Int, to writer: inout some ByteWriter & ~Copyable) {
    var sum: Int32 = 0
    let count = readingCount(at: index)
    for number in 0..<count { sum += Int32(reading(number, at: index)) }
    writer.append(text: beacon(at: index))
    writer.append(": ")
    writer.append(decimal: Int64(widening: count))
    writer.append(count == 1 ? " reading, " : " readings, ")
    // The sum is below zero: this rounds to the nearest.
    writer.append(decimal: Int64(widening: (Int(sum) - count / 2) / max(1, count)))
    writer.append(" dBm")
  }
}
