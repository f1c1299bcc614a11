import Bond
package import Bytes
package import DeviceState

/// The notes of what came in beside packets; Sources/Replaying reads them.
extension Record {
  @inline(never)  // else a board's file has a copy for each note
  package mutating func note(_ note: Note, at now: Instant) {
    self.note(note.phase, at: now) { note.write(into: &$0) }
  }

  /// Adds a note with a text from outside behind it.
  package mutating func note(_ note: Note, _ text: Span<UInt8>, at now: Instant) {
    self.note(note.phase, at: now) {
      note.write(into: &$0)
      $0.append(" ")
      $0.append(text)
    }
  }

  /// Adds a note with what the store holds behind it.
  package mutating func note(_ note: Note, store: Span<UInt8>, at now: Instant) {
    self.note(note.phase, at: now) {
      note.write(into: &$0)
      BondStore.describe(store, into: &$0)
    }
  }

  /// The circumstances of the start.
  package mutating func noteStart(
    boardAddress: DeviceAddress?, mistake: Span<UInt8>, _ means: RecoveryMeans, at now: Instant
  ) {
    if let boardAddress { note(.boardAddress(boardAddress), at: now) }
    if !mistake.isEmpty { note(.mistake, mistake, at: now) }
    if means.canRebind {
      note(.recovery(rebootTime: means.rebootTime.map { $0 - now }), at: now)
    }
  }

  package mutating func noteStoreWritten(_ output: Span<UInt8>, at offset: Int, _ now: Instant) {
    // The checksum alone says nothing of what the store holds.
    let isWhole = output.count == BondStore.size / 2
    let described = output.extracting(first: isWhole ? output.count : 0)
    note(.storeWritten(offset: offset), store: described, at: now)
  }
}
