import Bytes
import TestSupport
import Testing

/// RFC 9562, 4: a UUID in text.
@Suite struct UUIDTextTests {
  private func parsed(_ text: String) -> UUID? {
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
    #expect(parsed("E20A39F4-73F5-4BC4-A12F-17D1AD07A961") == uuid)
    #expect(parsed("e20a39f4-73f5-4bc4-a12f-17d1ad07a961") == uuid)
    #expect(written(uuid) == "E20A39F4-73F5-4BC4-A12F-17D1AD07A961")
    #expect(written(UUID(0, 1)) == "00000000-0000-0000-0000-000000000001")
    #expect(written(UUID(short: 0x180D)) == "0000180D-0000-1000-8000-00805F9B34FB")
  }

  @Test(arguments: [
    "", "180D", "E20A39F473F54BC4A12F17D1AD07A961", "E20A39F4-73F5-4BC4-A12F-17D1AD07A96",
    "E20A39F4-73F5-4BC4-A12F-17D1AD07A9611", "E20A39F4-73F5-4BC4-A12F 17D1AD07A961",
    "E20A39F4-73F5-4BC4-A12F-17D1AD07A96G", "E20A39F4-73F54-BC4-A12F-17D1AD07A961",
    "-20A39F4-73F5-4BC4-A12F-17D1AD07A961", "{20A39F4-73F5-4BC4-A12F-17D1AD07A96}",
  ])
  func anyOtherTextIsNone(_ text: String) {
    #expect(parsed(text) == nil)
  }
}
