import BoardFile
package import Bond
package import Bytes
import Central
import DeviceState
import Link
import Panel
import Recording
import SensorLinks
import Sensors

/// The sensors that are remembered: on disk first, and in the events once they are there.
///
/// A change waits until nothing else is to be written, and a write for anything else that comes before has it
/// with it: then none of its own follows.
extension Device {
  /// Those that are remembered; what is not on disk yet is not among them.
  package var sensors: RememberedSensors { desk.remembered }

  /// Saves a sensor, which replaces the one of its kind; it counts once it is on disk.
  ///
  /// If the old one has only moved a crank, and the new one is at the wheel, both are kept.
  package mutating func remember(_ sensor: RememberedSensor, at now: Instant) {
    var changed = sensorsToBe
    if sensor.kind == .speed, changed[.cadence] == nil, let old = changed[.speed],
      old.address != sensor.address, host.sensorAddress(.speed) != sensor.address,
      desk.measurements.moved(.speed) == .cadence
    {
      changed.exchangeSpeedAndCadence()
    }
    changed.set(sensor)
    saveSensors(changed, at: now)
  }

  /// Those that are remembered once all is written.
  private var sensorsToBe: RememberedSensors { store.records.newSensors ?? desk.remembered }

  /// Keeps the key that the link was secured with which the last event was about, if it is another one, and
  /// the sensor is remembered.
  mutating func keepKey(at now: Instant) {
    guard let key = host.sensorKey(of: host.sensorTold),
      let sensor = sensorsToBe.sensor(host.sensorTold), sensor.key != key
    else { return }
    remember(sensor.with(key: key), at: now)
  }

  /// Puts a sensor of wheel or crank that is at the other one's place where it belongs, by what has moved.
  ///
  /// It waits for the end of a search, as a sensor that is only offered may be at one of the places.
  mutating func arrangeSensors(at now: Instant) {
    guard host.sensorSearch == .off, store.records.newSensors == nil,
      upkeep.isOpen(.store) || board.pairing == .off, let changed = desk.takeArrangement()
    else { return }
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
    guard upkeep.isOpen(.store) else {
      tellWhyStoreIsClosed(at: now)
      return sensorsWereNotKept(at: now)
    }
    store.keep(changed)
    advanceSensors(at: now)
  }

  /// Has a change of the sensors written once nothing else is to be written, or adopts it.
  mutating func advanceSensors(at now: Instant) {
    guard store.isIdle, store.records.newSensors != nil else { return }
    if let changed = store.takeSensorsIfWritten() {
      sensorsWereKept(changed, at: now)
    } else {
      store.save(isDim: display.output.power.isDimByHand, besideBondOf: host)
    }
  }

  /// Takes the sensors of the store, if any are to be used.
  mutating func restoreSensors(at now: Instant) {
    guard board.sensors == .learned else { return }
    desk.restore(store.records.sensors)
    followSensors(at: now)
    // The current was lost between the two writes that forget a key.
    guard store.records.hasOldSensorKey else { return }
    store.keep(desk.remembered)
    advanceSensors(at: now)
  }

  /// These sensors are remembered from now on.
  private mutating func sensorsWereKept(_ kept: RememberedSensors, at now: Instant) {
    for kind in SensorKind.all {
      let (old, new) = (desk.remembered[kind], kept[kind])
      guard old != new else { continue }
      if let old, kept.sensor(old.address) == nil { log.sensor(old, .forgotten, at: now) }
      guard let new else { continue }
      log.sensor(new, .remembered, at: now)
      // What is only known better, its kind or its key, is nothing that the rider has done.
      guard desk.remembered.sensor(new.address) == nil else { continue }
      scene.show(.sensorSaved(kind), isAsked: true, at: now)
    }
    let wasAny = !desk.remembered.isEmpty
    let (rival, offered) = (rivalAddress, host.sensorCandidate)
    desk.keep(kept, rival: rival, offered: offered)
    followSensors(at: now)
    if wasAny, kept.isEmpty { scene.show(.sensorsForgotten, isAsked: true, at: now) }
  }

  /// The sensor that the search offers while the remembered one of its kind is linked.
  private var rivalAddress: DeviceAddress? {
    guard case .offering(let kind) = host.sensorSearch, host.isSensorLinked(kind)
    else { return nil }
    return host.sensorAddress(kind)
  }

  /// A change of the sensors could not be saved: those of before are still remembered.
  mutating func sensorsWereNotKept(at now: Instant) {
    scene.show(.sensorNotSaved(offeredKind), isAsked: true, at: now)
  }

  /// The kind of the sensor that the rider is asked about.
  private var offeredKind: SensorKind? {
    if case .offering(let place) = host.sensorSearch { shownKind(of: place) } else { nil }
  }
}
