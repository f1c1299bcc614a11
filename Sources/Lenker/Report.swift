import BoardFile
import Bytes
import Linux

/// What `--check` says of one device: how it is, then what else there is to know or to do.
///
/// Written to a file or a pipe it is one line, for programs. On a terminal each part has a line of
/// its own, and what is well, wrong and advised has its colour.
struct Report: ~Copyable, ByteWriter {
  /// How it is written.
  enum Style {
    /// One line.
    case line
    /// Lines for a person.
    case lines
    /// Likewise, in colour.
    case color
  }

  private enum Kind {
    case fact
    case hint
  }

  private struct Part {
    var kind = Kind.fact
    var start = 0
  }

  private static var maxParts: Int { 12 }

  private let device: String
  private var text = FixedBuffer<1536>()
  private var parts = InlineArray<12, Part>(repeating: Part())
  private var partCount = 1

  /// Whether the device is of use.
  var isWell = true

  /// Says nothing yet but the name of the device.
  init(_ device: String) { self.device = device }

  mutating func append(_ byte: UInt8) { text.append(byte) }

  mutating func append(_ bytes: Span<UInt8>) { text.append(bytes) }

  /// What follows is a further thing to know.
  mutating func beginFact() { begin(.fact) }

  /// What follows is something to do.
  mutating func beginHint() { begin(.hint) }

  private mutating func begin(_ kind: Kind) {
    guard partCount < Self.maxParts else { return append("; ") }
    parts[partCount] = Part(kind: kind, start: text.count)
    partCount += 1
  }

  /// Writes all of it; texts from outside cannot do anything to the terminal.
  func write<Writer: ByteWriter & ~Copyable>(to writer: inout Writer, _ style: Style) {
    writer.paint(isWell ? .green : .red, style)
    writer.append(isWell ? "ok" : "failed")
    writer.paint(.plain, style)
    writer.append(" ")
    writer.append(device)
    for index in 0..<partCount {
      let part = parts[index]
      let end = index + 1 < partCount ? parts[index + 1].start : text.count
      if index == 0 {
        if end > part.start { writer.append(" ") }
      } else {
        writer.append(style == .line ? "; " : "\n  ")
      }
      if part.kind == .hint { writer.paint(.yellow, style) }
      quote(text.bytes.extracting(part.start..<end), upTo: .max, to: &writer)
      if part.kind == .hint { writer.paint(.plain, style) }
    }
    writer.append("\n")
  }
}

/// The colours of a terminal.
///
/// ECMA-48, 8.3.117.
private enum Color {
  case plain
  case red
  case green
  case yellow

  var sequence: String {
    switch self {
    case .plain: "\u{1B}[0m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    case .yellow: "\u{1B}[33m"
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func paint(_ color: Color, _ style: Report.Style) {
    if style == .color { append(color.sequence) }
  }
}

extension Report {
  /// Says who may open a device that the user may not.
  mutating func append(rightsTo path: Span<UInt8>) {
    guard let group = AccessGroup(of: path) else { return }
    beginHint()
    switch group {
    case .nobody: append("no group may open it: a udev rule can give it to one, or run as root")
    case .number(let number):
      append("members of the group ")
      appendGroup(number, to: &self)
      append(" may open it: usermod -aG ")
      appendGroup(number, to: &self)
      append(" USER, and log in again")
    }
  }
}
