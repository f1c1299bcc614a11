import Bytes
import Device
import DeviceState
import HCI
import Recording

/// A capture has only packets: the rest of the device works, and no button is pressed.
extension Player {
  /// How much later than its deadline a turn of the loop is taken to have begun, in milliseconds.
  private static var lateness: Int64 { 50 }

  /// Plays the whole capture; the transport was opened `lead` milliseconds after the start.
  ///
  /// A turn with output is played at its recorded time, a turn without output at its deadline. A capture does not say
  /// which is which. If `moments` has the times of all messages on the panel's bus, a turn that has output at a
  /// deadline, where nothing was recorded, was late: the play ends and returns that deadline. Played again with this
  /// deadline in `late`, beside earlier ones, that turn comes at the time of the next recorded one.
  @discardableResult
  package mutating func play(
    capture recording: borrowing Recording, lead: Int64, moments: [Int64]? = nil,
    late: Set<Int64> = []
  ) -> Int64? {
    // A capture does not say why the program ended: its farewell is left out.
    let entries = recording.entries[..<farewell(in: recording.entries)]
    var all = Set(entries.map { $0.time + lead })
    all.formUnion(moments ?? [])
    all.insert(0)
    var rest = entries
    var sent = entries.filter { if case .sent = $0.content { true } else { false } }[...]
    for moment in all.sorted() {
      let early = meetDeadlines(before: moment, late: late, &sent)
      if moments != nil, let early { return early }
      now = start + moment
      if moment == lead { device.radioWasOpened(at: now) }
      var hasTurned = false
      while let entry = rest.first, entry.time + lead == moment {
        switch entry.content {
        // Packets that are received in one turn follow each other.
        case .received(let packet):
          receive(packet)
          hasTurned = false
        // A packet that was sent shows where a turn ended, even one that received nothing.
        case .sent, .note:
          if !hasTurned { turn(&sent) }
          hasTurned = true
        }
        rest.removeFirst()
      }
      if !hasTurned { turn(&sent) }
    }
    if let next = sent.first, case .sent(let packet) = next.content {
      _ = comparison.compare(packet, nil, at: next.time)
    }
    return nil
  }

  /// Where the last turn begins, if it ended a link, an attempt at a link or the search; else the end.
  ///
  /// The packets received in that turn were not answered any more.
  private func farewell(in entries: [Recording.Entry]) -> Int {
    let last = entries.lastIndex { !isReceived($0) }
    guard let last, case .sent(let packet) = entries[last].content else { return entries.count }
    let isEnd =
      isCommand(packet, .disconnect) || isCommand(packet, .leCreateConnectionCancel)
      || isCommand(packet, .leSetScanEnable) && packet.count > 4 && packet[4] == 0
    guard isEnd else { return entries.count }
    let before = entries[..<last].lastIndex {
      !isReceived($0) || $0.time != entries[last].time
    }
    return (before ?? -1) + 1
  }

  private func isReceived(_ entry: Recording.Entry) -> Bool {
    if case .received = entry.content { true } else { false }
  }

  /// Plays the turns at deadlines well before `moment`, up to one that is in `late`.
  ///
  /// Returns the first deadline at which a turn left something behind.
  private mutating func meetDeadlines(
    before moment: Int64, late: Set<Int64>, _ sent: inout ArraySlice<Recording.Entry>
  ) -> Int64? {
    var early: Int64?
    while let deadline = device.deadline, deadline + Self.lateness < start + moment {
      let due = max(deadline, now + 1)
      if late.contains(due - start) { break }
      now = due
      let (packetCount, messageCount) = (sent.count, messages.count)
      turn(&sent)
      let leftNothing = sent.count == packetCount && messages.count == messageCount
      if early == nil, !leftNothing { early = due - start }
    }
    return early
  }

  private mutating func turn(_ sent: inout ArraySlice<Recording.Entry>) {
    openPorts()
    advanceDevice()
    sendPackets(&sent)
    while !device.storeOutput.isEmpty { device.storeOutputWasWritten(at: now) }
    sendPackets(&sent)
    deliver()
    if device.recorder.isPieceDue { device.reportWasSaved(at: now) }
    takeEvents()
  }

  private mutating func openPorts() {
    if device.upkeep.isDue(.hci, at: now) { device.radioOpeningBegan(at: now) }
    if device.upkeep.isDue(.store, at: now) {
      let empty = [UInt8](repeating: 0, count: 1024)
      device.storeWasOpened(
        empty.span, StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false), at: now)
    }
    if device.upkeep.isDue(.panel, at: now) { device.panelWasOpened(at: now) }
    if device.upkeep.isDue(.buttons, at: now) {
      device.buttonsWereOpened(isAPressed: false, isBPressed: false, at: now)
    }
    if device.upkeep.isDue(.alert, at: now) { device.alertWasOpened(at: now) }
  }

  private mutating func sendPackets(_ sent: inout ArraySlice<Recording.Entry>) {
    while !device.packet.isEmpty {
      let expected = sent.popFirst()
      if case .sent(let packet) = expected?.content {
        _ = comparison.compare(packet, self.packet, at: time)
      } else {
        _ = comparison.compare(nil, packet, at: time)
      }
      packetWasSent()
    }
  }
}
