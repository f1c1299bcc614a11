import Glibc

/// Writes to standard error, in release mode too, where a failed precondition says nothing.
package func complain(_ words: String) {
  let bytes = Array(words.utf8)
  var offset = 0
  while offset < bytes.count {
    let count = bytes[offset...].withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    offset += count
  }
}

/// Ends the program at something that can never be right, and says what it is.
package func giveUp(_ words: String) -> Never {
  complain("wrong: \(words)\n")
  abort()
}
