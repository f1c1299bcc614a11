import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func open(_ path: String) throws(Errno) -> BondFile {
  let bytes = Array(path.utf8)
  return try BondFile(path: bytes.span, size: 1024)
}

@Suite struct BondDeviceTests {
  /// A file in the place of a device, as tests need not be root.
  @Test(arguments: [
    (8192, 4096), (12_288, 4096), (16_384, 8192), (24_575, 8192), (8_388_608, 4_194_304),
  ])
  func aDeviceIsUsedAsItIsAndHasTheSecondHalfInItsMiddle(_ size: Int, _ middle: Int) throws {
    let scratch = try Scratch()
    try scratch.write("mmcblk0p3", String(repeating: "\0", count: size))
    chmod(scratch("mmcblk0p3"), 0o660)
    try DiskCalls.watch { calls in
      calls.showsDevices = true
      var file = try open(scratch("mmcblk0p3"))
      let (isDevice, protection) = (file.isDevice, file.protection)
      expect(isDevice && protection == .ownersAlone)
      expect(calls.take(), ["sync mmcblk0p3"])
      let bytes = [UInt8](repeating: 0x79, count: 512)
      try file.write(bytes.span, at: 512)
      expect(calls.take(), ["write mmcblk0p3 \(middle)+512", "syncData mmcblk0p3"])
      var found = FixedBuffer<1024>()
      try file.read(into: &found)
      expect(array(found.bytes), [UInt8](repeating: 0, count: 512) + bytes)
      #expect(throws: Errno.notSupported) { try file.setAside() }
      // Nobody else has it.
      #expect(throws: Errno.wouldBlock) { _ = try open(scratch("mmcblk0p3")) }
    }
    expect(try scratch.names, ["mmcblk0p3"])
  }

  /// Of each, the first bytes are free: a boot sector's place, or a page's; the last one is of data.
  @Test(arguments: [
    "LVM": 512, "ext4": 1080, "swap": 4086, "md": 4096, "ISO 9660": 32_769, "Btrfs": 65_600,
    "a file": 1_048_576 + 4095,
  ])
  func somebodyElsesDeviceIsSeen(_ name: String, _ place: Int) throws {
    let scratch = try Scratch()
    var content = [UInt8](repeating: 0, count: 2_097_152)
    content[place] = 0x53
    try Data(content).write(to: URL(fileURLWithPath: scratch("mmcblk0p2")))
    try DiskCalls.watch { calls in
      calls.showsDevices = true
      let file = try open(scratch("mmcblk0p2"))
      let isFree = try file.isFree()
      expect(!isFree, "\(name)")
    }
  }

  @Test(arguments: [0x00, 0xFF])
  func aDeviceThatNobodyHasWrittenToIsFree(_ value: UInt8) throws {
    let scratch = try Scratch()
    // What is in the halves themselves is judged by those who read them.
    let record = [UInt8](repeating: 0x5A, count: 512)
    let rest = [UInt8](repeating: value, count: 4096 - 512)
    let bytes = record + rest + record + rest
    try Data(bytes).write(to: URL(fileURLWithPath: scratch("mmcblk0p3")))
    try DiskCalls.watch { calls in
      calls.showsDevices = true
      let file = try open(scratch("mmcblk0p3"))
      let isFree = try file.isFree()
      expect(isFree)
    }
  }

  @Test(arguments: [1, 1024, 4096, 4607])
  func aDeviceThatIsTooSmallIsTold(_ size: Int) throws {
    let scratch = try Scratch()
    try scratch.write("mmcblk0p3", String(repeating: "\0", count: size))
    DiskCalls.watch { calls in
      calls.showsDevices = true
      #expect(throws: Errno.noSpace) { _ = try open(scratch("mmcblk0p3")) }
    }
  }
}

@Suite struct BondFileAsideTests {
  @Test func somebodyElsesFileIsKeptAsideAndANewOneIsThere() throws {
    let scratch = try Scratch()
    try scratch.write("bond", "a letter")
    try scratch.write("bond.other", "of an earlier time")
    let folder = (scratch.path as NSString).lastPathComponent
    try DiskCalls.watch { calls in
      var file = try open(scratch("bond"))
      _ = calls.take()
      try file.setAside()
      expect(
        calls.take(), ["write bond 0+512", "write bond 4096+512", "sync bond", "sync \(folder)"])
      expect(try scratch.names, ["bond", "bond.other"])
      expect(try scratch.read("bond.other"), "a letter")
      let bytes = [UInt8](repeating: 0x79, count: 512)
      try file.write(bytes.span, at: 0)
      #expect(try scratch.read("bond").hasPrefix("yyy"))
      // The new file is ours alone, as the old one was.
      #expect(throws: Errno.wouldBlock) { _ = try open(scratch("bond")) }
    }
  }

  @Test func aNameThatIsTooLongForItIsTold() throws {
    let scratch = try Scratch()
    let name = String(repeating: "x", count: 250)
    var file = try open(scratch(name))
    #expect(throws: Errno.nameTooLong) { try file.setAside() }
    expect(try scratch.names, [name])
  }
}
