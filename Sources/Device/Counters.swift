import Central
import DeviceState
import Navigation
import Recording

/// The counters that live as long as the program, and go round.
///
/// None of them stops anything when it is at its end. Two of them are compared for equality,
/// or by their distance.
package struct Counters {
  /// Bytes that were put into the record.
  package let recordedBytes: UInt32
  /// Entries that the record has no room for any more.
  package let droppedEntries: UInt32
  /// How often the record has begun again to keep how a link was made.
  package let keptLinks: UInt32
  /// Streets, one after the other.
  package let streets: UInt32
  /// Packets that the host has dropped.
  package let droppedPackets: UInt32
}

extension Device {
  /// Where the counters are now.
  package var counters: Counters {
    let counts = record.counts
    return Counters(
      recordedBytes: counts.bytes, droppedEntries: counts.dropped, keptLinks: counts.links,
      streets: ride.guidance.streetNumber, droppedPackets: host.droppedCount)
  }
}
