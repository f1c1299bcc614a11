package import Graphics

/// The lit pixels of a bitmap as `#` and the dark ones as `.`, one line for each row.
package func picture(_ bitmap: borrowing Bitmap) -> String {
  var text = ""
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text += bitmap[x, y] ? "#" : "." }
    text += "\n"
  }
  return text
}

/// A picture as text, turned clockwise by so many quarters.
package func turned(_ picture: String, quarters: Int) -> String {
  var rows = picture.split(separator: "\n").map { Array($0.utf8) }
  for _ in 0..<quarters {
    rows = (rows.first ?? []).indices.map { column in rows.reversed().map { $0[column] } }
  }
  return rows.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
}
