import Bytes
import Expecting
import TestSupport

/// Texts as RFC 9562 has them, and the Bluetooth Base UUID of Vol 3, Part B, 2.5.1.
struct UUIDTests {
  private static let komoot = UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C)

  private func parsed(_ text: String) -> UUID? {
    let bytes = Array(text.utf8)
    return UUID(anyText: bytes.span)
  }

  private func shortest(_ uuid: UUID) -> String {
    var text = FixedBuffer<36>()
    text.append(shortestText: uuid)
    return string(text.bytes)
  }

  @Test(arguments: [
    ("180D", UUID(short: 0x180D)), ("fe9f", UUID(short: 0xFE9F)),
    ("0001180D", UUID(short: 0x1_180D)),
    ("71c1e128-d92f-4fa8-a2b2-0f171db3436c", komoot),
    ("71C1E128-D92F-4FA8-A2B2-0F171DB3436C", komoot),
    ("0000180D-0000-1000-8000-00805F9B34FB", UUID(short: 0x180D)),
  ])
  func aTextOf16Or32Or128BitsIsRead(text: String, uuid: UUID) {
    expect(parsed(text), uuid)
  }

  @Test(arguments: [
    "", "1", "180", "180DA", "18 0D", "180G", "0001180", "+80D", "71c1e128d92f4fa8a2b20f171db3436c",
    "71c1e128-d92f-4fa8-a2b2-0f171db3436", "71c1e128-d92f-4fa8-a2b2-0f171db3436c0",
    "71c1e128-d92f-4fa8-a2b20-f171db3436c", "71c1e128-d92f-4fa8-a2b2-0f171db3436x",
    "71c1e128-d92f-4fa8-a2b2 0f171db3436c", "-1c1e128-d92f-4fa8-a2b2-0f171db3436c",
    "{1c1e128-d92f-4fa8-a2b2-0f171db3436}",
  ])
  func anyOtherTextIsNone(text: String) {
    expect(parsed(text), nil)
    expect(read(text), nil)
  }

  @Test func theShortestTextIsInUpperCase() {
    expect(shortest(UUID(short: 0x180D)), "180D")
    expect(shortest(UUID(short: 0xA)), "000A")
    expect(shortest(UUID(short: 0xABCD_180D)), "ABCD180D")
    expect(shortest(Self.komoot), "71C1E128-D92F-4FA8-A2B2-0F171DB3436C")
  }

  // MARK: - In whole

  private func read(_ text: String) -> UUID? {
    let characters = Array(text.utf8)
    return UUID(text: characters.span)
  }

  private func written(_ uuid: UUID) -> String {
    var text = FixedBuffer<40>()
    text.append(text: uuid)
    return string(text.bytes)
  }

  @Test func itsBytesStandInTheOrderOfTheText() {
    let uuid = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
    expect(read("E20A39F4-73F5-4BC4-A12F-17D1AD07A961"), uuid)
    expect(read("e20a39f4-73f5-4bc4-a12f-17d1ad07a961"), uuid)
    expect(read("180D"), nil, "no whole one")
    expect(written(uuid), "E20A39F4-73F5-4BC4-A12F-17D1AD07A961")
    expect(written(UUID(0, 1)), "00000000-0000-0000-0000-000000000001")
    expect(written(UUID(short: 0x180D)), "0000180D-0000-1000-8000-00805F9B34FB")
  }
}
