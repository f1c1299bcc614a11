import Foundation

/// Reads the Unicode Character Database into tables of the characters' properties.
///
/// Unicode Standard Annex #44; the files are those of Debian's package `unicode-data`.
struct CharacterDatabase {
  /// Bidirectional classes by their short names, in the order of `BidiClass` in `Graphics`.
  static let classes = [
    "L", "R", "AL", "EN", "ES", "ET", "AN", "CS", "NSM", "BN", "B", "S", "WS", "ON", "LRE", "LRO",
    "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
  ]

  private let folder: String
  private let package: String
  private static let end = 0x110000

  init(in folder: String, package: String) { (self.folder, self.package) = (folder, package) }

  /// The fields of a file's lines, comments left out.
  private func lines(_ name: String) throws -> [(codes: ClosedRange<Int>, fields: [Substring])] {
    try text(name).split(separator: "\n").compactMap { line in
      let fields = Substring(line.utf8.prefix { $0 != UInt8(ascii: "#") })
        .split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
      guard let first = fields.first, !first.isEmpty else { return nil }
      return (try Self.codes(first), Array(fields.dropFirst()))
    }
  }

  private func text(_ name: String) throws -> String {
    let path = folder + "/" + name
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ToolError("\(path): cannot be read; install it with: apt-get install \(package)")
    }
    return text
  }

  private static func codes(_ word: Substring) throws -> ClosedRange<Int> {
    let ends = word.split(separator: ".").compactMap { Int($0, radix: 16) }
    guard let first = ends.first, let last = ends.last, first <= last, last < end else {
      throw ToolError("'\(word)' is not a range of code points")
    }
    return first...last
  }

  /// Ranges of equal properties: how many (2), then the first code (3) and the properties (1) of each.
  ///
  /// The properties are the bidirectional class, plus 32 for a combining mark and 64 for a character
  /// that is never shown.
  func properties() throws -> [UInt8] {
    var properties = [UInt8](repeating: 0, count: Self.end)
    for line in try text("extracted/DerivedBidiClass.txt").split(separator: "\n") {
      // A code without a class has that of its block, under the class's long name.
      guard line.hasPrefix("# @missing: ") else { continue }
      let fields = line.dropFirst(12).split(separator: ";").map { $0.trimmed }
      let names = ["Left_To_Right": 0, "Right_To_Left": 1, "Arabic_Letter": 2]
      let number = names[String(fields[1])] ?? Self.classes.firstIndex(of: "ET") ?? 0
      for code in try Self.codes(fields[0]) { properties[code] = UInt8(number) }
    }
    for (codes, fields) in try lines("extracted/DerivedBidiClass.txt") {
      guard let number = Self.classes.firstIndex(of: String(fields[0])) else {
        throw ToolError("DerivedBidiClass.txt: '\(fields[0])' is not a class that is known")
      }
      for code in codes { properties[code] = UInt8(number) }
    }
    for (codes, fields) in try lines("extracted/DerivedGeneralCategory.txt") {
      if fields[0].hasPrefix("M") { for code in codes { properties[code] |= 32 } }
      if fields[0] == "Cc" { for code in codes { properties[code] |= 64 } }
    }
    for (codes, fields) in try lines("DerivedCoreProperties.txt")
    where fields[0] == "Default_Ignorable_Code_Point" {
      for code in codes { properties[code] = properties[code] & 31 | 64 }
    }
    var (table, count) = (Septets(), 0)
    for code in properties.indices where code == 0 || properties[code] != properties[code - 1] {
      table.append(code, bytes: 3)
      table.append(Int(properties[code]), bytes: 1)
      count += 1
    }
    var head = Septets()
    head.append(count, bytes: 2)
    return head.bytes + table.bytes
  }

  /// Characters with a mirror image: how many (2), then code (3), image (3) and kind (1) of each.
  ///
  /// The kind is 1 for an opening bracket, 2 for a closing one and 0 for others.
  func mirrors() throws -> [UInt8] {
    var kinds: [Int: Int] = [:]
    for (codes, fields) in try lines("BidiBrackets.txt") {
      kinds[codes.lowerBound] = fields[1] == "o" ? 1 : 2
    }
    let pairs = try lines("BidiMirroring.txt").sorted { $0.codes.lowerBound < $1.codes.lowerBound }
    var table = Septets()
    table.append(pairs.count, bytes: 2)
    for (codes, fields) in pairs {
      table.append(codes.lowerBound, bytes: 3)
      table.append(try Self.codes(fields[0]).lowerBound, bytes: 3)
      table.append(kinds[codes.lowerBound] ?? 0, bytes: 1)
    }
    return table.bytes
  }

  /// Letters of the Arabic script that join: how many (2), then code (3), type (1) and forms of each.
  ///
  /// The joining type is 0 for none, 1 for right, 2 for both sides and 3 for join-causing characters. The
  /// forms are isolated, final, initial and medial (3 each, the code itself where there is none).
  func shapes() throws -> [UInt8] {
    let names: [Substring] = ["<isolated>", "<final>", "<initial>", "<medial>"]
    var forms: [Int: [Int: Int]] = [:]
    for (codes, fields) in try lines("UnicodeData.txt") {
      let words = fields[4].split(separator: " ")
      guard words.count == 2, let form = names.firstIndex(of: words[0]) else { continue }
      forms[try Self.codes(words[1]).lowerBound, default: [:]][form] = codes.lowerBound
    }
    let types: [Substring: Int] = ["U": 0, "R": 1, "D": 2, "C": 3]
    let scripts = [0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF, 0x200C...0x200D]
    var letters: [Int: Int] = [0x200C: 0]  // ZERO WIDTH NON-JOINER, which no letter joins
    for (codes, fields) in try lines("ArabicShaping.txt") {
      guard let type = types[fields[1]] else { continue }
      for code in codes where scripts.contains(where: { $0.contains(code) }) {
        letters[code] = type
      }
    }
    var table = Septets()
    table.append(letters.count, bytes: 2)
    for (code, type) in letters.sorted(by: { $0.key < $1.key }) {
      table.append(code, bytes: 3)
      table.append(type, bytes: 1)
      for form in 0..<4 { table.append(forms[code]?[form] ?? code, bytes: 3) }
    }
    return table.bytes
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = utf8
    while text.first == UInt8(ascii: " ") { text.removeFirst() }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return Substring(text)
  }
}
