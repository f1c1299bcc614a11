import Arena
import Glibc

/// A type as the runtime has it.
///
/// `Mirror` has the fields of what can be copied only. The tables that it reads have the others as well; the names of
/// their types are the names of symbols.
struct Metadata {
  let address: UnsafeRawPointer
  init(_ address: UnsafeRawPointer) { self.address = address }

  enum Kind { case structure, enumeration, object, tuple, builtIn, other }

  var kind: Kind {
    switch address.int(0) {
    case 0: .object
    case 0x200: .structure
    case 0x201, 0x202: .enumeration
    case 0x300: .builtIn
    case 0x301: .tuple
    default: .other
    }
  }

  private var witnesses: UnsafeRawPointer { address.word(-1) }
  var size: Int { witnesses.int(64) }
  var stride: Int { witnesses.int(72) }
  private var descriptor: UnsafeRawPointer { address.word(kind == .object ? 5 : 1) }
  /// Of a structure, an enumeration or a class.
  var name: String { descriptor.relative(8)?.text ?? "" }

  /// The argument of a generic type: a type, or a number.
  func argument(_ index: Int) -> Metadata { Metadata(address.word(2 + index)) }
  func number(_ index: Int) -> Int { address.int(16 + 8 * index) }

  struct Field {
    let name: String
    let offset: Int
    let type: Metadata
  }

  /// The stored values of a structure, a tuple or an object, of those that are wanted.
  func fields(where isWanted: (String) -> Bool = { _ in true }) -> [Field] {
    if kind == .tuple {
      return (0..<address.int(8)).map { index in
        let element = address + 24 + 16 * index
        return Field(name: "\(index)", offset: element.u32(8), type: Metadata(element.word(0)))
      }
    }
    if kind == .object {
      let offsets = address + 8 * descriptor.u32(40)
      return fields(where: isWanted) { offsets.int(8 * $0) }
    }
    let offsets = address + 8 * descriptor.u32(24)
    return fields(where: isWanted) { offsets.u32(4 * $0) }
  }

  private func fields(where isWanted: (String) -> Bool, _ offset: (Int) -> Int) -> [Field] {
    (0..<recordCount).filter { isWanted(recordName($0)) }.map { index in
      Field(name: recordName(index), offset: offset(index), type: recordType(index))
    }
  }

  /// The payloads of the cases that have one, by their tags.
  var payloads: [Metadata] { (0..<descriptor.u32(20) & 0xFF_FFFF).map { recordType($0) } }

  /// The case of a value in memory, and where its payload lies in a copy of it.
  func tag(of value: UnsafeRawPointer) -> Int {
    typealias Tag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    return Int(unsafeBitCast(witnesses.word(11), to: Tag.self)(value, address))
  }

  /// Leaves the payload alone in a copy of a value.
  func project(_ copy: UnsafeMutableRawPointer) {
    typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    unsafeBitCast(witnesses.word(12), to: Project.self)(copy, address)
  }

  // MARK: - Tables

  private var recordCount: Int { descriptor.relative(16)?.u32(12) ?? 0 }

  private func record(_ index: Int) -> UnsafeRawPointer {
    guard let table = descriptor.relative(16) else { fatal("\(name) has no fields") }
    return table + 16 + index * table.u16(10)
  }

  /// The name of a stored value or a case.
  private func recordName(_ index: Int) -> String { record(index).relative(8)?.text ?? "" }

  private func recordType(_ index: Int) -> Metadata {
    guard let mangled = record(index).relative(4) else {
      fatal("\(name).\(recordName(index)) has no type")
    }
    let type =
      mangled.load(as: UInt8.self) == 9
      ? ofSymbol(at: mangled)
      : arena_type(mangled, UInt64(mangled.mangledLength), descriptor, arguments)
    guard let type else { fatal("the type of \(name).\(recordName(index)) is not found") }
    return Metadata(type)
  }

  private var arguments: UnsafeRawPointer { address + 16 }

  /// A type that cannot be copied is known by a function, and that by its symbol.
  private func ofSymbol(at entry: UnsafeRawPointer) -> UnsafeRawPointer? {
    let words = String(cString: arena_symbol(entry)).split(separator: " ")
    guard words.count > 1, words[0] == "get_type_metadata" else { return nil }
    var name = words[1]
    // In front is the signature of what has the field; references in the rest count its words.
    for signature in ["3SMP6CryptoRzl", "SiRVzSiRV_SiRV0_r1_l", "SiRVzSiRV_r0_l", "SiRVzl"]
    where name.hasPrefix(signature) {
      name = name.dropFirst(signature.count)
      guard signature.hasPrefix("3SMP") else { break }
      // A back reference to a module or a word is one less without it.
      name = name.replacing("ACV", with: "AAV").replacing("Links0C4", with: "Links0A4")
      break
    }
    return type(name)
  }

  /// A type by its mangled name, whose arguments are numbers, types, or those of this type.
  private func type(_ name: Substring) -> UnsafeRawPointer? {
    if name.hasSuffix("Sg") { return type(name.dropLast(2)).flatMap { accessed("Sq", [$0]) } }
    guard let start = name.firstRange(of: "Vy"), name.hasSuffix("G") else {
      return accessed(name, [])
    }
    let base = name[...start.lowerBound]
    var rest = name[start.upperBound...].dropLast()
    var arguments: [UnsafeRawPointer?] = []
    while !rest.isEmpty {
      if rest.hasPrefix("$"), let end = rest.firstIndex(of: "_"),
        let number = Int(rest.dropFirst().prefix(upTo: end))
      {
        arguments.append(UnsafeRawPointer(bitPattern: number + 1))
        rest = rest[rest.index(after: end)...]
      } else if let place = ["x", "q_", "q0_"].firstIndex(where: { rest.hasPrefix($0) }) {
        arguments.append(self.arguments.word(place))
        // The witness of a protocol comes behind the type.
        if base.hasSuffix("HostV") { arguments.append(self.arguments.word(1)) }
        rest = rest.dropFirst(["x", "q_", "q0_"][place].count)
      } else {
        guard let inner = type(rest.replacing("ACV", with: "AAV")) else { return nil }
        arguments.append(inner)
        rest = ""
      }
    }
    return accessed(base, arguments)
  }

  /// What the accessor of a type returns.
  private func accessed(_ name: Substring, _ arguments: [UnsafeRawPointer?]) -> UnsafeRawPointer? {
    guard let accessor = arena_address("$s" + name + "Ma") else { return nil }
    let all = arguments + [nil, nil, nil]
    return arena_accessed(accessor, all[0], all[1], all[2])
  }
}

func fatal(_ words: String) -> Never {
  say("error: \(words)")
  exit(2)
}

extension UnsafeRawPointer {
  fileprivate func word(_ index: Int) -> UnsafeRawPointer {
    load(fromByteOffset: 8 * index, as: UnsafeRawPointer.self)
  }
  fileprivate func int(_ offset: Int) -> Int { load(fromByteOffset: offset, as: Int.self) }
  fileprivate func u32(_ offset: Int) -> Int { Int(load(fromByteOffset: offset, as: UInt32.self)) }
  fileprivate func u16(_ offset: Int) -> Int { Int(load(fromByteOffset: offset, as: UInt16.self)) }
  /// What a relative pointer points to, if it is not null.
  fileprivate func relative(_ offset: Int) -> UnsafeRawPointer? {
    let distance = Int(load(fromByteOffset: offset, as: Int32.self))
    return distance == 0 ? nil : self + offset + distance
  }
  fileprivate var text: String { String(cString: assumingMemoryBound(to: CChar.self)) }
  /// The length of a mangled name, in which references are numbers.
  fileprivate var mangledLength: Int {
    var end = 0
    while true {
      switch load(fromByteOffset: end, as: UInt8.self) {
      case 0: return end
      case 1...0x17: end += 5
      case 0x18...0x1F: end += 9
      default: end += 1
      }
    }
  }
}
