package import ATT
package import Bytes
import PhoneServices

/// Reads a value to its end.
///
/// Core Specification, Vol 3, Part G, 4.8.3.
///
/// A value of more than one part can change between its parts, so its first
/// part is read once more and must be the same; else all is read again.
package struct LongRead: ~Copyable {
  package enum Step: Equatable {
    case idle
    case first
    case more
    case check
  }

  package enum Progress: Equatable {
    /// Ask `request` next.
    case unfinished
    /// The value is whole.
    case whole
    /// The value kept changing; the next reading will do better.
    case abandoned
  }

  /// The longest attribute value.
  ///
  /// Core Specification, Vol 3, Part F, 3.2.9.
  private static var maxValue: Int { 512 }
  private static var maxAttempts: Int { 3 }

  package private(set) var value = FixedBuffer<512>()
  package private(set) var step = Step.idle
  /// Whether `value` is the beginning of one that is being read.
  var isBetweenParts: Bool { step == .more || step == .check }
  private var attempts = 0
  private var firstCount = 0

  /// Nothing is being read.
  package init() {}

  /// What to ask next of the attribute `handle`, or `nil` when nothing is being read.
  package func request(handle: UInt16) -> Request? {
    switch step {
    case .idle: nil
    case .first, .check: .read(handle: handle)
    case .more: .readBlob(handle: handle, offset: UInt16(value.count))
    }
  }

  package mutating func begin() {
    step = .first
    attempts = 0
  }

  /// Gives up, keeping the value as far as it came.
  package mutating func cancel() { step = .idle }

  /// Keeps a value that came without being read.
  package mutating func assign(_ bytes: Span<UInt8>) { value.assign(bytes) }

  /// Takes the answer to `request`; `partCount` is the most that one answer can carry.
  package mutating func receive(_ part: Span<UInt8>, partCount: Int) -> Progress {
    switch step {
    case .idle: return .unfinished
    case .first: return receiveFirst(part, partCount: partCount)
    case .more: return receiveMore(part, partCount: partCount)
    case .check:
      if isEqual(part, value.bytes.extracting(first: firstCount)) { return finish() }
      attempts += 1
      guard attempts < Self.maxAttempts else {
        step = .idle
        return .abandoned
      }
      return receiveFirst(part, partCount: partCount)
    }
  }

  /// Takes a refusal to read on: the value ends where it ended.
  package mutating func receiveEnd() -> Progress { value.count == firstCount ? finish() : check() }

  private mutating func receiveFirst(_ part: Span<UInt8>, partCount: Int) -> Progress {
    value.assign(part)
    firstCount = value.count
    let isFull = part.count >= partCount && value.count < Self.maxValue
    guard isFull || Instruction.mayBeCutByApp(part.count) else { return finish() }
    step = .more
    return .unfinished
  }

  private mutating func receiveMore(_ part: Span<UInt8>, partCount: Int) -> Progress {
    value.append(part.extracting(first: min(part.count, value.free)))
    guard part.count < partCount || value.free == 0 else { return .unfinished }
    return receiveEnd()
  }

  private mutating func check() -> Progress {
    step = .check
    return .unfinished
  }

  private mutating func finish() -> Progress {
    step = .idle
    return .whole
  }
}
