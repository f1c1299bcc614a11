/// One JSON value, read by RFC 8259 alone.
struct JSONText {
  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether it is one whole object, in UTF-8, each of whose objects has each key once.
  static func isObject(_ bytes: some Sequence<UInt8>) -> Bool {
    var text = JSONText(Array(bytes))
    guard String(validating: text.bytes, as: UTF8.self) != nil, text.next == "{" else {
      return false
    }
    return text.readValue() && text.index == text.bytes.count
  }

  private var next: Character? {
    index < bytes.count ? Character(UnicodeScalar(bytes[index])) : nil
  }

  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    index += 1
    return true
  }

  private mutating func readValue() -> Bool {
    switch next {
    case "{": return readObject()
    case "[": return readList()
    case "\"": return readString() != nil
    case "t": return read("true")
    case "f": return read("false")
    case "n": return read("null")
    default: return readNumber()
    }
  }

  private mutating func read(_ word: String) -> Bool { word.allSatisfy { take($0) } }

  private mutating func readObject() -> Bool {
    var keys: Set<[UInt8]> = []
    guard take("{") else { return false }
    if take("}") { return true }
    repeat {
      guard let key = readString(), keys.insert(key).inserted, take(":"), readValue() else {
        return false
      }
    } while take(",")
    return take("}")
  }

  private mutating func readList() -> Bool {
    guard take("[") else { return false }
    if take("]") { return true }
    repeat { guard readValue() else { return false } } while take(",")
    return take("]")
  }

  /// A string as it is written.
  private mutating func readString() -> [UInt8]? {
    guard take("\"") else { return nil }
    let start = index
    while let character = next, character != "\"" {
      guard bytes[index] >= 0x20 else { return nil }
      index += 1
      if character == "\\" { guard readEscape() else { return nil } }
    }
    return take("\"") ? Array(bytes[start..<index]) : nil
  }

  private mutating func readEscape() -> Bool {
    guard take("u") else { return "\"\\/bfnrt".contains { take($0) } }
    for _ in 0..<4 {
      guard next?.isHexDigit == true else { return false }
      index += 1
    }
    return true
  }

  private mutating func readNumber() -> Bool {
    _ = take("-")
    guard take("0") || readDigits() else { return false }
    guard take(".") else { return true }
    return readDigits()
  }

  private mutating func readDigits() -> Bool {
    let start = index
    while index < bytes.count, 0x30...0x39 ~= bytes[index] { index += 1 }
    return index > start
  }
}
