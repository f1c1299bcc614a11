import Glibc

/// All that a device has given out in a run, as one number.
///
/// With `LENKER_TRACE=FILE` in the environment each world appends a line to that file when it ends: the number,
/// and how much there was of each kind. `Tests/compare` compares those of two versions.
final class Trace {
  enum Kind: Int, CaseIterable {
    case packet, message, event, store, line, report
  }

  private static let path = getenv("LENKER_TRACE").map { String(cString: $0) }

  private let path: String
  /// FNV-1a of 64 bits.
  private var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private var counts = [Int](repeating: 0, count: Kind.allCases.count)

  private init(_ path: String) { self.path = path }

  /// A trace for one world, if anybody wants them.
  static func ifWanted() -> Trace? { path.map(Trace.init) }

  func add(_ kind: Kind, _ bytes: some Sequence<UInt8>, at milliseconds: Int64) {
    counts[kind.rawValue] += 1
    add(UInt8(kind.rawValue))
    withUnsafeBytes(of: milliseconds.littleEndian) { for byte in $0 { add(byte) } }
    for byte in bytes { add(byte) }
  }

  private func add(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  deinit {
    let kinds = zip(Kind.allCases, counts).map { "\($0) \($1)" }.joined(separator: " ")
    // One write for each line, as the worlds of other threads write there, too.
    let line = Array("\(String(digest, radix: 16)) \(kinds)\n".utf8)
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    _ = write(file, line, line.count)
    close(file)
  }
}
