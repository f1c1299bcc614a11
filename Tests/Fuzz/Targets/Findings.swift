import TestSupport

/// Whether the story is told as it happens: nobody else pays for its words.
nonisolated(unsafe) var isTold = false
/// How many executions came to each state.
nonisolated(unsafe) var reached: [String: Int] = [:]

/// Ends the program: what should never be has been.
func finding(_ words: String) -> Never {
  giveUp(words)
}

/// Something that happened.
func tell(_ words: @autoclosure () -> String) {
  if isTold { complain(words() + "\n") }
}

func reach(_ state: String) { reached[state, default: 0] += 1 }
