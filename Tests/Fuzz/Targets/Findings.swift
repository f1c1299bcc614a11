import Glibc

/// Where an execution is, for the words of a finding.
nonisolated(unsafe) var story: [String] = []
/// Whether the story is told as it happens.
nonisolated(unsafe) var isTold = false
/// How many executions came to each state.
nonisolated(unsafe) var reached: [String: Int] = [:]

/// Ends the program: what should never be has been.
func finding(_ words: String) -> Never {
  complain("finding: \(words)\n" + story.suffix(40).map { "  \($0)\n" }.joined())
  abort()
}

/// Something that happened, for the words of a finding.
func tell(_ words: @autoclosure () -> String) {
  let words = words()
  if isTold { complain(words + "\n") }
  story.append(words)
}

func reach(_ state: String) { reached[state, default: 0] += 1 }

func complain(_ words: String) {
  let bytes = Array(words.utf8)
  var offset = 0
  while offset < bytes.count {
    let count = bytes[offset...].withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    offset += count
  }
}

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
