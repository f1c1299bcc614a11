import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

private func open(_ path: String) throws(Errno) -> PBMWriter {
  let bytes = Array(path.utf8)
  return try PBMWriter(folder: bytes.span)
}

private func write(_ text: String, to writer: inout PBMWriter) throws(Errno) {
  let bytes = Array(text.utf8)
  try writer.write(bytes.span)
}

struct PBMWriterTests {
  @Test func framesAreNumberedAndTheLatestIsTheLast() throws {
    let scratch = try Scratch()
    var writer = try open(scratch.path)
    try write("P4 one", to: &writer)
    try write("P4 two", to: &writer)
    expect(try scratch.names, ["frame-000001.pbm", "frame-000002.pbm", "latest.pbm"])
    expect(try scratch.read("frame-000001.pbm"), "P4 one")
    expect(try scratch.read("frame-000002.pbm"), "P4 two")
    expect(try scratch.read("latest.pbm"), "P4 two")
    expect(writer.frameCount, 2)
  }

  @Test(arguments: ["a", "a/b/c", "a//b/", "./a/../b"])
  func foldersAreMadeIfTheyAreMissing(_ folder: String) throws {
    let scratch = try Scratch()
    var writer = try open(scratch(folder))
    try write("P4", to: &writer)
    expect(try scratch.read(folder + "/latest.pbm"), "P4")
  }

  @Test func onlyThePicturesOfAnEarlierRunAreRemoved() throws {
    let scratch = try Scratch()
    let own = ["frame-000001.pbm", "frame-1000000.pbm", "latest.pbm", "next.pbm"]
    let foreign = [
      "frame-00001.pbm", "frame-00000x.pbm", "frame-000001.png", "frame-.pbm", "latest.pbm.txt",
      "ride.csv", "xframe-000001.pbm",
    ]
    for name in own + foreign { try scratch.write(name, "old") }
    // More than one reading of the folder holds.
    for number in 2...150 {
      try scratch.write("frame-\(String(format: "%06d", number)).pbm", "old")
    }
    _ = try open(scratch.path)
    expect(try scratch.names, foreign.sorted())
  }

  @Test func theLastNumberIsTheHighestOfAFrameAndNotOfAnotherFile() throws {
    let scratch = try Scratch()
    let (folder, missing) = (Array(scratch.path.utf8), Array(scratch("missing").utf8))
    expect(PBMWriter.lastNumber(in: missing.span), 0)
    expect(PBMWriter.lastNumber(in: folder.span), 0)
    for name in ["latest.pbm", "frame-00009.pbm", "frame-000012.png", "frame-00001x.pbm"] {
      try scratch.write(name, "old")
    }
    expect(PBMWriter.lastNumber(in: folder.span), 0)
    // More than one reading of the folder holds.
    for number in 2...150 {
      try scratch.write("frame-\(String(format: "%06d", number)).pbm", "old")
    }
    expect(PBMWriter.lastNumber(in: folder.span), 150)
    try scratch.write("frame-1000000.pbm", "old")
    expect(PBMWriter.lastNumber(in: folder.span), 1_000_000)
    try scratch.write("frame-" + String(repeating: "9", count: 80) + ".pbm", "old")
    expect(PBMWriter.lastNumber(in: folder.span), 999_999_999_999)
  }

  @Test func aReaderOfTheLatestKeepsTheWholePictureItOpened() throws {
    let scratch = try Scratch()
    var writer = try open(scratch.path)
    try write("P4 one", to: &writer)
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch("latest.pbm")))
    try write("P4 other", to: &writer)
    expect(try reader.readToEnd(), Data("P4 one".utf8))
  }

  @Test func aFolderThatVanishesIsAnErrorAndNoFrame() throws {
    let scratch = try Scratch()
    var writer = try open(scratch("frames"))
    try FileManager.default.removeItem(atPath: scratch("frames"))
    do throws(Errno) {
      try write("P4", to: &writer)
      Issue.record("written into a folder that is gone")
    } catch {
      expect(error, .noSuchFile)
    }
    expect(writer.frameCount, 0)
  }

  @Test func aFileInTheFoldersPlaceIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("file", "")
    #expect(throws: Errno.notAFolder) { _ = try open(scratch("file")) }
    #expect(throws: Errno.notAFolder) { _ = try open(scratch("file/frames")) }
    #expect(throws: Errno.noSuchFile) { _ = try open("") }
  }
}
