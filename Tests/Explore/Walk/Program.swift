/// Where the bytes lie that count of a value in memory.
///
/// They are not those between its fields, and not what a `nil` or an emptied list has left behind. All is known once
/// from the type, and nothing of it is counted: a walk reads it a thousand million times.
struct Program {
  struct Step {
    enum Shape {
      case bytes(Int)
      /// A time, which counts from now.
      case instant
      /// The payload of the case that is there.
      case cases(Metadata, UnsafeBufferPointer<Program>)
      /// As many elements as the number at `count` says; a ring begins with that of the number at `first`.
      case list(count: Int, first: Int?, capacity: Int, stride: Int, Program)
      case array(stride: Int, Program)
      case object(Program)
    }

    var shape: Shape
    var offset: Int
    /// The fields on the way to it.
    private let letters: UnsafeBufferPointer<UInt8>

    init(_ shape: Shape, at offset: Int, _ letters: UnsafeBufferPointer<UInt8>) {
      (self.shape, self.offset, self.letters) = (shape, offset, letters)
    }

    var name: String { String(decoding: letters, as: UTF8.self) }
  }

  let steps: UnsafeBufferPointer<Step>
}

/// Makes programs of types.
final class Compiler {
  /// Fields that change nothing that comes out, as `Type.field`.
  private let excluded: Set<String>
  private var steps: [Program.Step] = []

  init(excluded: Set<String>) { self.excluded = excluded }

  /// What counts of a value of that type.
  func program(_ type: Metadata, _ name: String = "") -> Program {
    let outer = steps
    steps = []
    defer { steps = outer }
    add(type, at: 0, name)
    return Program(steps: kept(steps))
  }

  /// What counts of an object of that class, or only these fields.
  func object(_ type: Metadata, _ name: String, only fields: [String]? = nil) -> Program {
    let outer = steps
    steps = []
    defer { steps = outer }
    addFields(type, at: 0, name) { fields?.contains($0) ?? true }
    return Program(steps: kept(steps))
  }

  private func kept<Value>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
    let place = UnsafeMutableBufferPointer<Value>(start: mapped(values.count), count: values.count)
    _ = place.initialize(from: values)
    return UnsafeBufferPointer(place)
  }

  private func add(_ shape: Program.Step.Shape, at offset: Int, _ name: String) {
    if case .bytes(let size) = shape, let last = steps.last, case .bytes(let before) = last.shape,
      last.offset + before == offset
    {
      steps[steps.count - 1].shape = .bytes(before + size)
      return
    }
    steps.append(Program.Step(shape, at: offset, kept(Array(name.utf8))))
  }

  private func add(_ type: Metadata, at offset: Int, _ name: String) {
    switch type.kind {
    case .enumeration: addCases(type, at: offset, name)
    case .tuple: addFields(type, at: offset, name)
    case .structure:
      switch type.name {
      case "Instant": add(.instant, at: offset, name)
      case "InlineArray": addArray(type, at: offset, name)
      case "FixedBuffer": addList(type, at: offset, name, "storage")
      case "Array":
        let element = type.argument(0)
        add(.array(stride: element.stride, program(element, name)), at: offset, name)
      case "String", "Set", "Dictionary": break
      case "ShortBytes": addList(type, at: offset, name, "octets")
      case "FixedList": addList(type, at: offset, name, "elements")
      case "CommandQueue":
        addList(type, at: offset, name, "waiting", first: "first")
        addFields(type, at: offset, name) { !["waiting", "first", "count"].contains($0) }
      default: addFields(type, at: offset, name)
      }
    case .object: add(.object(object(type, name)), at: offset, name)
    case .builtIn: if type.size > 0 { add(.bytes(type.size), at: offset, name) }
    case .other: break
    }
  }

  private func addFields(
    _ type: Metadata, at offset: Int, _ name: String,
    where isWanted: (String) -> Bool = { _ in true }
  ) {
    let owner = type.kind == .tuple ? "" : type.name
    for field in type.fields(where: { isWanted($0) && !excluded.contains("\(owner).\($0)") }) {
      add(field.type, at: offset + field.offset, "\(name).\(field.name)")
    }
  }

  private func addArray(_ type: Metadata, at offset: Int, _ name: String) {
    let element = type.argument(1)
    if element.kind == .builtIn || element.name == "UInt8" {
      return add(.bytes(type.number(0) * element.stride), at: offset, name)
    }
    for index in 0..<type.number(0) {
      add(element, at: offset + index * element.stride, "\(name)[\(index)]")
    }
  }

  private func addCases(_ type: Metadata, at offset: Int, _ name: String) {
    let payloads = type.payloads
    guard !payloads.isEmpty else {
      return type.size > 0 ? add(.bytes(type.size), at: offset, name) : ()
    }
    add(.cases(type, kept(payloads.map { program($0, name) })), at: offset, name)
  }

  private func addList(
    _ type: Metadata, at offset: Int, _ name: String, _ storage: String, first: String? = nil
  ) {
    let fields = Dictionary(uniqueKeysWithValues: type.fields().map { ($0.name, $0) })
    guard let place = fields[storage], let count = fields["count"], place.type.name == "InlineArray"
    else {
      return addFields(type, at: offset, name)
    }
    let element = place.type.argument(1)
    let shape = Program.Step.Shape.list(
      count: count.offset - place.offset,
      first: first.flatMap { fields[$0] }.map { $0.offset - place.offset },
      capacity: place.type.number(0), stride: element.stride, program(element, name))
    add(shape, at: offset + place.offset, name)
  }
}

/// A hash of a state; what is equal in all that counts has the same.
struct Fingerprint {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// The same without how long ago times are, or how far ahead.
  private(set) var timeless: UInt64 = 0x9E37_79B9_7F4A_7C15
  private let now: Int64

  init(at now: Int64) { self.now = now }

  /// Longer than anything that is compared with the past.
  private static let longest: Int64 = 3_600_000

  @inline(__always)
  private static func mixed(_ value: UInt64, _ word: UInt64) -> UInt64 {
    let product = (value ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low &+ 0x1656_67B1_9E37_79F9
  }

  @inline(__always)
  mutating func add(_ word: UInt64) {
    value = Fingerprint.mixed(value, word)
    timeless = Fingerprint.mixed(timeless, word)
  }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { if let start = $0.baseAddress { add(start, bytes.count) } }
  }

  /// A time, which counts from now; 0 and the end of all times stand for none.
  mutating func addTime(_ time: Int64) {
    guard time > 0, time < .max / 2 else { return add(UInt64(bitPattern: time)) }
    value = Fingerprint.mixed(value, UInt64(bitPattern: max(time - now, -Self.longest)))
    timeless = Fingerprint.mixed(timeless, time > now ? 3 : time == now ? 2 : 1)
  }

  mutating func add(_ program: Program, at start: UnsafeRawPointer) {
    for step in program.steps { add(step, at: start) }
  }

  mutating func add(_ step: Program.Step, at start: UnsafeRawPointer) {
    let start = start + step.offset
    switch step.shape {
    case .bytes(let size): add(start, size)
    case .instant: addTime(start.load(as: Int64.self))
    case .cases(let type, let payloads):
      let tag = type.tag(of: start)
      add(UInt64(tag))
      guard tag < payloads.count, payloads[tag].steps.count > 0 else { return }
      withUnsafeTemporaryAllocation(byteCount: type.size, alignment: 16) { copy in
        guard let payload = copy.baseAddress else { return }
        payload.copyMemory(from: start, byteCount: type.size)
        type.project(payload)
        add(payloads[tag], at: payload)
      }
    case .array(let stride, let element):
      let array = start.load(as: UnsafeRawPointer.self)
      let count = array.load(fromByteOffset: 16, as: Int.self)
      add(UInt64(count))
      for index in 0..<count { add(element, at: array + 32 + index * stride) }
    case .object(let object): add(object, at: start.load(as: UnsafeRawPointer.self))
    case .list(let countOffset, let firstOffset, let capacity, let stride, let element):
      let count = start.load(fromByteOffset: countOffset, as: Int.self)
      add(UInt64(bitPattern: Int64(count)))
      if firstOffset == nil, element.steps.count == 1, case .bytes(stride) = element.steps[0].shape
      {
        return add(start, count * stride)
      }
      let first = firstOffset.map { start.load(fromByteOffset: $0, as: Int.self) } ?? 0
      for index in 0..<count { add(element, at: start + (first + index) % capacity * stride) }
    }
  }

  /// Bytes, in two rows that do not wait for each other.
  private mutating func add(_ start: UnsafeRawPointer, _ count: Int) {
    var (even, odd) = (UInt64(count), UInt64(1))
    var index = 0
    while index + 16 <= count {
      even = Fingerprint.mixed(even, start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      odd = Fingerprint.mixed(odd, start.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
      index += 16
    }
    if index + 8 <= count {
      even = Fingerprint.mixed(even, start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < count {
      even = even << 8 | even >> 56
      even ^= UInt64(start.load(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
    add(even)
    if count >= 16 { add(odd) }
  }
}
