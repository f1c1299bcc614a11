package import Graphics

/// The pixels of a picture, which can be compared, and printed in half blocks.
package struct Pixels: Hashable, Sendable {
  /// How many are beside each other.
  package let width: Int
  /// How many are below each other.
  package let height: Int
  /// Row by row, from the top.
  private let lit: [Bool]

  /// Those of a size for which `isLit` says so.
  package init(width: Int, height: Int, isLit: (_ x: Int, _ y: Int) throws -> Bool) rethrows {
    (self.width, self.height) = (width, height)
    lit = try (0..<width * height).map { try isLit($0 % width, $0 / width) }
  }

  /// Those of a bitmap.
  package init(_ bitmap: borrowing Bitmap) {
    (width, height) = (bitmap.size.width, bitmap.size.height)
    var lit: [Bool] = []
    for y in 0..<height { for x in 0..<width { lit.append(bitmap[x, y]) } }
    self.lit = lit
  }

  /// Whether a pixel is lit; outside none is.
  package subscript(x: Int, y: Int) -> Bool {
    (0..<width).contains(x) && (0..<height).contains(y) && lit[y * width + x]
  }

  /// How many are lit.
  package var litCount: Int { lit.count { $0 } }

  /// Those that differ from another picture's.
  package func differences(from other: Pixels) -> Pixels {
    Pixels(width: max(width, other.width), height: max(height, other.height)) {
      self[$0, $1] != other[$0, $1]
    }
  }
}

extension Pixels: CustomStringConvertible {
  /// The picture in half blocks, below the line where it is printed.
  package var description: String { "\n" + halfBlocks }
}

/// The lit pixels of a bitmap as `#` and the dark ones as `.`, one line for each row.
package func picture(_ bitmap: borrowing Bitmap) -> String {
  var text: [UInt8] = []
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text.append(UInt8(ascii: bitmap[x, y] ? "#" : ".")) }
    text.append(UInt8(ascii: "\n"))
  }
  return String(decoding: text, as: UTF8.self)
}

/// A picture as text, turned clockwise by so many quarters.
package func turned(_ picture: String, quarters: Int) -> String {
  var rows = picture.split(separator: "\n").map { Array($0.utf8) }
  for _ in 0..<quarters {
    rows = (rows.first ?? []).indices.map { column in rows.reversed().map { $0[column] } }
  }
  return rows.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
}
