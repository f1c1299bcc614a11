import Central
import Navigation

/// The counters that live as long as the program, and go round.
///
/// None of them stops anything when it is at its end; who compares two of them compares for equality,
/// or by their distance.
package struct Counters {
  /// Bytes that were put into the record.
  package var recordedBytes: UInt32
  /// Entries that the record has no room for any more.
  package var droppedEntries: UInt32
  /// How often the record has begun anew to keep how a link was made.
  package var keptLinks: UInt32
  /// Streets, one after the other.
  package var streets: UInt32
  /// Packets that the host has dropped.
  package var droppedPackets: UInt32
}

extension Device {
  /// Where the counters are now.
  package var counters: Counters {
    Counters(
      recordedBytes: record.head, droppedEntries: record.kept.dropped,
      keptLinks: record.kept.linkNumber, streets: guidance.streetNumber,
      droppedPackets: host.droppedCount)
  }
}
