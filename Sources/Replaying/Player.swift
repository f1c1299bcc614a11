package import BoardFile
import Bytes
import Crypto
import Device
import DeviceState
import Events
import Graphics
import Panel
import PanelModel
import Recording

/// Today's device with all that is around it in a replay, and what it sends.
package struct Player: ~Copyable {
  /// One message for the panel; `time` counts from the start of the program, in milliseconds.
  package struct Message: Equatable {
    package var time: Int64
    package var bytes: [UInt8]
  }

  /// What the glass showed from a time on.
  package struct Picture {
    package var time: Int64
    /// The number in its event; a picture that changed nothing on the glass has one, too.
    package var number: Int
    /// In the format P4.
    package var pbm: [UInt8]
  }

  var device: Device<RecordedCrypto>
  let knowledge: Knowledge
  let start: Instant
  var now: Instant
  /// How far the recording's clock is ahead of this one, for what is missing in the recording.
  var skipped: Int64 = 0
  package internal(set) var comparison: Comparison
  package private(set) var messages: [Message] = []
  package private(set) var events: [UInt8] = []
  package private(set) var pictures: [Picture] = []
  private var panel: PanelModel
  private var glass: Bitmap
  private var redaction = Redaction()
  /// How many messages of the picture that is being sent have arrived.
  private var sentCount = 0
  /// How many pictures have arrived, whether they changed the glass or not.
  private var pictureCount = 0

  /// A device with this board that has just been started.
  package init(_ board: Board, version: String, _ recording: Recording) {
    start = Instant(milliseconds: 1_000_000)
    now = start
    knowledge = Knowledge(recording.entries)
    comparison = Comparison()
    let circumstances = Circumstances(recording.entries)
    let (version, mistake) = (Array(version.utf8), Array(circumstances.mistake.utf8))
    var board = board
    (board.events, board.topics) = (.standardError, .ofDevice)  // so that there are all events
    device = Device(
      board, version: version.span, boardAddress: circumstances.boardAddress,
      mistake: mistake.span, cryptography: RecordedCrypto(knowledge: knowledge),
      recoveredBy: circumstances.means(from: start), at: start)
    panel = PanelModel(board.panel)
    glass = Bitmap(board.panel.size)
  }

  /// The time of the recording.
  var time: Int64 { now - start + skipped }

  mutating func advanceDevice() {
    if device.upkeep.isRebindRequested { device.rebindRequestWasSent() }
    device.advance(to: now)
  }

  /// Delivers the device's messages to the panel, up to a failure after `limit` messages.
  mutating func deliver(limit: Int? = nil) {
    if let level = device.alertChange { device.alertWasSet(level) }
    if device.isPanelResetOver { device.panelResetWasEnded(at: now) }
    while !device.messages.isEmpty, sentCount < limit ?? .max {
      let bytes = array(device.messages)
      var position = 0
      for index in device.messageLengths.indices {
        let end = position + Int(device.messageLengths[index])
        messages.append(Message(time: time, bytes: Array(bytes[position..<end])))
        panel.receive(bytes.span.extracting(position..<end))
        position = end
      }
      let endsPicture = device.display.output.endsPicture
      sentCount = endsPicture ? 0 : sentCount + device.messageLengths.count
      device.messagesWereSent(frame: nil, at: now)
      if endsPicture { look() }
    }
  }

  mutating func panelFailed() { sentCount = 0 }

  private mutating func look() {
    pictureCount += 1
    guard panel.updateGlass(&glass) else { return }
    var picture = FixedBuffer<2059>()
    PBM.append(glass, to: &picture)
    pictures.append(Picture(time: time, number: pictureCount, pbm: array(picture.bytes)))
  }

  /// The messages as the I2C trace of the firmware has them.
  package var trace: [UInt8] {
    messages.flatMap { message in
      var line = FixedBuffer<3328>()
      line.append(
        traceOf: message.bytes.span, to: device.display.panelPort.address,
        atMilliseconds: message.time)
      line.append("\n")
      return array(line.bytes)
    }
  }

  mutating func takeEvents() {
    events += array(device.events)
    device.eventsWereWritten()
  }

  mutating func receive(_ packet: [UInt8]) {
    let packet = knowledge.translate(packet)
    comparison.received(packet)
    device.receive(packet.span, at: now)
  }

  /// The packet that the device wants to send, without its keys.
  var packet: [UInt8] {
    var redaction = redaction
    return Self.sent(device.packet, &redaction)
  }

  private static func sent(_ packet: Span<UInt8>, _ redaction: inout Redaction) -> [UInt8] {
    var copy = FixedBuffer<1026>()
    copy.assign(packet)
    redaction.blank(&copy, isReceived: false)
    return array(copy.bytes)
  }

  mutating func packetWasSent() {
    let packet = Self.sent(device.packet, &redaction)
    knowledge.noteSent(packet)
    comparison.sent(packet)
    device.packetWasSent(at: now)
  }
}

private struct Circumstances {
  var boardAddress: DeviceAddress?
  var mistake = ""
  private var canRebind = false
  /// Milliseconds from the start.
  private var rebootTime: Int64?

  init(_ entries: [Recording.Entry]) {
    for case .note(let words) in entries.map(\.content) {
      let parsed = ParsedNote(words)
      switch parsed.note {
      case .mistake: mistake = parsed.rest.joined(separator: " ")
      case .boardAddress(let address): boardAddress = address
      case .recovery(let rebootTime):
        canRebind = true
        self.rebootTime = rebootTime
      default: break
      }
    }
  }

  func means(from start: Instant) -> RecoveryMeans {
    RecoveryMeans(canRebind: canRebind, rebootTime: rebootTime.map { start + $0 })
  }
}
