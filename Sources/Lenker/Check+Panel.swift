import BoardFile
import Bytes
import Graphics
import Linux
import Panel
import Ports
import Recording
import Screens

/// The panel: whether it answers, which other device does, and the test picture.
extension Check {
  mutating func checkPanel() {
    var report = Report("display")
    do throws(Errno) {
      switch board.display {
      case .i2c(let path, let address): try checkBus(path.bytes, address, in: &report)
      case .pbm(let folder): try checkMock(folder.bytes, in: &report)
      }
    } catch {
      report = Report("display", isWell: false)
      error.explain(board.display, into: &report)
      if case .i2c(let path, let address) = board.display {
        if error == .accessDenied { report.append(rightsTo: path.bytes) }
        if error.meansSilence {
          scan(path.bytes, wanted: address, after: error, in: &report)
        }
      }
    }
    say(report)
  }

  private func checkBus(
    _ path: Span<UInt8>, _ address: UInt8, in report: inout Report
  ) throws(Errno) {
    report.append(path)
    report.append(" address ")
    report.append(hexByte: address)
    let adapter = try I2CAdapter(path: path)
    let takesMessages = try adapter.takesMessages()
    var bus = try I2CBus(path: path, address: address)
    let isUsed = bus.isShared || isAnotherRunning()
    if isUsed {
      // Whether the panel acknowledges, without a trace on it: NOP. SSD1306 data sheet, table 9-1.
      let message: InlineArray<2, UInt8> = [0x00, 0xE3]
      try bus.send(message.span)
    } else {
      try draw(over: &bus)
    }
    report.fact(
      takesMessages
        ? "answers; the adapter takes plain I2C messages"
        : "answers; the adapter takes SMBus blocks only, which are slower")
    guard !isUsed else {
      report.hint("another lenker shows its pictures there: stop it to see the test picture")
      return
    }
    report.fact("the test picture stays on it until lenker starts or the power goes")
    report.hint(
      "is a side of its frame missing, or its text upside down? correct panel, column-offset or rotation"
    )
    report.hint(
      "it came three times before, with a number: was 1 not whole? updates = pages makes 2 stay, updates = whole 3"
    )
  }

  /// How long each numbered test picture can be looked at, in milliseconds.
  private static var trialTime: Int64 { 2_000 }

  /// Shows a numbered test picture in each way of updating, and then the one that stays.
  private func draw(over bus: inout I2CBus) throws(Errno) {
    let trials: InlineArray<3, (String, Updates)> = [
      ("1", .changes), ("2", .pages), ("3", .whole),
    ]
    for index in trials.indices {
      let (number, updates) = trials[index]
      var display = testDisplay(updates)
      try send(&display, over: &bus)
      // A clone may take a whole picture and then no change of it.
      display.show(testPicture(number))
      try send(&display, over: &bus)
      wait(Self.trialTime)
    }
    var display = testDisplay(board.updates)
    try send(&display, over: &bus)
  }

  @inline(never)  // one copy
  private func send(_ display: inout PanelDriver, over bus: inout I2CBus) throws(Errno) {
    while !display.message.isEmpty {
      try bus.send(display.message)
      display.messageWasSent()
    }
  }

  /// Adds the test picture to those in the folder; a folder that it had to make is removed again.
  private func checkMock(_ folder: Span<UInt8>, in report: inout Report) throws(Errno) {
    let before = PathBefore(folder)
    // If the folder that it is in is missing as well, the path is more likely mistyped.
    guard before.wasThere || before.wasFolderThere else { throw .noSuchFile }
    report.append(folder)
    var mock = try MockPanel(board.panel, folder: folder, after: PBMWriter.lastNumber(in: folder))
    var display = testDisplay(board.updates)
    while !display.message.isEmpty {
      mock.receive(display.message)
      display.messageWasSent()
    }
    report.fact()
    guard before.wasThere else {
      before.restore(folder)
      report.append("can be written to; the folder is made when lenker starts")
      return
    }
    try mock.flush()
    report.append("the test picture is in frame ")
    report.append(decimal: mock.frameCount)
  }

  /// A panel of the board's kind that is to show the test picture.
  @inline(never)
  private func testDisplay(_ updates: Updates) -> PanelDriver {
    var display = PanelDriver(
      board.panel, rotation: board.rotation, columnOffset: board.columnOffset, updates: updates,
      contrast: board.contrast)
    display.show(testPicture(Start.number))
    return display
  }

  @inline(never)
  private func testPicture(_ caption: String) -> Bitmap {
    var picture = Bitmap(board.panel.pictureSize(board.rotation))
    let caption = caption.utf8
    picture.drawTestPicture(caption: caption.span)
    return picture
  }

  /// Asks which devices are on the bus; a bus that hung already is not asked again.
  private func scan(
    _ path: Span<UInt8>, wanted: UInt8, after reason: Errno, in report: inout Report
  ) {
    do throws(Errno) {
      let scan = reason == .timedOut ? BusScan.hanging : BusScan(try I2CAdapter(path: path))
      scan.explain(path, wanted: wanted, into: &report)
    } catch {
      // The bus was there a moment ago, and the report has what failed then.
    }
  }
}
