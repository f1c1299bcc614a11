import BoardFile
package import Bond
package import Bytes
import Host
import Sensors

/// The sensors that are remembered: on disk first, and in the events once they are there.
///
/// A change waits until nothing else is to be written, and a write for anything else that comes before has it
/// with it: then none of its own follows.
extension Device {
  /// Saves a sensor in the place of the one of its kind; it counts once it is on disk.
  package mutating func remember(_ sensor: RememberedSensor, at now: Instant) {
    var changed = bondKeeper.newSensors ?? sensors
    changed.set(sensor)
    saveSensors(changed, at: now)
  }

  /// Forgets all sensors: on disk first, so that a power cut cannot bring them back.
  package mutating func forgetSensors(at now: Instant) {
    saveSensors(RememberedSensors(), at: now)
  }

  /// Without a store that is to remember anybody they count until the end of the program.
  private mutating func saveSensors(_ changed: RememberedSensors, at now: Instant) {
    guard board.sensors == .learned else { return }
    guard board.pairing != .off else { return sensorsWereKept(changed, at: now) }
    guard ports.store.isOpen else {
      tellWhyStoreIsClosed(at: now)
      return sensorsWereNotKept(at: now)
    }
    bondKeeper.keep(changed)
    advanceSensors(at: now)
  }

  /// Has a change of the sensors written once nothing else is to be written, or adopts it.
  mutating func advanceSensors(at now: Instant) {
    guard bondKeeper.isIdle, bondKeeper.newSensors != nil else { return }
    if let changed = bondKeeper.takeSensorsIfWritten() {
      sensorsWereKept(changed, at: now)
    } else {
      bondKeeper.save(isDim: panel.isDimByHand, besideBondOf: host)
    }
  }

  /// Takes the sensors of the store, if any are to be used.
  mutating func restoreSensors(at now: Instant) {
    guard board.sensors == .learned else { return }
    sensors = bondKeeper.sensors
    followSensors(at: now)
  }

  /// These sensors are remembered from now on.
  private mutating func sensorsWereKept(_ kept: RememberedSensors, at now: Instant) {
    for number in 0..<SensorKind.count {
      guard let kind = SensorKind(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
      let (old, new) = (sensors[kind], kept[kind])
      guard old != new else { continue }
      if let old, old.address != new?.address { log.sensor(old, .forgotten, at: now) }
      guard let new else { continue }
      if host.isSensorLinked(kind), old?.address != new.address { sensorKeeper.adoptRival(kind) }
      log.sensor(new, .remembered, at: now)
      scene.show(.sensorSaved(kind), isAsked: true, at: now)
    }
    let wasAny = !sensors.isEmpty
    sensors = kept
    followSensors(at: now)
    if wasAny, kept.isEmpty { scene.show(.sensorsForgotten, isAsked: true, at: now) }
  }

  /// A change of the sensors could not be saved: those of before are still remembered.
  mutating func sensorsWereNotKept(at now: Instant) {
    scene.show(.sensorNotSaved(offeredKind), isAsked: true, at: now)
  }

  /// The kind of the sensor that the rider is asked about.
  private var offeredKind: SensorKind? {
    if case .offering(let kind) = host.sensorSearch { kind } else { nil }
  }
}
