import BoardFile
import Bytes
import Linux

/// What `--check` says of one device: how it is, then what else there is to know or to do.
///
/// Written to a file or a pipe it is one line, for programs. On a terminal each part has a line of
/// its own, and what is well, wrong and advised has its colour.
struct Report: ~Copyable, ByteWriter {
  /// How it is written: one line, or lines for a person, perhaps in colour.
  enum Style { case line, lines, color }

  private enum Kind { case fact, hint }

  private struct Part {
    var kind = Kind.fact
    var start = 0
  }

  private let device: String
  private var text = FixedBuffer<1536>()
  private var parts = InlineArray<12, Part>(repeating: Part())
  private var partCount = 1

  var isWell: Bool

  /// A report that has only the name of the device.
  init(_ device: String, isWell: Bool = true) { (self.device, self.isWell) = (device, isWell) }

  mutating func append(_ byte: UInt8) { text.append(byte) }

  mutating func append(_ bytes: Span<UInt8>) { text.append(bytes) }

  /// Begins a further thing to know with this text.
  mutating func fact(_ text: String = "") { begin(.fact, text) }

  /// Begins something to do with this text.
  mutating func hint(_ text: String = "") { begin(.hint, text) }

  private mutating func begin(_ kind: Kind, _ beginning: String) {
    if partCount < parts.count {
      parts[partCount] = Part(kind: kind, start: text.count)
      partCount += 1
    } else {
      append("; ")
    }
    append(beginning)
  }

  /// Writes all of it; texts from outside cannot do anything to the terminal.
  func write(to writer: inout some ByteWriter & ~Copyable, _ style: Style) {
    writer.paint(isWell ? Color.green : Color.red, style)
    writer.append(isWell ? "ok" : "failed")
    writer.paint(Color.plain, style)
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
      if part.kind == .hint { writer.paint(Color.yellow, style) }
      quote(text.bytes.extracting(part.start..<end), upTo: .max, to: &writer)
      if part.kind == .hint { writer.paint(Color.plain, style) }
    }
    writer.append("\n")
  }
}

/// The sequences by which a terminal changes its colour.
///
/// ECMA-48, 8.3.117.
private enum Color {
  static var plain: String { "\u{1B}[0m" }
  static var red: String { "\u{1B}[31m" }
  static var green: String { "\u{1B}[32m" }
  static var yellow: String { "\u{1B}[33m" }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func paint(_ color: String, _ style: Report.Style) {
    if style == .color { append(color) }
  }
}

extension Report {
  /// Says which group may open a device that the user may not.
  mutating func append(rightsTo path: Span<UInt8>) {
    guard let group = AccessGroup(of: path) else { return }
    hint()
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
