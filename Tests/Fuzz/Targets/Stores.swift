import Bond
import BondFile
import Bytes
import Sensors

/// A store with any bytes in it, which is written to, and whose writing ends at any byte.
func runStore(_ feed: inout Feed) {
  var disk = [UInt8](repeating: 0, count: BondStore.size)
  while !feed.isEmpty {
    let step = feed.u8()
    switch step % 4 {
    case 0, 1:
      let change = Change(
        isErasure: step >= 0xE0, name: feed.take(Int(feed.u8() % 40)), number: feed.u8())
      write(change, to: &disk, cut: step % 4 == 0 ? nil : Int(feed.u16()))
    case 2:
      disk[Int(feed.u16()) % disk.count] ^= feed.u8()
      read(disk)
    default:
      let piece = feed.take(Int(feed.u16() % 1025))
      disk.replaceSubrange(0..<piece.count, with: piece)
      read(disk)
    }
  }
}

/// A bond, a brightness, a wheel, a version and perhaps a sensor to save, or a phone to forget.
private struct Change {
  var isErasure: Bool
  var name: [UInt8]
  var number: UInt8

  func begin(_ store: inout BondStore) {
    store.newSensors = changed(store.sensors)
    store.newCircumference = 2_000 + UInt16(number)
    store.newTold = told
    store.newApps = apps(store.apps)
    guard !isErasure else { return store.erase(isDim: number >= 128) }
    let address = DeviceAddress(0xC000_0000_0000 | UInt64(number), .random)
    guard let bond = Bond(address: address, name: name.span) else {
      finding("a bond without keys cannot be made")
    }
    store.save(bond, isDim: number >= 128)
  }

  /// What is to be read after it; nothing of it where no phone can be forgotten.
  func expected(after old: Contents) -> Contents {
    Contents(
      name: isErasure ? nil : name, isErased: isErasure, isDim: number >= 128,
      circumference: 2_000 + UInt16(number), told: told,
      apps: isErasure ? SeenApps() : apps(old.apps), sensors: changed(old.sensors))
  }

  /// A version for each number.
  private var told: ToldVersion { ToldVersion(Array("0.\(number).\(name.count)".utf8).span) }

  /// The apps with another one, if the name is one.
  private func apps(_ apps: SeenApps) -> SeenApps {
    var apps = apps
    _ = apps.see(name.span)
    return apps
  }

  /// The sensors with another one, if the number says so.
  private func changed(_ sensors: RememberedSensors) -> RememberedSensors {
    var sensors = sensors
    let address = DeviceAddress(0xC000_0000_0000 | UInt64(number), .random)
    if number & 64 != 0, let kind = SensorKind(rawValue: number & 3),
      let sensor = RememberedSensor(kind, address: address, name: name.span)
    {
      sensors.set(sensor)
    }
    return sensors
  }
}

/// All that is read of a disk.
private struct Contents: Equatable {
  var name: [UInt8]?
  var isErased: Bool
  var isDim: Bool
  var circumference: UInt16
  var told: ToldVersion
  var apps: SeenApps
  var sensors: RememberedSensors
}

extension Contents {
  init(of disk: [UInt8]) {
    let store = BondStore(disk.span)
    (isErased, isDim) = (store.content == .erased, store.isDim)
    (circumference, apps, sensors) = (store.circumference, store.apps, store.sensors)
    told = store.told
    switch store.bond(in: disk.span) {
    case .some(let bond):
      var bytes: [UInt8] = []
      for index in 0..<bond.name.count { bytes.append(bond.name[index]) }
      name = bytes
    case .none: name = nil
    }
  }
}

/// Writes what the change wants written, or loses the current after so many bytes.
private func write(_ change: Change, to disk: inout [UInt8], cut: Int?) {
  let old = Contents(of: disk)
  var store = BondStore(disk.span)
  change.begin(&store)
  let isIdle = store.output.isEmpty
  var left = cut ?? .max
  while !store.output.isEmpty, left > 0 {
    let (offset, count) = (store.outputOffset, min(left, store.output.count))
    for index in 0..<count { disk[offset + index] = store.output[index] }
    if count == store.output.count { store.outputWasWritten() }
    left -= count
  }
  reach(isIdle ? "nothing to erase" : change.isErasure ? "erasure" : "save")
  if cut != nil { reach("cut") }
  let found = Contents(of: disk)
  var new = change.expected(after: old)
  if let name = found.name, !change.isErasure { new.name = Array(change.name.prefix(name.count)) }
  if isIdle {
    if found != old { finding("what was not written changed the store") }
  } else if cut == nil, found != new {
    finding("what was written is not found")
  } else if found != old, found != new {
    finding("neither the old nor the new")
  }
}

/// Whatever is on the disk, it is read without harm, and the words for it are whole.
private func read(_ disk: [UInt8]) {
  let store = BondStore(disk.span)
  reach("\(store.condition)")
  let contents = Contents(of: disk)
  if !contents.sensors.isEmpty { reach("sensors") }
  if contents.circumference != 0 { reach("wheel") }
  if contents.told != .none { reach("version") }
}
