import Foundation

/// The calls by which a file gets onto the disk, as this thread makes them.
///
/// The functions below take the places of those of the C library in the whole test program, and
/// do what those do; so the firmware's code is watched as it is.
final class DiskCalls: @unchecked Sendable {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var watched: [pthread_t: DiskCalls] = [:]

  /// What was called, such as `write bond 512+512` and `sync bond`, the files by their names.
  private(set) var log: [String] = []
  /// What the coming calls of a name fail with.
  var failures: [String: Int32] = [:]
  /// A write takes no more than this.
  var largestWrite = Int.max
  /// Files look like block devices.
  var showsDevices = false

  /// Watches this thread while `body` runs.
  static func watch<Result>(_ body: (DiskCalls) throws -> Result) rethrows -> Result {
    let calls = DiskCalls()
    lock.withLock { watched[pthread_self()] = calls }
    defer { _ = lock.withLock { watched.removeValue(forKey: pthread_self()) } }
    return try body(calls)
  }

  /// The log since the last time.
  func take() -> [String] {
    defer { log = [] }
    return log
  }

  fileprivate static var ofThisThread: DiskCalls? { lock.withLock { watched[pthread_self()] } }

  /// Notes a call, and whether it may go on.
  fileprivate func note(_ call: String, _ file: Int32, _ rest: String = "") -> Bool {
    var name = [CChar](repeating: 0, count: 1024)
    let count = readlink("/proc/self/fd/\(file)", &name, name.count)
    let path = String(
      decoding: name.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    log.append("\(call) \((path as NSString).lastPathComponent)\(rest)")
    guard let failure = failures[call] else { return true }
    errno = failure
    return false
  }
}

/// The function of the C library whose place one of these takes.
private func original<Function>(_ name: String, as type: Function.Type) -> Function {
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  guard let function = dlsym(next, name) else { preconditionFailure("no \(name)") }
  return unsafeBitCast(function, to: type)
}

private typealias SyncFunction = @convention(c) (Int32) -> Int32
private let originalSync = original("fsync", as: SyncFunction.self)
private let originalDataSync = original("fdatasync", as: SyncFunction.self)
private let originalWrite = original(
  "pwrite", as: (@convention(c) (Int32, UnsafeRawPointer, Int, Int) -> Int).self)
private let originalMode = original(
  "fchmod", as: (@convention(c) (Int32, mode_t) -> Int32).self)

@_cdecl("fsync") func watchedSync(_ file: Int32) -> Int32 {
  guard DiskCalls.ofThisThread?.note("sync", file) ?? true else { return -1 }
  return originalSync(file)
}

@_cdecl("fdatasync") func watchedDataSync(_ file: Int32) -> Int32 {
  guard DiskCalls.ofThisThread?.note("syncData", file) ?? true else { return -1 }
  return originalDataSync(file)
}

@_cdecl("pwrite") func watchedWrite(
  _ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ offset: Int
) -> Int {
  let calls = DiskCalls.ofThisThread
  let count = min(count, calls?.largestWrite ?? count)
  guard calls?.note("write", file, " \(offset)+\(count)") ?? true else { return -1 }
  return originalWrite(file, bytes, count, offset)
}

@_cdecl("fchmod") func watchedMode(_ file: Int32, _ mode: mode_t) -> Int32 {
  guard DiskCalls.ofThisThread?.note("mode", file, " \(String(mode, radix: 8))") ?? true else {
    return -1
  }
  return originalMode(file, mode)
}

@_cdecl("fstat") func watchedStatus(_ file: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
  let result = fstatat(file, "", status, 0x1000)  // AT_EMPTY_PATH
  if DiskCalls.ofThisThread?.showsDevices ?? false {
    status.pointee.st_mode = status.pointee.st_mode & ~S_IFMT | S_IFBLK
  }
  return result
}
