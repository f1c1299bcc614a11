import Bytes
import Expecting

@testable import Lenker

/// What `--check` says of one device, as a person and as a program see it.
struct ReportTests {
  private func said(
    _ style: Report.Style, isWell: Bool = true, _ body: (inout Report) -> Void
  ) -> String {
    var report = Report("display")
    report.isWell = isWell
    body(&report)
    var text = ByteList()
    report.write(to: &text, style)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func panel(_ report: inout Report) {
    report.append("/dev/i2c-1")
    report.fact()
    report.append("answers")
    report.hint()
    report.append("look at it")
  }

  @Test func aProgramReadsOneLineAndAPersonOneForEachPart() {
    expect(said(.line, panel), "ok display /dev/i2c-1; answers; look at it\n")
    expect(
      said(.line, isWell: false, panel), "failed display /dev/i2c-1; answers; look at it\n")
    expect(said(.lines, panel), "ok display /dev/i2c-1\n  answers\n  look at it\n")
    expect(said(.line) { _ in }, "ok display\n", "of which there is nothing to say")
  }

  @Test func whatIsWellIsGreenWhatIsWrongIsRedAndAdviceIsYellow() {
    let rest = " display /dev/i2c-1\n  answers\n  \u{1B}[33mlook at it\u{1B}[0m\n"
    expect(said(.color, panel), "\u{1B}[32mok\u{1B}[0m" + rest)
    expect(said(.color, isWell: false, panel), "\u{1B}[31mfailed\u{1B}[0m" + rest)
  }

  /// A phone's name is anything, and a terminal obeys what it is sent.
  @Test(
    arguments: [
      ("\u{1B}[2J", "?[2J"), ("a\nok b", "a?ok b"), ("\u{9B}2J", "?2J"), ("\r\u{7F}", "??"),
      ("Zoë 📱", "Zoë 📱"),
    ] as [(String, String)])
  func aTextFromOutsideDoesNothingToTheTerminal(_ name: String, _ shown: String) {
    expect(said(.color) { $0.append(name) }, "\u{1B}[32mok\u{1B}[0m display \(shown)\n")
    let bytes: [UInt8] = [0x41, 0xFF, 0xC3]
    expect(said(.line) { $0.append(bytes.span) }, "ok display A??\n", "no text")
  }

  @Test func morePartsThanThereIsRoomForAreStillSaid() {
    let text = said(.lines) { report in
      for number in 0..<20 {
        report.fact()
        report.append(decimal: Int64(number))
      }
    }
    let own = (0...10).map { "\n  \($0)" }.joined()
    let rest = (11..<20).map { "; \($0)" }.joined()
    expect(text, "ok display" + own + rest + "\n")
  }

  @Test func whatIsTooLongForALineIsLeftOutWhole() {
    let long = [UInt8](repeating: 0x78, count: 4000)
    expect(said(.line) { $0.append(long.span) }, "ok display\n")
  }
}

/// A writer that takes as much as it is given.
struct ByteList: ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices { self.bytes.append(bytes[index]) }
  }
}
