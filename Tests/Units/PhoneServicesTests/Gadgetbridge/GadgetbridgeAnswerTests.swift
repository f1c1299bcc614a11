import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// What the device says to Gadgetbridge.
struct GadgetbridgeAnswerTests {
  private typealias Answer = Gadgetbridge.Answer

  private func line(_ answer: Answer) -> [UInt8] {
    var line = FixedBuffer<256>()
    answer.write(into: &line)
    return array(line.bytes)
  }

  /// Vector V36.
  @Test func theVersionIsItsVector() {
    let version = Answer.version(
      firmware: ShortBytes { $0.append("Lenker") }, board: ShortBytes { $0.append("Pi") })
    expect(
      line(version),
      bytes(
        """
        7B 22 74 22 3A 22 76 65 72 22 2C 22 66 77 22 3A 22 4C 65 6E 6B 65 72 22 2C 22 68 77
        22 3A 22 50 69 22 7D 0D 0A
        """))
  }

  @Test(arguments: [
    (Answer.music(.play), #"{"t":"music","n":"play"}"#),
    (.music(.pause), #"{"t":"music","n":"pause"}"#),
    (.music(.next), #"{"t":"music","n":"next"}"#),
    (.call(.accept), #"{"t":"call","n":"ACCEPT"}"#),
    (.call(.refuse), #"{"t":"call","n":"REJECT"}"#), (.charge(100), #"{"t":"status","bat":100}"#),
  ])
  func anAnswerIsALineOfJSON(_ answer: Gadgetbridge.Answer, _ expected: String) {
    expect(line(answer), Array((expected + "\r\n").utf8))
  }

  /// A byte 0x13 would stop the app's queue.
  @Test func anAnswerHasNoControlsInside() {
    let strange = ShortBytes<20> { for byte in UInt8(0x0C)...0x1F { $0.append(byte) } }
    let sent = line(.version(firmware: strange, board: strange))
    expect(sent.dropLast(2).allSatisfy { $0 >= 0x20 } && sent.suffix(2) == [0x0D, 0x0A])
  }
}
