import Bytes

/// The brightness that the rider chose, over a restart.
extension Device {
  /// The rider has chosen another brightness.
  mutating func brightnessWasChosen(at now: Instant) { brightness.wasChosen(at: now) }

  /// Takes the brightness of the store, unless the rider has chosen one since the start.
  mutating func restoreBrightness() {
    if !brightness.isChosen { display.setDimByHand(bondKeeper.isDim) }
  }

  /// When the brightness is to be written; `nil` while the store has it, or has something else to write.
  var brightnessDeadline: Instant? {
    guard ports.store.isOpen, bondKeeper.isIdle, display.isDimByHand != bondKeeper.isDim else {
      return nil
    }
    return brightness.writeTime
  }

  /// Has the brightness written if that is due.
  mutating func saveBrightness(at now: Instant) {
    guard let due = brightnessDeadline, now >= due else { return }
    brightness.writeBegins(at: now)
    bondKeeper.save(isDim: display.isDimByHand, besideBondOf: host)
  }
}

/// When the brightness may be written, so that no rider wears out a card with a button.
struct BrightnessKeeper {
  /// For how long a choice must stand, as dim is on the way from bright to off, in milliseconds.
  private static var settlingTime: Int64 { 5_000 }
  /// From one write to the next, even if that failed, in milliseconds.
  private static var pause: Int64 { 600_000 }

  private var settlingEnd: Instant?
  private var pauseEnd: Instant?

  /// Whether the rider has chosen since the start.
  var isChosen: Bool { settlingEnd != nil }

  /// When the choice may be written; `nil` if there is none.
  var writeTime: Instant? {
    guard let settlingEnd, let pauseEnd else { return settlingEnd }
    return max(settlingEnd, pauseEnd)
  }

  mutating func wasChosen(at now: Instant) { settlingEnd = now + Self.settlingTime }

  mutating func writeBegins(at now: Instant) { pauseEnd = now + Self.pause }
}
