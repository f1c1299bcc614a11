import BoardFile
import Buttons
import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import Replaying

/// The rider's report: when it is written, what is in it, and what is not.
struct ReportTests {
  private static let path = "/tmp/report"
  private static let settings = ["report=file:\(path)"]

  private func report(of world: World) throws -> ReportFile {
    try #require(ReportFile(world.reportFile), "it is a whole btsnoop file")
  }

  // MARK: - When

  @Test func theRiderGetsAReportAndThePanelSaysSo() throws {
    let world = try World.following(Self.settings)
    #expect(world.reportFile.isEmpty)
    world.askForReport()
    #expect(!world.reportFile.isEmpty)
    expect(world.shows(.reportSaved))
    let told = world.events("report").map { [$0["state"], $0["path"]] }
    expect(told, [["saved", Self.path]])
    world.pass(3_000)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  @Test func centralBehaviour154_withoutAPlaceForItThePanelSaysWhatToDo() throws {
    let world = try World.following()
    world.askForReport()
    expect(world.shows(.reportFailed("set report = file:PATH")))
    expect(world.events("report").map { [$0["state"], $0["path"]] }, [["failed", ""]])
  }

  @Test func aDiskThatFailsIsToldAndTheNextReportWorks() throws {
    let world = try World.following(Self.settings)
    world.reportFault = .noSpace
    world.askForReport()
    expect(world.shows(.reportFailed("the disk is full: make room")))
    expect(world.states("report"), ["failed"])
    world.reportFault = nil
    world.askForReport()
    expect(world.states("report"), ["failed", "saved"])
    #expect(try report(of: world).texts.contains("report failed 28"))
  }

  @Test func theFirstErrorOfASourceInADayMakesAReport() throws {
    // A day with a link would be many packets.
    let world = try World(Self.settings + ["pairing=required"])
    func reports() -> Int { world.events("report").count }
    func failThePanel() {
      world.fail(.panel, .remoteIO)
      world.pass(2_000)
    }
    failThePanel()
    expect(reports(), 1)
    expect(try report(of: world).texts.contains { $0.hasPrefix("error i2c ") })
    failThePanel()
    expect(reports(), 1, "the same source, the same day")
    world.fail(.buttons, .noSuchDevice)
    world.pass(2_000)
    expect(reports(), 2, "another source")
    world.pass(86_400_000 - 10_000)
    failThePanel()
    expect(reports(), 2, "not quite a day")
    world.pass(10_000)
    failThePanel()
    expect(reports(), 3)
  }

  @Test func errorsOfTwoSourcesAtOnceAreBothReported() throws {
    let world = try World.following(Self.settings)
    world.fail(.panel, .remoteIO)
    world.fail(.buttons, .noSuchDevice)
    world.pass(1_000)
    expect(world.events("report").count, 2)
    let texts = try report(of: world).texts
    expect(texts.contains { $0.hasPrefix("error i2c ") })
    expect(texts.contains { $0.hasPrefix("error gpio ") })
  }

  @Test func theRideGoesOnBetweenTwoPieces() throws {
    let world = try World.following(Self.settings)
    _ = world.takeOrder()
    world.press("r")
    world.tell(5, 200, "Am Markt", id: 2)
    let order = world.takeOrder()
    let pieces = order.filter { $0 == "report" }.count
    expect(pieces, 25, "98,304 bytes in pieces of 4096, and the beginning")
    let first = try #require(order.firstIndex(of: "report"))
    let packet = try #require(order.lastIndex(of: "packet"))
    expect(packet > first && packet < order.count - 1)
    expect(world.told.last, Told(5, 200, "Am Markt"))
  }

  // MARK: - What

  @Test func itTellsTheVersionTheSettingsAndAllThatWasHeard() throws {
    let world = try World.following(Self.settings + ["units=imperial", "name=Rad"])
    world.press("a")
    world.askForReport()
    let report = try report(of: world)
    let texts = report.texts
    expect(texts.first, "version 0.2.0")
    for text in [
      "setting units = imperial", "setting name = Rad", "setting report = file:\(Self.path)",
      "radio open", "panel open", "buttons open 0 0", "gesture a", "ready", "gesture r",
    ] { #expect(texts.contains(text), "\(text)") }
    // The panel's kind decides the offset of its columns: it is no setting.
    expect(texts.filter { $0.hasPrefix("setting ") }.count, Key.count - 1)
    expect(report.packets.first, [0x01, 0x03, 0x0C, 0x00], "Reset")
    let street = Array("Hauptstraße".utf8)
    expect(report.packets.contains { $0.count > street.count && $0.suffix(street.count) == street })
    #expect(report.records.allSatisfy { $0.dropped == 0 })
  }

  @Test(
    arguments: [(.a, "buttons open 1 0"), (.b, "buttons open 0 1")]
      as [(Button, String)])
  func itTellsWhichButtonWasHeldWhenTheyWereOpened(_ button: Button, _ note: String) throws {
    let buttons = ["buttons=gpio:/dev/gpiochip0", "button-a=17", "button-b=27"]
    let world = try World(Self.settings + buttons)
    world.touch(button, isPressed: true)
    world.fail(.buttons, .noSuchDevice)
    world.pass(2_000)
    world.askForReport()
    let opened = try report(of: world).texts.filter { $0.hasPrefix("buttons open") }
    expect(opened, ["buttons open 0 0", note])
  }

  /// So that a time in the report is that of an event.
  @Test func timesCountFromTheStart() throws {
    let world = try World.following(Self.settings)
    world.pass(41_000)
    world.press("a")
    world.press("r")
    world.pass(0)
    let record = try #require(
      try report(of: world).records.last {
        $0.content == .log(priority: 6, program: "lenker", text: "gesture a")
      })
    let event = try #require(world.events("button").last)
    let seconds = "\(record.time / 1_000_000).\(record.time / 1_000 % 1_000)"
    #expect(event.line.hasPrefix("{\"t\":\(seconds),"))
  }

  /// The file of a report that was cut off by the end of the battery must not be taken for a whole one.
  @Test func theFirstBytesAreWrittenLast() throws {
    let world = try World.following(Self.settings)
    world.askForReport()
    let whole = world.reportFile
    expect(whole.count, 98_304)
    world.press("r", turns: 3)
    expect(ReportFile(world.reportFile) == nil)
    #expect(world.reportFile.prefix(16).allSatisfy { $0 == 0 })
    world.pass(100)
    expect(world.reportFile.count, whole.count, "in place")
    _ = try report(of: world)
  }

  @Test func eachPageOfTheFileBeginsWithARecord() throws {
    let world = try World.following(Self.settings)
    for index in 0..<200 { world.tell(8, UInt32(1_000 + index), "Straße \(index)") }
    world.askForReport()
    let header = world.reportFile.prefix(16)
    for start in stride(from: 4_096, to: world.reportFile.count, by: 4_096) {
      #expect(ReportFile(Array(header + world.reportFile[start..<start + 4_096])) != nil)
    }
  }

  @Test(arguments: [0, 2, 5, 7])
  func noKeyOfAPairingIsInIt(_ time: Int) throws {
    let world = try World.following(Self.settings + ["pairing=required"], pairs: true)
    world.pass(Int64(time))
    world.press("a")
    world.pass(2_000)
    expect(world.states("bond").last, "saved")
    world.loseLink()
    world.advertise()
    world.pass(2_000)
    world.askForReport()
    // The phone's IRK and the LTK: see the layout of the bond's record.
    let keys: [[UInt8]] = [24, 40].map { Array(world.disk[$0..<$0 + 16]) }
    let text = String(decoding: world.reportFile, as: UTF8.self).lowercased()
    for key in keys + [TestSupport.array(world.security.irk.bytes)] {
      expect(key.contains { $0 != 0 })
      for form in [key, key.reversed()] as [[UInt8]] {
        #expect(world.reportFile.ranges(of: form).isEmpty)
        #expect(!text.contains(hex(form).replacing(" ", with: "")))
      }
    }
    expect(try report(of: world).packets.contains { $0.starts(with: [0x01, 0x19, 0x20]) })
  }
}

/// Which report the panel speaks of, and what is no news for a record.
struct AskedReportTests {
  private static let settings = ["report=file:/tmp/report"]

  private func received(_ recording: Recording, _ prefix: [UInt8]) -> Int {
    recording.entries.count {
      guard case .received(let packet) = $0.content else { return false }
      return packet.starts(with: prefix)
    }
  }

  /// What the panel says when each report is on the disk.
  private func noteNotices(in world: World) -> () -> [Scene.Notice?] {
    var notices: [Scene.Notice?] = []
    world.onEvent = { [unowned world] event in
      if event.name == "report" { notices.append(world.device.scene.notice) }
    }
    return { notices }
  }

  /// One that nobody asked for is being written when the rider asks.
  @Test func centralBehaviour86_savedIsSaidOfTheReportThatWasAskedFor() throws {
    let world = try World.following(Self.settings)
    let notices = noteNotices(in: world)
    world.fail(.buttons, .noSuchDevice)
    world.askForReport()
    expect(notices(), [nil, .reportSaved])
  }

  /// The rider has asked, and an error asks for another one while that is being written.
  @Test func centralBehaviour86_theReportThatWasAskedForIsSaidToBeSavedAndNoOther() throws {
    let world = try World.following(Self.settings)
    let notices = noteNotices(in: world)
    world.press("r")
    world.fail(.buttons, .noSuchDevice)
    world.pass(4_000)
    expect(world.events("report").count, 2)
    expect(notices().first, .reportSaved)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  // MARK: - No news

  /// Nor are two that say that they have a name, and do not say which.
  @Test func centralBehaviour86_vendorEventsAndEmptyNamesAreNoNewsForTheRecord() throws {
    let world = try World(Self.settings)
    world.pass(1_000)
    for number in 0..<500 {
      world.receive([0x04, 0xFF, 3, 1, 2, UInt8(number % 256)])
      world.report("01 0\(number % 2) 00 00 00 00 c1", [1, 0x09], rssi: -60)
      world.pass(10)
    }
    let recording = try world.recording()
    expect(received(recording, [0x04, 0xFF]) == 0 && received(recording, [0x04, 0x3E]) == 0)
  }

  /// It owes an answer: the first one counts, and that by which it is dead.
  @Test func centralBehaviour86_aChipThatOnlyBabblesReplaysWithoutADivergence() throws {
    let world = try World.following(Self.settings)
    world.pass(15_000)
    world.controller.completesPackets = false
    world.controller.phone = nil  // nobody answers to the next read
    for _ in 0..<100 {
      world.receive([0x04, 0xFF, 3, 1, 2, 3])
      world.pass(100)
    }
    world.controller.completesPackets = true
    world.controller.phone = world.phone
    world.pass(3_000)
    expect(world.events("recovery").contains { $0["step"] == "reset" })
    let recording = try world.recording()
    #expect((1...4).contains(received(recording, [0x04, 0xFF])))
    expect(try replayed(recording).comparison.divergences, [])
  }
}
