/// The source file with the tables as string literals, which land in `.rodata` as they are.
struct SwiftSource {
  private var tables = ""

  /// The whole file.
  var text: String {
    """
    // Made by FontTool from Fonts/. Edit the recipe or the artwork there.

    enum Tables {
    \(tables)}

    """
  }

  /// Adds a table of 7-bit bytes.
  mutating func add(_ name: String, _ table: [UInt8]) {
    tables += "  static var \(name): String {\n    \""
    tables += table.map(Self.escaped).joined()
    tables += "\"\n  }\n"
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case 0: "\\0"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
    case 0x20..<0x7F: String(UnicodeScalar(byte))
    default: "\\u{" + String(byte, radix: 16) + "}"
    }
  }
}
