import Bytes
import Device
import Recording

/// A note of a recording, as it is understood.
struct ToldNote {
  let words: [String]
  /// `nil` if it is unknown.
  let note: Note?
  /// What is behind it.
  let rest: [String]

  init(_ words: [String]) {
    self.words = words
    let line = Array(words.joined(separator: " ").utf8)
    var reader = NoteReader(line.span)
    note = Note(&reader)
    // A blank is in front of each word.
    let rest = String(decoding: array(reader.rest), as: UTF8.self)
    self.rest = rest.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
  }

  /// Whether a turn of the loop begins with it.
  var beginsTurn: Bool { note?.phase ?? .receiving == .receiving }
}

extension Note.Name {
  /// The name of a note, whether the rest of it is understood or not.
  init?(of words: [String]) {
    let line = Array(words.joined(separator: " ").utf8)
    self.init(beginning: line.span)
  }
}
