import Bond
import Bytes
import PlainBonds
import TestSupport

/// A file on a disk whose power can be cut.
struct Disk: Equatable {
  var bytes: [UInt8] = []

  /// What a start finds there.
  enum Finding: Equatable {
    case nothing, erased
    case bond(PlainBond)
  }

  var finding: Finding {
    let store = BondStore(bytes.span)
    guard let bond = store.bond(in: bytes.span) else {
      return store.content == .erased ? .erased : .nothing
    }
    return .bond(PlainBond(bond))
  }

  /// The brightness that a start finds there.
  var isDim: Bool {
    let store = BondStore(bytes.span)
    return store.isDim
  }

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

struct Write: Equatable {
  var offset: Int
  var bytes: [UInt8]
}

enum Change: Equatable, Sendable {
  case save(UInt8), erase
  /// The brightness alone, beside what there is.
  case dim, brighten

  func begin(_ store: inout BondStore, on disk: Disk) throws {
    switch self {
    case .save(let number): store.save(try PlainBond(number: number).make(), isDim: store.isDim)
    case .erase: store.erase(isDim: store.isDim)
    case .dim, .brighten:
      guard let bond = store.bond(in: disk.bytes.span) else {
        return store.saveWithoutBond(isDim: self == .dim)
      }
      store.save(bond, isDim: self == .dim)
    }
  }
}
