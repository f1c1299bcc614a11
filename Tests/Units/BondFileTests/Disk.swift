import BondFile
import Bytes
import PlainBonds
import Sensors
import TestSupport

/// A file on a disk whose power can be cut.
struct Disk: Equatable {
  var bytes: [UInt8] = []

  /// What a start finds there.
  enum Finding: Equatable {
    case nothing, erased
    case bond(PlainBond)
  }

  /// All that a start finds there.
  struct Contents: Equatable {
    var finding = Finding.nothing
    var isDim = false
    var circumference: UInt16 = 0
    var told = ToldVersion.none
    var apps = SeenApps()
    var sensors = RememberedSensors()
  }

  var contents: Contents {
    let store = BondStore(bytes.span)
    var contents = Contents(
      isDim: store.isDim, circumference: store.circumference, told: store.told,
      apps: store.apps, sensors: store.sensors)
    switch store.bond(in: bytes.span) {
    case .some(let bond): contents.finding = .bond(PlainBond(bond))
    case .none: contents.finding = store.content == .erased ? .erased : .nothing
    }
    return contents
  }

  var finding: Finding { contents.finding }

  /// The brightness that a start finds there.
  var isDim: Bool { contents.isDim }

  /// The wheel's circumference that a start finds there; 0 for none.
  var circumference: UInt16 { contents.circumference }

  /// The sensors that a start finds there.
  var sensors: RememberedSensors { contents.sensors }

  var condition: BondStore.Condition {
    let store = BondStore(bytes.span)
    return store.condition
  }

  /// The first `count` bytes of a write reach the disk.
  func written(_ write: Write, upTo count: Int) -> Disk {
    var disk = self
    let end = write.offset + count
    if count > 0, disk.bytes.count < end {
      disk.bytes += [UInt8](repeating: 0, count: end - disk.bytes.count)
    }
    for index in 0..<count { disk.bytes[write.offset + index] = write.bytes[index] }
    return disk
  }

  /// Does all that the store wants written, and returns each write with the disk before it.
  @discardableResult
  mutating func finish(_ store: inout BondStore) -> [(before: Disk, write: Write)] {
    var steps: [(before: Disk, write: Write)] = []
    while !store.output.isEmpty {
      let write = Write(offset: store.outputOffset, bytes: array(store.output))
      steps.append((self, write))
      self = written(write, upTo: write.bytes.count)
      store.outputWasWritten()
    }
    return steps
  }

  /// A start, one change and its writes.
  @discardableResult
  mutating func change(_ change: Change) throws -> [(before: Disk, write: Write)] {
    var store = BondStore(bytes.span)
    try change.begin(&store, on: self)
    return finish(&store)
  }

  /// Whether the 16 bytes of a key are anywhere.
  func holds(_ key: [UInt8]?) -> Bool {
    guard let key, bytes.count >= key.count else { return false }
    return (0...bytes.count - key.count).contains { bytes[$0..<$0 + key.count].elementsEqual(key) }
  }
}

extension Disk {
  /// One after these changes, each with a start of its own.
  init(after changes: Change...) throws { for change in changes { try self.change(change) } }
}

struct Write: Equatable {
  var offset: Int
  var bytes: [UInt8]
}

enum Change: Equatable, Sendable {
  case save(UInt8), erase
  /// The brightness alone, beside what there is.
  case dim, brighten
  /// The wheel's circumference alone, beside what there is.
  case wheel(UInt16)
  /// The rider was told of this version.
  case told(String)
  /// An app has notified.
  case notified(String)
  /// The sensors alone, beside what there is.
  case remember(SensorKind, UInt8 = 1)
  case forgetSensors

  func begin(_ store: inout BondStore, on disk: Disk) throws {
    switch self {
    case .save(let number): store.save(try PlainBond(number: number).make(), isDim: store.isDim)
    case .erase: store.erase(isDim: store.isDim)
    case .dim, .brighten: saveBesideBond(in: &store, on: disk, isDim: self == .dim)
    case .wheel(let circumference):
      store.newCircumference = circumference
      saveBesideBond(in: &store, on: disk, isDim: store.isDim)
    case .told(let version):
      store.newTold = ToldVersion(Array(version.utf8).span)
      saveBesideBond(in: &store, on: disk, isDim: store.isDim)
    case .notified(let app):
      var apps = store.apps
      _ = apps.see(Array(app.utf8).span)
      store.newApps = apps
      saveBesideBond(in: &store, on: disk, isDim: store.isDim)
    case .remember(let kind, let number):
      var sensors = store.sensors
      sensors.set(try plainSensor(kind, number))
      store.newSensors = sensors
      saveBesideBond(in: &store, on: disk, isDim: store.isDim)
    case .forgetSensors:
      store.newSensors = RememberedSensors()
      saveBesideBond(in: &store, on: disk, isDim: store.isDim)
    }
  }

  /// What is to be found after it.
  func applied(to old: Disk.Contents) throws -> Disk.Contents {
    var new = old
    if new.finding == .nothing { new.finding = .erased }
    switch self {
    case .save(let number): new.finding = .bond(PlainBond(number: number))
    case .erase: (new.finding, new.apps) = (.erased, SeenApps())
    case .dim, .brighten: new.isDim = self == .dim
    case .wheel(let circumference): new.circumference = circumference
    case .told(let version): new.told = ToldVersion(Array(version.utf8).span)
    case .notified(let app): _ = new.apps.see(Array(app.utf8).span)
    case .remember(let kind, let number): new.sensors.set(try plainSensor(kind, number))
    case .forgetSensors: new.sensors = RememberedSensors()
    }
    return new
  }

  private func saveBesideBond(in store: inout BondStore, on disk: Disk, isDim: Bool) {
    switch store.bond(in: disk.bytes.span) {
    case .some(let bond): store.save(bond, isDim: isDim)
    case .none: store.saveWithoutBond(isDim: isDim)
    }
  }
}
