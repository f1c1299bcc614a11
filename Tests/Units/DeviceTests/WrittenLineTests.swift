import Bytes
import Expecting
import Recording
import TestSupport

/// What a capture shows of the lines that a phone writes to our UART.
struct WrittenLineTests {
  private static let shown = [
    #"GB({"t":"nav","instr":"Hauptstra\xdfe","distance":"950m","action":"left"})"#,
    #"GB({"t":"nav"})"#, "setTime(1789000000);E.setTimeZone(2.0);(s=>1)(2)",
  ]
  /// With all that is shown of each: what an allowed line might begin with, too.
  private static let hidden = [
    (#"GB({"t":"notify","id":7,"title":"Anna","body":"nav"})"#, #"GB({"t":"n"#),
    (#"GB({"t":"call","name":"Anna"})"#, #"GB({"t":"call",""#),
    (#"GB({"t":"call","cmd":"incoming Anna"})"#, #"GB({"t":"call","cmd":"incoming"#),
    (#"GB({"t":"call","cmd":"start",name:'Anna'})"#, #"GB({"t":"call","cmd":"start",name:"#),
    (#"GB({"t":"call","cmd":"start",["Anna"]})"#, #"GB({"t":"call","cmd":"start","#),
    (#"GB({"t":"musicinfo" ,"track":"Anna"})"#, #"GB({"t":"musicinfo""#),
    (#"GB({"t":"musicstate","position":1})"#, #"GB({"t":"musicstate",""#),
    (#"GB({"t":"navi","title":"Anna"})"#, #"GB({"t":"nav"#),
    (#"GB({"t":"is_gps_active"})"#, #"GB({"t":""#),
    (#"GB({ "t":"nav","title":"Anna"})"#, "GB({"), (#" GB({"t":"nav"})"#, ""),
    ("setTimes(Anna)", "setTime"), ("Anna", ""),
  ]

  /// Calls and music, and what is seen of them: all but the texts, each as long as it was.
  private static let veiled = [
    (
      #"GB({"t":"call","cmd":"incoming","name":"Anna","number":"+49 30"})"#,
      #"GB({"t":"call","cmd":"incoming","name":"xxxx","number":"xxxxxx"})"#
    ),
    (#"GB({"t":"call","cmd":"end"})"#, #"GB({"t":"call","cmd":"end"})"#),
    (
      #"GB({"t":"musicinfo","artist":"A\"n\\","album":"","track":"GB({\"t\":\"nav\"","dur":180,"c":-1})"#,
      #"GB({"t":"musicinfo","artist":"xxxxxx","album":"","track":"xxxxxxxxxxxxxxxxx","dur":180,"c":-1})"#
    ),
    (
      #"GB({"t":"musicinfo","track":atob("QW5uYQ=="),"dur":1.5})"#,
      #"GB({"t":"musicinfo","track":atob("xxxxxxxx"),"dur":1.5})"#
    ),
    (
      #"GB({"t":"musicstate","state":"play","position":5,"shuffle":1})"#,
      #"GB({"t":"musicstate","state":"play","position":5,"shuffle":1})"#
    ),
  ]

  private static func captured(
    _ packets: [[UInt8]], isReceived: Bool = true, by redaction: inout Redaction
  ) -> [[UInt8]] {
    packets.map {
      var buffer = FixedBuffer<1026>()
      buffer.append($0.span)
      redaction.blank(&buffer, isReceived: isReceived)
      return array(buffer.bytes)
    }
  }

  static func captured(_ packets: [[UInt8]], isReceived: Bool = true) -> [[UInt8]] {
    var redaction = Redaction()
    return captured(packets, isReceived: isReceived, by: &redaction)
  }

  /// A PDU of the phone, or of another link, in pieces that end at these places of its frame.
  private static func frame(
    _ pdu: [UInt8], ends: [Int] = [], handle: UInt8 = 0x40, start: UInt8 = 0x20
  ) -> [[UInt8]] {
    RedactionTests.pieces(
      [UInt8(pdu.count), 0, 0x04, 0] + pdu, ends: ends, handle: handle, start: start)
  }

  private static func written(
    _ value: some Sequence<UInt8>, ends: [Int] = [], handle: UInt8 = 0x40
  ) -> [[UInt8]] {
    frame([0x12, 0x0C, 0x00] + value, ends: ends, handle: handle)
  }

  /// What is seen of a line's bytes, each of which is a write.
  private static func seen(_ text: String, after packets: [[UInt8]] = []) -> String {
    let writes = text.utf8.flatMap { written([$0]) }
    let captured = captured(packets + writes).dropFirst(packets.count)
    return String(decoding: captured.map { $0[12] }, as: UTF8.self)
  }

  private static func letters(_ text: String, from count: Int = 0) -> String {
    text.prefix(count) + String(repeating: "x", count: text.utf8.count - count)
  }

  // MARK: - Lines

  @Test(arguments: shown, ["\u{10}", ""])
  func aTurnAndATimeAreShown(_ line: String, _ start: String) {
    let text = start + line + "\n"
    expect(Self.seen(text), text)
    expect(Self.captured(Self.written(text.utf8)), Self.written(text.utf8))
  }

  @Test(arguments: hidden, ["\u{10}", ""])
  func ofAnyOtherLineNothingIsShownFromItsFirstOtherByteOn(
    _ line: (text: String, beginning: String), _ start: String
  ) {
    let letters = Self.letters(line.text, from: line.beginning.count)
    expect(Self.seen(start + line.text + "\n"), start + letters + "\n")
    for count in 0...line.text.count {
      expect(Self.seen(start + line.text.prefix(count)), start + letters.prefix(count))
    }
  }

  @Test(arguments: veiled, ["\u{10}", ""])
  func ofCallsAndMusicAllIsShownButTheirTexts(
    _ line: (text: String, shown: String), _ start: String
  ) {
    expect(line.text.utf8.count, line.shown.utf8.count)
    for count in 0...line.text.utf8.count {
      let part = String(decoding: line.text.utf8.prefix(count), as: UTF8.self)
      let shown = String(decoding: line.shown.utf8.prefix(count), as: UTF8.self)
      expect(Self.seen(start + part + "\n"), start + shown + "\n")
    }
  }

  /// Whatever was before it, and however much of that was written.
  @Test(arguments: (shown + hidden.map(\.0)).map { "\u{10}" + $0 + "\n" })
  func behindAnyBeginningOfALineTheNextOneIsJudgedByItself(_ first: String) {
    let (turn, note) = ("\u{10}" + Self.shown[0], "\u{10}" + Self.hidden[0].0)
    let hidden = "\u{10}" + Self.letters(Self.hidden[0].0, from: 10)
    for count in 0...first.utf8.count {
      let before = first.utf8.prefix(count).flatMap { Self.written([$0]) }
      expect(Self.seen(turn, after: before), turn)
      expect(Self.seen(note, after: before), hidden)
    }
  }

  // MARK: - The end of a line

  private static let half = "\u{10}GB({\"t\":\"nav\",\"instr\":\""

  /// Disconnection Complete, both kinds of Connection Complete, and our own Reset.
  ///
  /// Not the end of another link, one that failed, an attempt that failed, half an event, another event or command.
  @Test func aLineEndsWithItsLinkAndWithNothingElse() {
    let half = Self.half.utf8.flatMap { Self.written([$0]) }
    let turn = Self.shown[0] + "\n"
    for end in [
      "04 05 04 00 40 00 13", "04 3e 13 01 00 40 00", "04 3e 1f 0a 00 40 00", "01 03 0c 00",
    ] {
      let before = half + [bytes(end)]
      expect(Self.seen("Anna\"})\n", after: before), "xxxxxxx\n")
      expect(Self.seen(turn, after: before), turn)
    }
    for packet in [
      "04 05 04 00 41 00 13", "04 05 04 02 40 00 13", "04 3e 13 01 3c 40 00", "04 05 04 00 40",
      "04 3e 13 01 00 40", "04 3e", "04", "04 3e 0a 03 00 40 00", "04 08 04 00 40 00 01",
      "01 06 04 03 40 00 13", "01 03",
    ] { expect(Self.seen("Weg\"})\n", after: half + [bytes(packet)]), "Weg\"})\n", "\(packet)") }
  }

  /// The piece of a write that was lost might have ended the line, and have begun another one.
  @Test func behindALostPieceNothingOfTheLineIsShown() {
    let half = Self.half.utf8.flatMap { Self.written([$0]) }
    let pieces = Self.written("weg\"})\n\u{10}GB(".utf8, ends: [9])
    let other = Self.frame([0x1B, 0x10, 0x00, 0x00, 0x48], ends: [3], handle: 0x41)
    for lost in [
      [pieces[0]], [pieces[1], pieces[1]], [pieces[0], other[0], pieces[1]],
      [pieces[0], pieces[0], pieces[1]], [[0x02, 0x40, 0x20, 1, 0, 30]],
    ] {
      let before = half + lost
      if lost.count < 3 || lost[1] == other[0] {
        expect(Self.seen("Anna\n" + Self.shown[0], after: before), "xxxx\n" + Self.shown[0])
      }
      expect(Self.seen("\u{10}" + Self.shown[0], after: before), "\u{10}" + Self.shown[0])
    }
    expect(
      Self.captured(half + [pieces[1]]).last, [0x02, 0x40, 0x10, 9, 0] + zeros(9),
      "nobody knows what it is a piece of")
    let broken = half + [pieces[0], pieces[0], pieces[1]]
    expect(Self.seen("Anna", after: broken), "xxxx", "a line that began with a lost one")
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// There are never as many links; a line without a place is hidden.
  @Test func ofTheNinthLinkNothingIsShown() {
    let others = (0x50..<0x58).flatMap { Self.written([0x0A], handle: $0) }
    expect(Self.seen("\u{10}GB\n", after: others), "\u{10}xx\n")
    let end = others + [bytes("04 05 04 00 53 00 13")]
    expect(Self.seen("\u{10}GB\n", after: end), "\u{10}GB\n")
  }

  // MARK: - Writes that are none

  /// What our server refuses or drops: parts of long values, commands, signed ones.
  @Test(
    arguments: [
      ([0x16, 0x0C, 0x00], 3), ([0x16, 0x0F, 0x00], 3), ([0x52, 0x0C, 0x00], 3),
      ([0x52, 0x0F, 0x00], 3), ([0xD2, 0x0C, 0x00], 3), ([0x56, 0x0C, 0x00], 3), ([0x18], 1),
      ([0x58], 1), ([0x12, 0x0F, 0x00], 5), ([0x12, 0x09, 0x00], 5), ([0x12, 0x0C, 0x01], 5),
      ([0x12, 0x10, 0x00], 5),
    ] as [([UInt8], Int)])
  func ofAnyOtherWriteAConfigurationIsShownAtMost(_ head: [UInt8], _ count: Int) {
    let pdu = head + Self.shown[0].utf8
    let letters = [UInt8](repeating: 0x78, count: pdu.count - count)
    let blank = Array(pdu.prefix(count)) + letters
    for size in 1...pdu.count {
      for ends in [[], Array(1..<size + 4)] + (1..<size + 4).map({ [$0] }) {
        let captured = Self.captured(Self.frame(Array(pdu.prefix(size)), ends: ends))
        expect(captured, Self.frame(Array(blank.prefix(size)), ends: ends), "\(ends)")
      }
    }
    // It is no part of a line.
    let half = Self.half.utf8.flatMap { Self.written([$0]) }
    expect(Self.seen("Weg", after: half + Self.frame(pdu + [0x0A])), "Weg")
  }

  /// Requests to the phone, and what we notify; another channel, and what the phone asks or answers.
  @Test func whatWeWriteAndWhatIsNoWriteIsShown() {
    for opcode: UInt8 in [0x12, 0x52, 0x16, 0x18, 0x1B] {
      let pdu = [opcode, 0x0C, 0x00] + Array(#"{"t":"call","n":"ACCEPT"}"#.utf8)
      for ends in [[], [5], Array(1..<pdu.count)] {
        let packets = Self.frame(pdu, ends: ends, start: 0x00)
        expect(Self.captured(packets, isReceived: false), packets)
      }
    }
    for opcode: UInt8 in [0x02, 0x04, 0x08, 0x0A, 0x0B, 0x13, 0x1D, 0x1E, 0x01] {
      let packets = Self.frame([opcode, 0x0C, 0x00] + Array("Hauptweg".utf8))
      expect(Self.captured(packets), packets)
    }
    var packet = Self.written("Hauptweg".utf8)[0]
    packet[7] = 0x05
    expect(Self.captured([packet]), [packet])
  }
}
