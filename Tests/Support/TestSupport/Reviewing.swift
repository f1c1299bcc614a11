package import Foundation

/// Whether `LENKER_RECORD=1` asks to record the expected pictures instead of comparing with them.
package let isRecording = ProcessInfo.processInfo.environment["LENKER_RECORD"] == "1"

/// In what a sheet differs from the one that somebody looked at and committed: a text for each thing.
///
/// Where pictures are recorded, `drawn` becomes that sheet, for somebody to look at.
package func differences(
  of drawn: PictureSheet, from file: URL, records: Bool = isRecording
) throws -> [String] {
  if records {
    try drawn.text.write(to: file, atomically: true, encoding: .utf8)
    return []
  }
  let name = file.lastPathComponent
  guard let text = try? String(contentsOf: file, encoding: .utf8) else {
    return ["\(name) is missing; LENKER_RECORD=1 swift test --filter PictureTests writes it"]
  }
  guard text != drawn.text else { return [] }
  do {
    return drawn.differences(from: try PictureSheet(text: text)).map { "\(name), \($0)" }
  } catch {
    return ["\(name), \(error)"]
  }
}

extension PictureSheet {
  func differences(from expected: PictureSheet) -> [String] {
    let drawn = entries.map(\.heading)
    let reviewed = expected.entries.map(\.heading)
    var differences: [String] = []
    for entry in entries {
      guard let other = expected.entries.first(where: { $0.heading == entry.heading }) else {
        differences.append("\(entry.heading): is not on the sheet. Drawn:\(entry.pixels)")
        continue
      }
      let wrong = entry.pixels.differences(from: other.pixels)
      guard wrong.litCount > 0 else { continue }
      differences.append(
        "\(entry.heading): \(wrong.litCount) pixels differ. Expected:\(other.pixels)"
          + "Drawn:\(entry.pixels)The pixels that differ:\(wrong)")
    }
    differences += Set(reviewed).subtracting(drawn).sorted().map { "\($0): no test draws it" }
    if differences.isEmpty, drawn != reviewed {
      differences.append("the order is \(reviewed) and not \(drawn)")
    }
    return differences
  }
}
