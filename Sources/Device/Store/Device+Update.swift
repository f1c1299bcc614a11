package import Bytes
import Central
import DeviceState
import Link
import Panel
import Recording

/// An update of a device that is in use: the panel says the new version once, whichever way that came.
extension Device {
  /// Whether to say it now: after the first picture, and only where the panel would say how far the connection is.
  ///
  /// While a code is missing the record is not written, and it would be said at each start.
  var isUpdateDue: Bool {
    store.isUpdateUntold && upkeep.ports[.store].isOpen && upkeep.ports[.panel].isOpen
      && display.isSeen && !host.security.isCodeMissing && showing.mayWait
  }

  /// Says which version this is; `advance` does so once, unless it `onlyIsTold`.
  package mutating func tellOfUpdate(at now: Instant) {
    note(.update, at: now)
    log.updated(to: upkeep.version.bytes, at: now)
    store.updateIsTold()
    scene.showUpdate(at: now)
  }

  /// Has the version written after it was seen.
  ///
  /// A power cut before that leaves it to be said again. An earlier write includes it. A failed write is not retried.
  mutating func saveVersion() {
    guard !scene.isUpdateShown, upkeep.ports[.store].isOpen, store.takeVersionIfDue() else {
      return
    }
    store.save(isDim: display.output.power.isDimByHand, besideBondOf: host)
  }
}
