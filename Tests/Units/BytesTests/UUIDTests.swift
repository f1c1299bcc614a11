import Bytes
import TestSupport
import Testing

/// UUIDs as text: RFC 9562, 4.
@Suite struct UUIDTests {
  private func read(_ text: String) -> UUID? {
    let text = Array(text.utf8)
    return UUID(text: text.span)
  }

  @Test(arguments: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7dec-11D0-A765-00A0C91E6BF6"])
  func eitherCaseIsRead(_ text: String) {
    #expect(read(text) == UUID(0xF81D_4FAE_7DEC_11D0, 0xA765_00A0_C91E_6BF6))
  }

  @Test(arguments: [
    "", "f81d4fae", "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0-a765-00a0c91e6bf60",
    "f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae07dec-11d0-a765-00a0c91e6bf6",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bg6", "f81d4fa-e7dec-11d0-a765-00a0c91e6bf6",
    "{f81d4fae-7dec-11d0-a765-00a0c91e6b}",
  ])
  func anotherTextIsNone(_ text: String) { #expect(read(text) == nil) }

  @Test(arguments: [
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "00000000-0000-0000-0000-000000000000",
    "01020304-0506-0708-090a-0b0c0d0e0f00", "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ])
  func itIsWrittenAsItIsRead(_ text: String) throws {
    var written = FixedBuffer<40>()
    written.append(text: try #require(read(text)))
    #expect(string(written.bytes) == text)
  }
}
