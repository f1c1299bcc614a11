import BoardFile
import Bytes
import Crypto
import Device

/// Plays a recording to a device in virtual time, as the loop of the program did, and keeps what the device sends.
struct Player: ~Copyable {
  /// How much later than its deadline a turn of the loop may have begun, in milliseconds.
  ///
  /// A turn that left something behind is played when it was; one that left nothing, at its deadline.
  private static var lateness: Int64 { 50 }

  private var device: Device<SoftwareCrypto>
  private let start: Instant
  private var now: Instant
  private(set) var messages: [Recording.Message] = []
  private(set) var events: [UInt8] = []
  /// The packets that were sent.
  private(set) var packets: [[UInt8]] = []

  /// A device with this board that has just been started.
  init(_ board: Board, version: String) {
    start = Instant(milliseconds: 1_000_000)
    now = start
    let nothing = [UInt8]()
    let version = Array(version.utf8)
    device = Device(
      board, version: version.span, boardAddress: nil, mistake: nothing.span,
      cryptography: SoftwareCrypto(), at: start)
  }

  /// Plays it all; the transport was opened `lead` milliseconds after the start.
  mutating func play(_ recording: borrowing Recording, lead: Int64) {
    var moments = Set(recording.packets.map { $0.time + lead })
    moments.formUnion(recording.messages.map(\.time))
    moments.insert(0)
    var rest = recording.packets[...]
    for moment in moments.sorted() {
      meetDeadlines(before: moment)
      now = start + moment
      if moment == lead { device.radioWasOpened(at: now) }
      var hasTurned = false
      while let packet = rest.first, packet.time + lead == moment {
        // What was sent since tells where a turn ended; those that are received in one turn follow each other.
        if packet.isReceived { device.receive(packet.bytes.span, at: now) }
        rest.removeFirst()
        hasTurned = false
        if rest.first.map({ $0.time + lead != moment || !$0.isReceived }) ?? true {
          turn()
          hasTurned = true
        }
      }
      if !hasTurned { turn() }
    }
  }

  private mutating func meetDeadlines(before moment: Int64) {
    while let deadline = device.deadline, deadline + Self.lateness < start + moment {
      now = deadline > now ? deadline : now + 1
      turn()
    }
  }

  /// What the loop does before it waits.
  private mutating func turn() {
    openPorts()
    device.advance(to: now)
    sendPackets()
    while !device.storeOutput.isEmpty { device.storeOutputWasWritten(at: now) }
    sendPackets()
    if let isHigh = device.alertChange { device.alertWasSet(isHigh) }
    while !device.messages.isEmpty { sendMessages() }
    events += array(device.events)
    device.eventsWereWritten()
  }

  private mutating func openPorts() {
    if device.isDue(.hci, at: now) { device.radioOpeningBegan() }
    if device.isDue(.store, at: now) {
      let empty = [UInt8](repeating: 0, count: 1024)
      device.storeWasOpened(
        empty.span, StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false), at: now)
    }
    if device.isDue(.panel, at: now) { device.panelWasOpened(at: now) }
    if device.isDue(.buttons, at: now) {
      device.buttonsWereOpened(isPagePressed: false, isUnpairPressed: false, at: now)
    }
    if device.isDue(.alert, at: now) { device.alertWasOpened(at: now) }
  }

  private mutating func sendPackets() {
    while !device.packet.isEmpty {
      packets.append(array(device.packet))
      device.packetWasSent(at: now)
    }
  }

  private mutating func sendMessages() {
    let bytes = array(device.messages)
    var position = 0
    for index in device.messageLengths.indices {
      let end = position + Int(device.messageLengths[index])
      messages.append(.init(time: now - start, bytes: Array(bytes[position..<end])))
      position = end
    }
    device.messagesWereSent(frame: nil, at: now)
  }
}
