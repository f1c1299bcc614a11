import Bytes
import Foundation
import Linux
import TestSupport

/// The other end of a stream, as the C library alone has it: blocking, and closed when let go.
final class Peer {
  private(set) var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { end() }

  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Ends a TCP connection by a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    end()
  }

  func send(_ bytes: [UInt8]) { _ = Glibc.write(descriptor, bytes, bytes.count) }

  /// Waits for exactly so many bytes, or for the end.
  func receive(_ count: Int) -> [UInt8] {
    var received: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while received.count < count {
      let taken = Glibc.read(descriptor, &part, min(part.count, count - received.count))
      if taken <= 0 { break }
      received += part.prefix(taken)
    }
    return received
  }
}

/// Gives a call the address of a path, or of an abstract name, which begins with @.
@discardableResult
func withAddress<Result>(
  _ name: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) {
    $0.copyBytes(from: Array(name.utf8))
    if name.hasPrefix("@") { $0[0] = 0 }
  }
  let size = MemoryLayout<sa_family_t>.size + name.utf8.count
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(size)) }
  }
}

/// A listening socket of the loopback interface or of the file system.
final class Listener {
  private let descriptor: Int32
  private(set) var port: UInt16 = 0

  /// One that does not listen keeps its port closed, and from others.
  init(isListening: Bool = true) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size)
        if isListening { listen(descriptor, 4) }
        getsockname(descriptor, $0, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
  }

  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    withAddress(path) { bind(descriptor, $0, $1) }
    listen(descriptor, 4)
  }

  deinit { close(descriptor) }

  func accept() -> Peer { Peer(Glibc.accept(descriptor, nil, nil)) }
}

/// Waits until the stream is ready; five seconds are for ever here.
func wait(for descriptor: Descriptor, _ interest: Interest = .read) {
  var poller = Poller()
  poller.add(descriptor, interest)
  poller.wait(until: Clock.now + 5_000, now: Clock.now)
}

/// Everything that comes until `count` bytes are there or the stream ends.
func receive(_ count: Int, from stream: borrowing HCITransport) throws(Errno) -> [UInt8] {
  var received: [UInt8] = []
  var buffer = FixedBuffer<256>()
  while received.count < count {
    if try stream.receive(into: &buffer) {
      received += array(buffer.bytes)
    } else {
      wait(for: stream.descriptor)
    }
  }
  return received
}

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
