import TestSupport

/// Where an execution is, for the words of a finding.
nonisolated(unsafe) var story: [String] = []
/// Whether the story is told as it happens.
nonisolated(unsafe) var isTold = false
/// How many executions came to each state.
nonisolated(unsafe) var reached: [String: Int] = [:]

/// Ends the program: what should never be has been.
func finding(_ words: String) -> Never {
  complain(story.suffix(40).map { "  \($0)\n" }.joined())
  giveUp(words)
}

/// Something that happened, for the words of a finding.
func tell(_ words: @autoclosure () -> String) {
  let words = words()
  if isTold { complain(words + "\n") }
  story.append(words)
}

func reach(_ state: String) { reached[state, default: 0] += 1 }
