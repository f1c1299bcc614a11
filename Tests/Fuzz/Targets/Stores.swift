import Bond
import Bytes
import Sensors

/// A store with any bytes in it, which is written to, and whose writing ends at any byte.
func runStore(_ feed: inout Feed) {
  var disk = [UInt8](repeating: 0, count: BondStore.size)
  var known: [UInt8]?
  while !feed.isEmpty {
    switch feed.u8() % 4 {
    case 0:
      known = save(name: feed.take(Int(feed.u8() % 40)), at: feed.u8(), &disk, known, cut: nil)
    case 1:
      known = save(
        name: feed.take(Int(feed.u8() % 40)), at: feed.u8(), &disk, known, cut: Int(feed.u16()))
    case 2:
      disk[Int(feed.u16()) % disk.count] ^= feed.u8()
      known = nil
      read(disk)
    default:
      let piece = feed.take(Int(feed.u16() % 1025))
      disk.replaceSubrange(0..<piece.count, with: piece)
      known = nil
      read(disk)
    }
  }
}

/// Saves a bond, a wheel and perhaps a sensor, or loses the current after so many bytes; what is on the disk then,
/// if that is known.
private func save(
  name: [UInt8], at number: UInt8, _ disk: inout [UInt8], _ old: [UInt8]?, cut: Int?
) -> [UInt8]? {
  let (isDim, wasDim) = (number >= 128, BondStore(disk.span).isDim)
  guard
    let bond = Bond(
      address: DeviceAddress(0xC000_0000_0000 | UInt64(number), .random), name: name.span)
  else { finding("a bond without keys cannot be made") }
  let (oldSensors, oldWheel) = (BondStore(disk.span).sensors, BondStore(disk.span).circumference)
  let sensors = changed(oldSensors, by: number, name)
  var store = BondStore(disk.span)
  store.newSensors = sensors
  let wheel = 2_000 + UInt16(number)
  store.newCircumference = wheel
  store.save(bond, isDim: isDim)
  var left = cut ?? .max
  while !store.output.isEmpty, left > 0 {
    let (offset, count) = (store.outputOffset, min(left, store.output.count))
    for index in 0..<count { disk[offset + index] = store.output[index] }
    if count == store.output.count { store.outputWasWritten() }
    left -= count
  }
  reach(cut == nil ? "saved" : "cut")
  let found = nameOnDisk(disk)
  let new = Array(name.prefix(found?.count ?? 0))
  if cut == nil, found == nil { finding("a bond that was saved is not found") }
  if let found, let old, found != old, found != new { finding("neither the old nor the new bond") }
  if old != nil, found == nil { finding("a power cut left no bond") }
  let foundSensors = BondStore(disk.span).sensors
  if cut == nil
    ? foundSensors != sensors
    : old != nil && foundSensors != sensors && foundSensors != oldSensors
  {
    finding("neither the old nor the new sensors")
  }
  let foundWheel = BondStore(disk.span).circumference
  if cut == nil
    ? foundWheel != wheel : old != nil && foundWheel != wheel && foundWheel != oldWheel
  {
    finding("neither the old nor the new wheel")
  }
  let kept = BondStore(disk.span).isDim
  if cut == nil ? kept != isDim : old != nil && kept != isDim && kept != wasDim {
    finding("neither the old nor the new brightness")
  }
  return found
}

/// The sensors with another one, if the number says so.
private func changed(
  _ sensors: RememberedSensors, by number: UInt8, _ name: [UInt8]
) -> RememberedSensors {
  var sensors = sensors
  let address = DeviceAddress(0xC000_0000_0000 | UInt64(number), .random)
  if number & 64 != 0, let kind = SensorKind(rawValue: number & 3),
    let sensor = RememberedSensor(kind, address: address, name: name.span)
  {
    sensors.set(sensor)
  }
  return sensors
}

private func nameOnDisk(_ disk: [UInt8]) -> [UInt8]? {
  let store = BondStore(disk.span)
  switch store.bond(in: disk.span) {
  case .some(let bond):
    var name: [UInt8] = []
    for index in 0..<bond.name.count { name.append(bond.name[index]) }
    return name
  case .none: return nil
  }
}

/// Whatever is on the disk, it is read without harm, and the words for it are whole.
private func read(_ disk: [UInt8]) {
  let store = BondStore(disk.span)
  reach("\(store.condition)")
  _ = nameOnDisk(disk)
  if !store.sensors.isEmpty { reach("sensors") }
  if store.circumference != 0 { reach("wheel") }
}
