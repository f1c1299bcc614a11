import Beacons
package import Bytes

/// The file of a fingerprint, as `FingerprintReader` reads it.
///
/// One JSON object (RFC 8259): the readings of each beacon, and the seconds.
///
///     {"E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:1.Min:2":[-61,-63],
///     "seconds":60}
extension Training {
  package static var longestPiece: Int { IBeacon.longestText + 240 * 5 + 8 }

  /// Of how many pieces the file is made: one for each beacon and one for the end; none if it was aborted.
  package var pieceCount: Int { state == .aborted ? 0 : beaconCount + 1 }

  /// Writes a piece of the file, below `pieceCount`; one after the other they are the whole.
  package borrowing func write(piece number: Int, to writer: inout some ByteWriter & ~Copyable) {
    writer.append(number == 0 ? "{" : ",\n")
    guard number < beaconCount else {
      writer.append("\"seconds\":")
      writer.append(decimal: Int64(widening: secondsDone))
      writer.append("}\n")
      return
    }
    writer.append("\"")
    writer.append(text: beacon(at: number))
    writer.append("\":[")
    for index in 0..<readingCount(at: number) {
      if index > 0 { writer.append(",") }
      writer.append(decimal: Int64(widening: Int(reading(index, at: number))))
    }
    writer.append("]")
  }
}
