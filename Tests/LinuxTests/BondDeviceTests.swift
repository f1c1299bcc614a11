import Bytes
import Foundation
import Linux
import Testing

private func open(_ path: String) throws(Errno) -> BondFile {
  let bytes = Array(path.utf8)
  return try BondFile(path: bytes.span, size: 1024)
}

@Suite struct BondDeviceTests {
  /// A file in the place of a device, as tests need not be root.
  @Test func aDeviceIsUsedAsItIs() throws {
    let scratch = try Scratch()
    try scratch.write("mmcblk0p3", String(repeating: "x", count: 4096))
    chmod(scratch("mmcblk0p3"), 0o660)
    try DiskCalls.watch { calls in
      calls.showsDevices = true
      var file = try open(scratch("mmcblk0p3"))
      let (isDevice, protection) = (file.isDevice, file.protection)
      #expect(isDevice && protection == .ownersAlone)
      #expect(calls.take() == ["sync mmcblk0p3"])
      let bytes = [UInt8](repeating: 0x79, count: 512)
      try file.write(bytes.span, at: 512)
      #expect(throws: Errno.notSupported) { try file.setAside() }
    }
    let x = String(repeating: "x", count: 512)
    let y = String(repeating: "y", count: 512)
    #expect(try scratch.read("mmcblk0p3") == x + y + String(repeating: "x", count: 3072))
    #expect(try scratch.names == ["mmcblk0p3"])
  }

  @Test func aDeviceThatIsTooSmallIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("mmcblk0p3", String(repeating: "x", count: 1023))
    DiskCalls.watch { calls in
      calls.showsDevices = true
      #expect(throws: Errno.noSpace) { _ = try open(scratch("mmcblk0p3")) }
    }
  }
}

@Suite struct BondFileAsideTests {
  @Test func aDamagedFileIsKeptAsideAndANewOneIsThere() throws {
    let scratch = try Scratch()
    try scratch.write("bond", "damaged")
    try scratch.write("bond.damaged", "of an earlier time")
    let folder = (scratch.path as NSString).lastPathComponent
    try DiskCalls.watch { calls in
      var file = try open(scratch("bond"))
      _ = calls.take()
      try file.setAside()
      #expect(
        calls.take() == ["write bond 0+512", "write bond 512+512", "sync bond", "sync \(folder)"])
      #expect(try scratch.names == ["bond", "bond.damaged"])
      #expect(try scratch.read("bond.damaged") == "damaged")
      let bytes = [UInt8](repeating: 0x79, count: 512)
      try file.write(bytes.span, at: 0)
      #expect(try scratch.read("bond").hasPrefix("yyy"))
      // The new file is ours alone, as the old one was.
      #expect(throws: Errno.wouldBlock) { _ = try open(scratch("bond")) }
    }
  }

  @Test func aNameThatIsTooLongForItIsTold() throws {
    let scratch = try Scratch()
    let name = String(repeating: "x", count: 248)
    var file = try open(scratch(name))
    #expect(throws: Errno.nameTooLong) { try file.setAside() }
    #expect(try scratch.names == [name])
  }
}
