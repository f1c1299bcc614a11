package import Bytes
import Central
import DeviceState
import Link
import Panel
import Recording

/// An update of a device that is in use: the panel shows the new version once, whichever way it came.
extension Device {
  /// Whether to show it now: after the first picture, and only in place of the state of the connection.
  ///
  /// While a code is missing no record is written, and the version would be shown at each start.
  var isUpdateDue: Bool {
    store.isUpdateUnshown && upkeep.ports[.store].isOpen && upkeep.ports[.panel].isOpen
      && display.isSeen && !host.security.isCodeMissing && showing.mayWait
  }

  /// Shows and reports the new version; `advance` does so once, unless a report says when.
  package mutating func showUpdate(at now: Instant) {
    note(.update, at: now)
    log.updated(to: upkeep.version.bytes, at: now)
    store.updateWasShown()
    scene.showUpdate(at: now)
  }

  /// Writes the version after it was seen.
  ///
  /// After an earlier power cut it is shown again. An earlier write includes it. A failed write is not retried.
  mutating func saveVersion() {
    guard !scene.isUpdateShown, upkeep.ports[.store].isOpen, store.takeVersionIfDue() else {
      return
    }
    store.save(isDim: display.power.isDimByHand, besideBondOf: host)
  }
}
