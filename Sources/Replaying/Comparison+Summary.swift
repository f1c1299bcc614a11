import Bytes

extension Comparison {
  /// How many divergences are listed.
  private static var most: Int { 20 }

  /// What was compared, and each divergence: its time, what was expected, and what came instead.
  package var summary: String {
    var lines = divergences.prefix(Self.most).map { divergence in
      "\(seconds(divergence.time)) s: expected \(hexadecimal(divergence.expected)), got \(hexadecimal(divergence.got))"
    }
    if divergences.count > Self.most { lines.append("… and \(divergences.count - Self.most) more") }
    let since = starts.map { "\(seconds($0)) s" }.joined(separator: ", ")
    lines.append(
      "\(matches) packets are the same, compared from \(since.isEmpty ? "nowhere" : since) on; "
        + (divergences.isEmpty ? "no divergence" : "\(divergences.count) divergences"))
    return lines.joined(separator: "\n")
  }

  private func hexadecimal(_ packet: [UInt8]?) -> String {
    guard let packet else { return "nothing" }
    return packet.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined(separator: " ")
  }
}

/// A time in seconds, of milliseconds.
func seconds(_ time: Int64) -> String {
  "\(time / 1000)." + String("\(1000 + time % 1000)".dropFirst())
}

/// A line of a file for a line of ours: short, and without what moves a cursor.
func told(_ words: [String]) -> String {
  let line = words.joined(separator: " ").unicodeScalars.prefix(80)
  return line.map { isControl($0.value) || isLineSpace($0.value) ? "?" : String($0) }.joined()
}
