package import ATT
package import Bytes

/// Reads a value to its end.
///
/// Core Specification, Vol 3, Part G, 4.8.3.
///
/// A phone takes every part from its newest value, so the parts of a value that changes meanwhile do not belong
/// together. Its first part is therefore read once more and must be the same, and nothing else may be notified on the
/// way; else all is read again. A value that has changed three times is shown as far as its first part goes.
package struct LongRead: ~Copyable {
  package enum Step: Equatable {
    case idle
    case first
    case more
    case check
    /// The value has changed: the answer to come does not count, and all is read again.
    case outdated
  }

  package enum Progress: Equatable {
    /// Ask `request` next.
    case unfinished
    /// The value is whole, or `isCut`.
    case whole
  }

  /// The longest attribute value.
  ///
  /// Core Specification, Vol 3, Part F, 3.2.9.
  private static var maxValue: Int { 512 }
  /// How often a value may change while it is read to its end.
  private static var maxChanges: Int { 3 }

  package private(set) var value = FixedBuffer<512>()
  package private(set) var step = Step.idle
  /// Whether `value` is the first part of a value that kept changing.
  package private(set) var isCut = false
  private var changes = 0
  private var firstCount = 0

  /// Nothing is being read.
  package init() {}

  /// What to ask next of the attribute `handle`, or `nil` when nothing is being read.
  package func request(handle: UInt16) -> Request? {
    switch step {
    case .idle: nil
    case .first, .check, .outdated: .read(handle: handle)
    case .more: .readBlob(handle: handle, offset: UInt16(value.count))
    }
  }

  package mutating func begin() {
    step = .first
    changes = 0
  }

  /// Gives up, keeping the value as far as it came.
  package mutating func cancel() { step = .idle }

  /// Keeps a value that came without being read.
  package mutating func assign(_ bytes: Span<UInt8>) {
    value.assign(bytes)
    isCut = false
  }

  /// Receives a notification of the value that is being read; if its first `identifierCount` bytes differ, all is read
  /// again.
  package mutating func notified(_ bytes: Span<UInt8>, identifierCount: Int) {
    guard step == .more || step == .check else { return }
    let identifier = value.bytes.extracting(first: identifierCount)
    guard !isEqual(bytes.extracting(first: identifierCount), identifier) else { return }
    changes += 1
    step = .outdated
  }

  /// Receives the answer to `request`; `partCount` is the most that one answer can carry.
  package mutating func receive(_ part: Span<UInt8>, partCount: Int) -> Progress {
    switch step {
    case .idle: return .unfinished
    case .first: return receiveFirst(part, partCount: partCount)
    case .more: return receiveMore(part, partCount: partCount)
    case .check:
      if isEqual(part, value.bytes.extracting(first: firstCount)) { return finish() }
      changes += 1
      return receiveFirst(part, partCount: partCount)
    case .outdated: return goOn(to: .first)
    }
  }

  /// Receives a refusal; returns whether the reading goes on.
  ///
  /// The refusal of a later part is the value's end: Vol 3, Part F, 3.4.4.5. The value may have become shorter, too.
  package mutating func receiveRefusal() -> Bool {
    switch step {
    case .more: step = .check
    case .outdated: step = .first
    case .idle, .first, .check: return false
    }
    return true
  }

  private mutating func receiveFirst(_ part: Span<UInt8>, partCount: Int) -> Progress {
    assign(part)
    firstCount = value.count
    let isFull = part.count >= partCount && value.count < Self.maxValue
    guard isFull || SmallestMTU.mayHaveCut(part.count) else { return finish() }
    guard changes < Self.maxChanges else {
      value.assign(part.extracting(first: wholeEnd(of: part)))
      isCut = true
      return finish()
    }
    return goOn(to: .more)
  }

  private mutating func receiveMore(_ part: Span<UInt8>, partCount: Int) -> Progress {
    value.append(part.extracting(first: min(part.count, value.free)))
    return goOn(to: part.count < partCount || value.free == 0 ? .check : .more)
  }

  private mutating func goOn(to step: Step) -> Progress {
    self.step = step
    return .unfinished
  }

  private mutating func finish() -> Progress {
    step = .idle
    return .whole
  }
}
