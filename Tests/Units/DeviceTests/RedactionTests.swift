import Bytes
import Expecting
import Link
import PhoneServices
import Recording
import TestSupport

@testable import Device

/// What a capture must not tell.
struct RedactionTests {
  private static func captured(_ packet: [UInt8]) -> [UInt8] {
    WrittenLineTests.captured([packet])[0]
  }

  /// The frame in pieces that end at these places; a start's flags differ by direction.
  static func pieces(
    _ frame: [UInt8], ends: [Int], handle: UInt8 = 0x40, start: UInt8 = 0x20
  ) -> [[UInt8]] {
    zip([0] + ends, ends + [frame.count]).map { begin, end in
      [0x02, handle, begin == 0 ? start : 0x10, UInt8(end - begin), 0] + frame[begin..<end]
    }
  }

  private static let key = [UInt8](1...16)
  private static let zeros = [UInt8](repeating: 0, count: 16)

  /// Of an encryption, and of LTK, IRK and CSRK that the phone or we hand out.
  ///
  /// As a peripheral, the controller is given the key when the phone encrypts the link (V9). A command that is cut is
  /// left as it is, as far as it has no key.
  @Test func aKeyInACommandOrAPacketIsBlank() {
    let commands: [[UInt8]] = [
      [0x01, 0x19, 0x20, 28, 0x40, 0] + [UInt8](repeating: 0, count: 10),
      [0x01, 0x1A, 0x20, 18, 0x40, 0],
    ]
    let packets = [0x06, 0x08, 0x0A].flatMap { (code: UInt8) in
      [0x20, 0x00].map { (flags: UInt8) in
        [0x02, 0x40, flags, 21, 0, 17, 0, 0x06, 0, code] as [UInt8]
      }
    }
    for head in commands + packets { expect(Self.captured(head + Self.key), head + Self.zeros) }
    for head in commands {
      for count in 1...6 {
        expect(Self.captured(Array(head.prefix(count))), Array(head.prefix(count)))
      }
    }
  }

  /// Any two cuts, and one behind each byte; the whole, and what is cut off.
  @Test(arguments: [UInt8(0x06), 0x08, 0x0A], [true, false])
  func aKeyThatComesInPiecesIsBlank(_ code: UInt8, _ isReceived: Bool) {
    let head: [UInt8] = [17, 0, 0x06, 0, code]
    let start: UInt8 = isReceived ? 0x20 : 0x00
    for count in 1...head.count + 16 {
      let frame = Array((head + Self.key).prefix(count))
      let blank = Array((head + Self.zeros).prefix(count))
      var cuts = [Array(1..<count)]
      for first in 1...count { for second in first...count { cuts.append([first, second]) } }
      for ends in cuts {
        let captured = WrittenLineTests.captured(
          Self.pieces(frame, ends: ends, start: start), isReceived: isReceived)
        expect(captured, Self.pieces(blank, ends: ends, start: start), "\(count): \(ends)")
      }
    }
  }

  /// Another frame between its pieces, of another link or in the other direction.
  @Test func aKeyWhosePiecesLieApartIsBlank() {
    let key = Self.pieces([17, 0, 0x06, 0, 0x08] + Self.key, ends: [9])
    let blank = Self.pieces([17, 0, 0x06, 0, 0x08] + Self.zeros, ends: [9])
    let value = Self.pieces([17, 0, 0x04, 0, 0x0B] + Self.key, ends: [], handle: 0x41)
    expect(WrittenLineTests.captured([key[0], value[0], key[1]])[2], blank[1])
    var redaction = Redaction()
    for (packet, isReceived) in [(key[0], true), (value[0], false), (key[1], true)] {
      var buffer = FixedBuffer<1026>()
      buffer.append(packet.span)
      redaction.blank(&buffer, isReceived: isReceived)
      if packet == key[1] { expect(array(buffer.bytes), blank[1]) }
    }
  }

  // MARK: - What a phone notifies

  private static var careful: Visibility {
    Visibility(way: 0x22, clock: 0x52, source: 0x78, music: 0x65, answer: 0x75)
  }

  private static func shown(
    _ frame: [UInt8], ends: [Int] = [], by visibility: Visibility = careful
  ) -> [[UInt8]] {
    var redaction = Redaction()
    return pieces(frame, ends: ends).map {
      var buffer = FixedBuffer<1026>()
      buffer.append($0.span)
      redaction.blank(
        &buffer, isReceived: true,
        with: Discretion(
          visibility: visibility, answer: AnswerReader(uid: 0x0403_0201, hasMessage: true)))
      return array(buffer.bytes)
    }
  }

  private static func notification(_ handle: UInt8, _ value: String, code: UInt8 = 0x1B) -> [UInt8]
  {
    let value = Array(value.utf8)
    return [UInt8(3 + value.count), 0, 0x04, 0, code, handle, 0] + value
  }

  @Test func theTextOfAnEntityUpdateIsLettersOfTheSameNumber() {
    let (told, hidden) = (
      Self.notification(0x65, "\u{2}\u{2}\u{0}Wild Theme"),
      Self.notification(0x65, "\u{2}\u{2}\u{0}xxxxxxxxxx")
    )
    for cut in 1...told.count {
      expect(Self.shown(told, ends: [cut]), Self.pieces(hidden, ends: [cut]))
    }
    expect(Self.shown(told, by: .all), Self.pieces(told, ends: []), "nobody asked for it")
  }

  /// A phone that was subscribed to on another link may notify before its handles are found.
  @Test func whateverIsNotifiedFromAnUnknownHandleIsLettersOfTheSameNumber() {
    for visibility in [Self.careful, Visibility()] {
      expect(
        Self.shown(Self.notification(0x99, "Wild Theme"), by: visibility),
        Self.pieces(Self.notification(0x99, "xxxxxxxxxx"), ends: []))
    }
    expect(
      Self.shown(Self.notification(0, "Wild"), by: Visibility()),
      Self.pieces(Self.notification(0, "xxxx"), ends: []))
  }

  /// So that it can be played again.
  @Test func ofAnAnswerOfDataSourceTheTextsAreLetters() {
    let head = "\u{0}\u{1}\u{2}\u{3}\u{4}\u{1}\u{3}\u{0}"
    let told = Self.notification(0x75, head + "nRF\u{3}\u{2}\u{0}52")
    let hidden = Self.notification(0x75, head + "xxx\u{3}\u{2}\u{0}xx")
    for cut in 1...told.count {
      expect(Self.shown(told, ends: [cut]), Self.pieces(hidden, ends: [cut]))
    }
    // One that answers nothing of ours.
    let other = Self.shown(Self.notification(0x75, "\u{0}\u{9}Anna"))
    expect(other, Self.pieces(Self.notification(0x75, "\u{0}\u{9}xxxx"), ends: []))
  }

  @Test func turnsTimesAndAnswersStayAsTheyAre() {
    for frame in [
      Self.notification(0x22, "Hauptstraße"), Self.notification(0x52, "12:30"),
      Self.notification(0x78, "12345678"), Self.notification(0x65, "Hauptstraße", code: 0x0B),
      Self.notification(0x99, "a", code: 0x1D),
    ] {
      expect(Self.shown(frame), Self.pieces(frame, ends: []))
    }
  }

  /// A sensor's value between the pieces of a phone's.
  @Test func aFrameOfAnotherLinkBetweenPiecesChangesNothing() {
    let value = Self.pieces([9, 0, 0x04, 0, 0x1B, 0x22, 0] + Self.key[..<6], ends: [4])
    let other = Self.pieces([5, 0, 0x04, 0, 0x1B, 0x10, 0, 0, 72], ends: [], handle: 0x41)
    expect(
      WrittenLineTests.captured([value[0], other[0], value[1]]), [value[0], other[0], value[1]])
  }

  /// The next frame is no key.
  @Test func piecesOfAnythingElseStayAsTheyAre() {
    let key = Self.pieces([17, 0, 0x06, 0, 0x08] + Self.key, ends: [9])
    let value = Self.pieces([17, 0, 0x04, 0, 0x08] + Self.key, ends: [1, 3, 5, 12])
    expect(Array(WrittenLineTests.captured(key + value)[2...]), value)
  }

  @Test func anythingElseStaysAsItIs() {
    for packet in [
      [0x01, 0x13, 0x20, 14, 0x40, 0] + Self.key,  // another command
      [0x02, 0x40, 0x20, 21, 0, 17, 0, 0x04, 0, 0x08] + Self.key,  // an attribute
      [0x02, 0x40, 0x20, 21, 0, 17, 0, 0x06, 0, 0x03] + Self.key,  // a confirm value is no secret
      [0x04, 0x08, 4, 0, 0x40, 0, 1], [0x02, 0x40, 0x20, 4, 0, 0, 0, 0x06, 0],
      [0x01, 0x1B, 0x20, 2, 0x40, 0], [0x01, 0x19], [],
    ] as [[UInt8]] { expect(Self.captured(packet), packet) }
  }
}
