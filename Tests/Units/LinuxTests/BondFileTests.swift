import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func open(_ path: String, size: Int = 1024) throws(Errno) -> BondFile {
  let bytes = Array(path.utf8)
  return try BondFile(path: bytes.span, size: size)
}

private func write(
  _ byte: UInt8, _ count: Int = 512, at offset: Int, to file: borrowing BondFile
) throws(Errno) {
  let bytes = [UInt8](repeating: byte, count: count)
  try file.write(bytes.span, at: offset)
}

private func read(_ file: borrowing BondFile) throws(Errno) -> [UInt8] {
  var buffer = FixedBuffer<1024>()
  try file.read(into: &buffer)
  return array(buffer.bytes)
}

private func reopen(_ path: String) throws(Errno) -> [UInt8] { try read(try open(path)) }

private let zeros = [UInt8](repeating: 0, count: 1024)
private let halves = [UInt8](repeating: 1, count: 512) + [UInt8](repeating: 2, count: 512)
/// A file with these halves: the kernel writes 4096 bytes at once, and none of those has a part of both.
private let apart =
  [UInt8](repeating: 1, count: 512) + [UInt8](repeating: 0, count: 3584)
  + [UInt8](repeating: 2, count: 512)

extension Scratch {
  fileprivate func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: self(name))[.posixPermissions] as? Int
  }

  fileprivate func make(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self(name))
  }
}

struct BondFileTests {
  /// Somebody wants to start over, and does not stop the program for it.
  @Test func aFileThatIsDeletedMeanwhileTakesNothing() throws {
    let scratch = try Scratch()
    let file = try open(scratch("bond"))
    try write(1, at: 0, to: file)
    try FileManager.default.removeItem(atPath: scratch("bond"))
    #expect(throws: Errno.noSuchFile) { try write(2, at: 512, to: file) }
  }

  @Test func aMissingFileIsMadeOfZerosForItsOwnerAlone() throws {
    let scratch = try Scratch()
    let file = try open(scratch("bond"))
    let held = try read(file)
    expect(held, zeros)
    expect(try scratch.mode("bond"), 0o600)
    let (isDevice, protection) = (file.isDevice, file.protection)
    expect(!isDevice && protection == .ownersAlone)
  }

  @Test(arguments: ["lenker/bond", "lenker//bond"])
  func aMissingFolderIsMadeForItsOwnerAlone(_ path: String) throws {
    let scratch = try Scratch()
    try DiskCalls.watch { calls in
      let file = try open(scratch(path))
      let held = try read(file)
      expect(held, zeros)
      expect(try scratch.mode("lenker"), 0o700)
      // Its name must get onto the disk, too.
      let parent = (scratch.path as NSString).lastPathComponent
      expect(calls.take().first, "sync \(parent)")
    }
  }

  @Test func aFolderOfWhichMoreIsMissingIsTold() throws {
    let scratch = try Scratch()
    #expect(throws: Errno.noSuchFile) { _ = try open(scratch("a/b/bond")) }
    expect(try scratch.names, [])
  }

  @Test func whatIsWrittenIsFoundAgain() throws {
    let scratch = try Scratch()
    do {
      let file = try open(scratch("bond"))
      try write(2, at: 512, to: file)
      try write(1, at: 0, to: file)
    }
    expect(try reopen(scratch("bond")), halves)
    expect(try Array(Data(contentsOf: URL(fileURLWithPath: scratch("bond")))), apart)
  }

  @Test(arguments: [1, 511, 512, 513, 4095, 4096, 4097, 4607, 4608, 4609, 10_000])
  func aFileOfAnotherSizeIsReadAsFarAsItGoes(_ count: Int) throws {
    let scratch = try Scratch()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try scratch.make("bond", bytes)
    let found = bytes.prefix(512) + bytes.dropFirst(4096).prefix(512)
    expect(try reopen(scratch("bond")), Array(found))
    // Nothing in it was changed by that.
    expect(try Data(contentsOf: URL(fileURLWithPath: scratch("bond"))), Data(bytes))
  }

  @Test func anEmptyFileGetsItsSize() throws {
    let scratch = try Scratch()
    try scratch.make("bond", [])
    expect(try reopen(scratch("bond")), zeros)
  }

  // MARK: - The order of things

  @Test func aNewFileIsOnTheDiskWithItsNameBeforeItIsUsed() throws {
    let scratch = try Scratch()
    let folder = (scratch.path as NSString).lastPathComponent
    try DiskCalls.watch { calls in
      _ = try open(scratch("bond"))
      expect(
        calls.take(), ["write bond 0+512", "write bond 4096+512", "sync bond", "sync \(folder)"])
      // What a program that was killed left undone is done now.
      _ = try open(scratch("bond"))
      expect(calls.take(), ["sync bond", "sync \(folder)"])
    }
  }

  @Test func aWriteIsOnTheDiskWhenItReturns() throws {
    let scratch = try Scratch()
    try DiskCalls.watch { calls in
      let file = try open(scratch("bond"))
      _ = calls.take()
      try write(1, at: 512, to: file)
      expect(calls.take(), ["write bond 4096+512", "syncData bond"])
      calls.largestWrite = 200
      try write(1, at: 0, to: file)
      expect(
        calls.take(),
        [
          "write bond 0+200", "write bond 200+200", "write bond 400+112", "syncData bond",
        ])
    }
  }

  @Test(arguments: ["write", "syncData"], [Errno.noSpace, .inputOutput, .readOnly])
  func aWriteThatDoesNotReachTheDiskIsTold(_ call: String, _ reason: Errno) throws {
    let scratch = try Scratch()
    try DiskCalls.watch { calls in
      let file = try open(scratch("bond"))
      calls.failures = [call: reason.rawValue]
      #expect(throws: reason) { try write(1, at: 0, to: file) }
      calls.failures = [:]
      try write(1, at: 0, to: file)
      let held = try read(file)
      #expect(held.prefix(512).allSatisfy { $0 == 1 })
    }
  }

  @Test(arguments: ["write", "sync"])
  func aNewFileThatDoesNotReachTheDiskIsTold(_ call: String) throws {
    let scratch = try Scratch()
    try DiskCalls.watch { calls in
      calls.failures = [call: Errno.noSpace.rawValue]
      #expect(throws: Errno.noSpace) { _ = try open(scratch("bond")) }
      calls.failures = [:]
      let held = try reopen(scratch("bond"))
      expect(held, zeros)
    }
  }

  @Test func aWriteOfWhichTheDiskTakesNothingEnds() throws {
    let scratch = try Scratch()
    try DiskCalls.watch { calls in
      let file = try open(scratch("bond"))
      calls.largestWrite = 0
      #expect(throws: Errno.inputOutput) { try write(1, at: 0, to: file) }
    }
  }

  // MARK: - Who else has it

  @Test func aFileThatOthersCouldReadIsTakenFromThem() throws {
    let scratch = try Scratch()
    try scratch.make("bond", apart, mode: 0o644)
    let file = try open(scratch("bond"))
    let (protection, held) = (file.protection, try read(file))
    expect(protection == .corrected && held == halves)
    expect(try scratch.mode("bond"), 0o600)
  }

  @Test func aFileThatStaysOpenToOthersIsUsedAndTold() throws {
    let scratch = try Scratch()
    try scratch.make("bond", apart, mode: 0o640)
    try DiskCalls.watch { calls in
      calls.failures = ["mode": Errno.notPermitted.rawValue]
      let file = try open(scratch("bond"))
      let (protection, held) = (file.protection, try read(file))
      expect(protection == .open && held == halves)
    }
  }

  @Test func onlyOneProgramHasTheFile() throws {
    let scratch = try Scratch()
    do {
      let file = try open(scratch("bond"))
      #expect(throws: Errno.wouldBlock) { _ = try open(scratch("bond")) }
      try write(1, at: 0, to: file)
    }
    expect(try reopen(scratch("bond")).first, 1)
  }

  // MARK: - What is no file

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let scratch = try Scratch()
    try scratch.make("victim", halves, mode: 0o644)
    try FileManager.default.createSymbolicLink(
      atPath: scratch("bond"), withDestinationPath: scratch("victim"))
    #expect(throws: Errno.symbolicLink) { _ = try open(scratch("bond")) }
    expect(try scratch.mode("victim"), 0o644)
  }

  @Test func anotherKindOfFileIsTold() throws {
    let scratch = try Scratch()
    mkfifo(scratch("fifo"), 0o600)
    try scratch.write("file", "")
    #expect(throws: Errno.fileExists) { _ = try open(scratch("fifo")) }
    #expect(throws: Errno.fileExists) { _ = try open("/dev/null") }
    #expect(throws: Errno.isAFolder) { _ = try open(scratch.path) }
    #expect(throws: Errno.isAFolder) { _ = try open(scratch.path + "/") }
    #expect(throws: Errno.notAFolder) { _ = try open(scratch("file/bond")) }
    #expect(throws: Errno.noSuchFile) { _ = try open("") }
    #expect(throws: Errno.nameTooLong) { _ = try open(scratch(String(repeating: "x", count: 256))) }
  }

  @Test func aMissingDeviceIsToldInsteadOfBecomingAFile() {
    #expect(throws: Errno.noSuchFile) { _ = try open("/dev/lenker-no-such-device") }
    #expect(throws: Errno.noSuchFile) { _ = try open("/dev/lenker-no-such-folder/bond") }
    expect(!FileManager.default.fileExists(atPath: "/dev/lenker-no-such-device"))
    expect(!FileManager.default.fileExists(atPath: "/dev/lenker-no-such-folder"))
  }

  // MARK: - Set aside

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
      try write(0x79, at: 0, to: file)
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

  // MARK: - Devices

  /// A file instead of a device, as tests need not be root.
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
      try write(0x79, at: 512, to: file)
      expect(calls.take(), ["write mmcblk0p3 \(middle)+512", "syncData mmcblk0p3"])
      let held = try read(file)
      expect(held, zeros.prefix(512) + [UInt8](repeating: 0x79, count: 512))
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
