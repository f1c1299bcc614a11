import BoardFile
import Bytes
import Expecting
import Places
import ScanTool
import TestSupport

@Suite struct ScanArgumentsTests {
  private static let uuid = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
  private static let group = "home=\(uuid)"

  /// What the program says of wrong arguments; empty if they are right.
  private func complaint(_ arguments: [String]) -> String {
    var parsed = ScanArguments()
    var last: [UInt8] = []
    do throws(ScanUsageError) {
      for (index, argument) in arguments.enumerated() {
        last = Array(argument.utf8)
        try parsed.read(last.span, position: index + 1)
      }
      try parsed.finish()
      return ""
    } catch {
      var message = FixedBuffer<512>()
      error.write(about: last.span, to: &message)
      return string(message.bytes)
    }
  }

  @Test(
    arguments: [
      ([], .scan), (["--seconds", "10"], .scan), (["--seconds=10", "--json"], .scan),
      (["--service", "180D", "--service=71c1e128-d92f-4fa8-a2b2-0f171db3436c"], .scan),
      (["topics=beacons,advertisementData", "events=unix:/run/x", "topics=all"], .scan),
      (["--crownstones", "--beacons", "--sensors", "--passive"], .scan),
      (["--beacons=\(uuid)", "--beacons", "hci=tcp:127.0.0.1:9000", "btsnoop=file:x"], .scan),
      (["inspect", "c4:5d:83:00:00:01"], .inspect),
      (["hci=hci1", "inspect", "--read", "C4:5D:83:00:00:01"], .inspect),
      (["train", "--group", group, "--location", "garage", "--out", "g.json"], .train),
      (["train", "--group=\(group)", "--location=a b", "--out=g", "--seconds", "240"], .train),
      (
        ["train", "--group", group, "--location", .init(repeating: "x", count: 32), "--out=g"],
        .train
      ),
      (["locate", "--group", group, "--fingerprint", "garage=g.json"], .locate),
      (["locate", "--group", group], .locate),
      (["switch", "C4:5D:83:00:00:01", "on"], .switch),
      (["--version"], .version), (["--help"], .help), (["--version", "--help"], .help),
      (["--help", "--version"], .help), (["inspect", "--help"], .help),
      (["train", "--version"], .version),
    ] as [([String], ScanCommand)])
  func whatIsAskedForIsUnderstood(arguments: [String], command: ScanCommand) throws {
    expect(complaint(arguments), "")
    let parsed = try parsed(arguments)
    expect(parsed.command, command)
  }

  @Test(
    arguments: [
      (["--sensor"], #"unknown option "--sensor""#),
      (["-x"], #"unknown option "-x""#), ([""], #"unknown option """#),
      (["scan"], #"no command has such an argument: "scan""#),
      (
        ["units=metric"],
        "of the keys of a board file only hci, btsnoop, topics and events=unix: mean something here"
      ),
      (
        ["--service", "18"], "--service wants a service's UUID of 4, 8 or 36 characters, not \"18\""
      ),
      (["--service"], "--service wants a service's UUID of 4, 8 or 36 characters behind it"),
      (["--sensors=yes"], "--sensors takes no value"),
      (["--beacons=180D"], "--beacons wants a beacon's UUID of 36 characters"),
      (["--seconds", "0"], "--seconds wants a number of seconds from 1 to 86400"),
      (["--seconds", "86400", "--read"], "--read means nothing"),
      (["--seconds", "86401"], "--seconds wants"), (["--seconds", "-1"], "--seconds wants"),
      (["inspect"], "inspect wants the address of a device, such as C4:5D:83:00:00:01"),
      (
        ["inspect", "C4:5D:83"], "an address such as C4:5D:83:00:00:01 is wanted, not \"C4:5D:83\""
      ),
      (["inspect", "C4-5D-83-00-00-01"], "an address such as"),
      (["inspect", "C4:5D:83:00:00:01", "C4:5D:83:00:00:01"], "no command has such an argument"),
      (["inspect", "C4:5D:83:00:00:01", "--passive"], "--passive means nothing to inspect"),
      (["inspect", "C4:5D:83:00:00:01", "--seconds=5"], "--seconds means nothing to inspect"),
      (["switch", "C4:5D:83:00:00:01", "on", "--seconds=5"], "--seconds means nothing to switch"),
      (
        ["topics=navigation"],
        "topics wants all, or a list with commas of radio, device, beacons, advertisementData, "
          + #"not "topics=navigation""#
      ),
      (["--read"], "--read means nothing to scan"),
      (["switch", "C4:5D:83:00:00:01"], "switch wants on, off or a number from 0 to 1"),
      (["switch", "C4:5D:83:00:00:01", "half"], "on, off or a number from 0 to 1 is wanted"),
      (["train"], "--group is missing: it wants ID=UUID"),
      (["train", "--group", group], "--location is missing"),
      (["train", "--group", group, "--location", "x"], "--out is missing"),
      (
        ["train", "--group", group, "--group", "b=\(uuid)", "--location", "x", "--out", "y"],
        "--group may be there once only"
      ),
      (["train", "--group", "home", "--location", "x"], "--group wants ID=UUID, such as home="),
      (
        ["train", "--group", group, "--location", "a\u{7}b", "--out", "y"],
        "--location wants a name"
      ),
      (["train", "--location="], "--location wants a name"),
      (["train", "--location", String(repeating: "x", count: 33)], "--location wants a name"),
      (["locate"], "--group is missing"),
      (
        ["locate"] + (0..<5).flatMap { ["--group", "a\($0)=\(uuid)"] },
        "--group is there too often"
      ),
      (
        ["locate", "--group", group] + (0..<17).map { "--fingerprint=a\($0)=f" },
        "--fingerprint is there too often"
      ),
      (
        ["locate", "--group", group, "--fingerprint", "garage"], "--fingerprint wants LOCATION=FILE"
      ),
      (["locate", "--group", group, "--fingerprint", "garage="], "--fingerprint wants"),
      (["locate", "--group", group, "--out", "x"], "--out means nothing to locate"),
      (Array(repeating: "--service=180D", count: 9), "--service is there too often, from here on"),
      (
        Array(repeating: "--beacons=\(uuid)", count: 9),
        "--beacons is there too often, from here on"
      ),
      (Array(repeating: "--sensors", count: 65), "more than 64 arguments, from here on"),
    ] as [([String], String)])
  func whatIsWrongIsSaid(arguments: [String], expected: String) {
    #expect(complaint(arguments).hasPrefix(expected), "\(complaint(arguments))")
  }

  @Test func aTerminalIsNotDamagedByAComplaint() {
    expect(complaint(["--\u{1B}[2J"]), #"unknown option "--?[2J""#)
  }

  @Test func whatIsGivenIsKept() throws {
    let locating = try parsed([
      "locate", "--group", Self.group, "--fingerprint", "garage=g.json", "--fingerprint=hall=h",
      "--json",
    ])
    let (wantsLines, files) = (locating.wantsLines, locating.files)
    expect(wantsLines)
    expect(files.count, 2)
    for (index, path, name) in [(0, "g.json", "garage"), (1, "h", "hall")] {
      expect(string(files[index].path.bytes), path)
      expect(string(files[index].location.bytes), name)
    }
    let usual = try parsed([])
    expect(usual.wantsLines, false)
    expect(complaint(Array(repeating: "--service=180D", count: 8)), "")
    expect(complaint(Array(repeating: "--beacons=\(Self.uuid)", count: 8)), "")
  }

  @Test func keysOfTheBoardMeanTheSame() throws {
    let board = try parsed(["hci=hci1", "--sensors", "events=unix:/x"]).board()
    expect(board.events.socketPath.map { string($0.bytes) }, "/x")
    // The first thing that is wrong is named, and the help is shown all the same.
    let wrong = try parsed(["--help", "hci=usb0", "hci=usb1"])
    do throws(BoardError) {
      _ = try wrong.board()
      Issue.record("usb0 is no port")
    } catch {
      expect(error.place.line, 2)
    }
  }

  /// clamp(round(255·x)).
  @Test(
    arguments: [
      ("on", 255), ("off", 0), ("0", 0), ("1", 255), ("1.0", 255), ("0.5", 128), ("0.25", 64),
      ("0.299999", 76), ("0.3", 77), ("0.994117", 253), ("999999999", 255),
      ("0.001", 0), ("0.002", 1), ("0.998", 254), ("0.9999999999", 255), ("2", 255),
    ] as [(String, UInt8)])
  func aSwitchTakesAByte(text: String, level: UInt8) throws {
    let address: UInt8 = 0xC4
    let scanning = try Scanning("switch", "C4:00:52:50:5E:01", text) {
      let crownstone = VirtualCrownstone.make(address)
      $0.sensors = [crownstone]
    }
    let crownstone = scanning.controller.sensors[0]
    scanning.controller.advertise(scanning, crownstone)
    expect(crownstone.switched, [level])
  }

  @Test(arguments: ["", ".5", "0.", "1e3", "-1", "0x1", "00.5", "0,5", "1000000000", "on ", "ON"])
  func anyOtherTextIsNoLevel(text: String) {
    #expect(complaint(["switch", "C4:5D:83:00:00:01", text]) != "")
  }

  @Test func helpHasAnExampleForEachCommand() {
    let text = ScanArguments.help
    for command in [
      "--sensors --seconds 30", "inspect C4", "train --group", "locate --group", "switch C4",
    ] {
      #expect(text.contains("\n  lenker-scan \(command)"), "\(command)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
