import Bytes
import Expecting
import Foundation
import TestSupport

@testable import Linux

/// Who may open a device that the user may not.
struct AccessGroupTests {
  private func name(_ number: UInt32, in list: String) -> String? {
    let bytes = Array(list.utf8)
    guard let name = groupName(number, in: bytes.span) else { return nil }
    return string(name)
  }

  // group(5)
  @Test func aGroupIsFoundByItsNumber() {
    let list = "root:x:0:\ndialout:x:20:pi\ni2c:x:998:pi,rider\ngpio:x:997:"
    expect(name(0, in: list), "root")
    expect(name(998, in: list), "i2c")
    expect(name(997, in: list), "gpio")
    expect(name(99, in: list), nil)
    expect(name(9980, in: list), nil)
  }

  @Test(
    arguments: [
      "", "\n\n", ":", "::998", "i2c:998", "i2c:x:998", "i2c:x:0998:", "i2c:x: 998:", "998",
      "i2c:x:",
    ])
  func aLineThatIsNoneOfAGroupIsPassedOver(_ line: String) {
    expect(name(998, in: line), nil)
    expect(name(998, in: line + "\ngpio:x:998:\n"), "gpio")
  }

  @Test func theListIsReadToEachOfItsBytes() {
    let list = "root:x:0:\ni2c:x:998:pi\n"
    for length in 0...list.utf8.count {
      let found = name(998, in: String(list.prefix(length)))
      expect(found, (list.prefix(length).hasPrefix("root:x:0:\ni2c:x:998:") ? "i2c" : nil))
    }
  }

  @Test func aGroupMayOpenAFileOnlyIfItMayReadAndWriteIt() throws {
    let scratch = try Scratch()
    try scratch.write("device", "")
    let path = Array(scratch("device").utf8)
    for (mode, isOpen) in [(0o600, false), (0o640, false), (0o620, false), (0o660, true)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: scratch("device"))
      let group = AccessGroup(of: path.span)
      // Who is in root's group may do too much for a panel.
      expect(group, (isOpen && getegid() != 0 ? .number(getegid()) : .nobody))
      guard chown(scratch("device"), getuid(), 998) == 0 else { continue }
      expect(AccessGroup(of: path.span), (isOpen ? .number(998) : .nobody))
      try #require(chown(scratch("device"), getuid(), getegid()) == 0)
    }
    let missing = Array(scratch("missing").utf8)
    expect(AccessGroup(of: missing.span), nil)
  }
}
