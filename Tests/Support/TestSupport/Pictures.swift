import Foundation
public import Graphics

/// The lit pixels of a bitmap as `#` and the dark ones as `.`, one line for each row.
public func picture(_ bitmap: borrowing Bitmap) -> String { rows(of: bitmap, lit: "#", dark: ".") }

/// A picture as text, turned clockwise by so many quarters.
public func turned(_ picture: String, quarters: Int) -> String {
  var rows = picture.split(separator: "\n").map { Array($0.utf8) }
  for _ in 0..<quarters {
    rows = (rows.first ?? []).indices.map { column in rows.reversed().map { $0[column] } }
  }
  return rows.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
}

/// A bitmap as a P1 PBM, one line for each row.
public func portableBitmap(_ bitmap: borrowing Bitmap) -> String {
  "P1\n\(bitmap.size.width) \(bitmap.size.height)\n" + rows(of: bitmap, lit: "1", dark: "0")
}

private func rows(of bitmap: borrowing Bitmap, lit: String, dark: String) -> String {
  var text = ""
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text += bitmap[x, y] ? lit : dark }
    text += "\n"
  }
  return text
}

/// Whether `LENKER_RECORD=1` asks to record the expected pictures anew instead of comparing.
public let isRecording = ProcessInfo.processInfo.environment["LENKER_RECORD"] == "1"

/// The picture that somebody looked at and committed as `file`.
///
/// Where pictures are recorded, `drawn` takes its place, for somebody to look at.
public func reviewedPicture(_ file: URL, now drawn: String) throws -> String {
  if isRecording { try drawn.write(to: file, atomically: true, encoding: .utf8) }
  return try String(contentsOf: file, encoding: .utf8)
}
