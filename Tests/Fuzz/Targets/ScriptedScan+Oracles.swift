import Bytes
import Places
import TestSupport

/// What standard output was told, and what it has taken of that.
struct CheckedOutput {
  /// The lines that were told and not taken yet.
  private var told: ArraySlice<[UInt8]> = []
  /// What the last deed led to.
  private(set) var lastNoted: [UInt8] = []
  private var line: [UInt8] = []
  private var lostCount = 0
  /// What the last line said of that.
  private var summarized: Int?

  /// Notes the lines that one deed has led to.
  mutating func note(_ bytes: [UInt8], lost: Int64) {
    if lost > 0 { finding("one deed makes more lines than there is room for") }
    lastNoted = bytes
    for line in bytes.split(separator: 0x0A) {
      if !JSONText.isObject(line) { finding("no JSON: \(String(decoding: line, as: UTF8.self))") }
      tell(String(decoding: line, as: UTF8.self))
      told.append(Array(line))
    }
  }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      guard byte == 0x0A else {
        line.append(byte)
        continue
      }
      check(line)
      line = []
    }
  }

  /// A line is one of those that were told, in their order; those before it are lost.
  private mutating func check(_ line: [UInt8]) {
    if summarized != nil { finding("a line behind the last one") }
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(#""event":"summary""#) {
      summarized = Int(text.dropLast().split(separator: ":").last ?? "")
      return
    }
    guard let place = told.firstIndex(of: line) else {
      finding("a line that was not told: \(text)")
    }
    lostCount += place - told.startIndex
    told = told[(place + 1)...]
  }

  mutating func finish(isSummaryExpected: Bool) {
    if !line.isEmpty { finding("a part of a line is left") }
    lostCount += told.count
    if lostCount > 0 { reach("lost lines") }
    guard isSummaryExpected else { return }
    if summarized != lostCount { finding("\(lostCount) are lost, not \(summarized ?? -1)") }
  }
}

extension ScriptedScan {
  /// The table fits, and nothing that strangers call themselves moves the cursor.
  func checkTable(_ screen: Span<UInt8>, rows: Int, isWhole: Bool) {
    if !isWhole { finding("a table that is cut") }
    let lines = string(screen).split(separator: "\r\n", omittingEmptySubsequences: false)
    if lines.last != "" || lines.count > rows { finding("a table of \(lines.count) lines") }
    reach(lines.count == rows ? "a full table" : "a table")
    for line in lines.dropLast() {
      let parts = line.split(separator: "\u{1B}[")
      if !line.contains("\u{1B}[K") { finding("the rest of a line stays: \(line)") }
      for part in parts where part.unicodeScalars.contains(where: { $0.value < 0x20 }) {
        finding("a control character: \(part)")
      }
      let isOurs = parts.dropFirst().allSatisfy {
        $0 == "K" || $0.drop { $0.isNumber }.first == "G"
      }
      if !isOurs { finding("the cursor is moved: \(line)") }
    }
  }

  /// What was learned is a fingerprint that can be read.
  func checkFile() {
    guard tool.isFileDue else { return }
    if command != "train" { finding("a file of \(command)") }
    var reader = FingerprintReader()
    do throws(FingerprintError) {
      for number in 0..<tool.pieceCount {
        var piece = FixedBuffer<1280>()
        tool.write(piece: number, to: &piece)
        try reader.read(piece.bytes)
      }
      _ = try reader.finish()
      reach("a fingerprint")
    } catch { finding("the file is refused: \(error)") }
  }
}
