import Bond
import Bytes
import Host
import Linux

/// The bond on disk, reopened for as long as that fails.
struct BondKeeper: ~Copyable {
  /// What is wrong with the store.
  enum Failure: Error, Equatable {
    case errno(Errno)
    /// Both records were damaged; the file was kept aside.
    case damaged
    /// It is another program's; it was kept aside, or is a device and was left alone.
    case foreign
    /// Others can read it.
    case open
  }

  private static var retryTime: Int64 { 1_000 }

  private var file: BondFile?
  private var store: BondStore
  private var bond: Bond?
  private var lastFailure: Failure?
  private var warning: Failure?
  /// When to open it; `nil` while it is open, or if nobody is ever remembered.
  private(set) var deadline: Instant?

  /// A keeper that opens its store at this moment, or never.
  init(opening now: Instant?) {
    deadline = now
    store = Self.emptyStore
  }

  private static var emptyStore: BondStore {
    let nothing = FixedBuffer<1>()
    return BondStore(nothing.bytes)
  }

  /// Opens the store if it is time to; returns whether it is open since just now.
  ///
  /// Throws once for each new reason.
  mutating func open(_ path: Span<UInt8>, at now: Instant) throws(Failure) -> Bool {
    guard let due = deadline, now >= due else { return false }
    do throws(Failure) {
      try load(path)
    } catch {
      close(at: now)
      guard lastFailure != error else { return false }
      lastFailure = error
      throw error
    }
    deadline = nil
    lastFailure = nil
    return true
  }

  /// What was wrong with a store that is open all the same; told once.
  mutating func takeWarning() -> Failure? {
    defer { warning = nil }
    return warning
  }

  /// The bond that was found there.
  mutating func takeBond() -> Bond? { bond.take() }

  /// Writes a bond; it is on disk when this returns.
  mutating func save(_ bond: borrowing Bond, at now: Instant) throws(Failure) {
    guard file != nil else { throw lastFailure ?? .errno(.noSuchFile) }
    store.save(bond)
    try flush(at: now)
  }

  /// Overwrites what there is; all of it is gone from the disk when this returns.
  mutating func erase(at now: Instant) throws(Failure) {
    guard file != nil else { throw lastFailure ?? .errno(.noSuchFile) }
    store.erase()
    try flush(at: now)
  }

  private mutating func load(_ path: Span<UInt8>) throws(Failure) {
    do throws(Errno) {
      var opened = try BondFile(path: path, size: BondStore.size)
      var bytes = FixedBuffer<1024>()
      try opened.read(into: &bytes)
      var found = BondStore(bytes.bytes)
      var told: Failure? = opened.protection == .open ? .open : nil
      if try isForeign(found, opened) {
        bytes.wipe()
        throw .fileExists
      }
      switch found.condition {
      case .sound, .oneRecordDamaged: bond = found.bond(in: bytes.bytes)
      case .damaged, .foreign:
        told = found.condition == .foreign ? .foreign : .damaged
        if !opened.isDevice {
          try opened.setAside()
          found = Self.emptyStore
        }
      }
      bytes.wipe()
      file = consume opened
      store = consume found
      try writeOutput()
      warning = told
    } catch {
      throw .errno(error)
    }
  }

  private mutating func flush(at now: Instant) throws(Failure) {
    do throws(Errno) {
      try writeOutput()
    } catch {
      close(at: now)
      lastFailure = .errno(error)
      throw .errno(error)
    }
  }

  private mutating func writeOutput() throws(Errno) {
    while !store.output.isEmpty {
      try file?.write(store.output, at: store.outputOffset)
      store.outputWasWritten()
    }
  }

  private mutating func close(at now: Instant) {
    bond.wipe()
    file = nil
    store = Self.emptyStore
    deadline = now + Self.retryTime
  }
}

/// Whether what is on a device is somebody else's: that cannot be set aside, as a file can.
///
/// A power cut may leave any bytes in one of our records and behind it, so that the other one decides.
func isForeign(
  _ store: borrowing BondStore, _ file: borrowing BondFile
) throws(Errno) -> Bool {
  guard file.isDevice else { return false }
  if store.condition == .sound, store.content == .nothing { return try !file.isFree() }
  return store.condition == .foreign
}
