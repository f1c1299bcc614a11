/// The source file with the tables as string literals, which land in `.rodata` as they are.
struct SwiftSource {
  private var tables: [UInt8] = []
  private var codes = ""

  var text: String {
    """
    // Made by FontTool from Fonts/. Edit the recipe or the artwork there.

    enum Tables {
    \(String(decoding: tables, as: UTF8.self))}

    extension Arrow {
      /// The code of its drawing in the tables of arrows.
      var code: UInt32 {
        switch self {
    \(codes)    }
      }
    }

    """
  }

  /// Adds a table of 7-bit bytes.
  ///
  /// The attributes keep it to one copy: Embedded Swift would put all tables into each module and
  /// each file that uses one.
  mutating func add(_ name: String, _ table: [UInt8]) {
    tables += "  static var \(name): String {\n    @export(interface) @inline(never) get {\n\"".utf8
    for byte in table { tables += Self.escapes[Int(byte)] }
    tables += "\"\n    }\n  }\n".utf8
  }

  /// Adds the place of each arrow in the list; an arrow without a drawing does not compile.
  mutating func add(codesOf arrows: [Drawing]) {
    for (code, arrow) in arrows.enumerated() {
      let words = arrow.name.split(separator: "-")
      let name = words[0] + words.dropFirst().map(\.capitalized).joined()
      codes += "    case .\(name): \(code)\n"
    }
  }

  /// How each byte is written in a literal.
  private static let escapes: [[UInt8]] = (0..<0x80).map { (byte: UInt8) in
    switch byte {
    case 0: Array("\\0".utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
    case 0x20..<0x7F: [byte]
    default: Array("\\u{\(String(byte, radix: 16))}".utf8)
    }
  }
}
