import BondFile
import Buttons
import Bytes
import Central
import Controller
import Device
import DeviceState
import HCI
import Recording

/// A report has all input of the device in its order: see `Record`.
extension Player {
  /// Plays the whole report; throws for an unknown note.
  package mutating func play(report recording: borrowing Recording) throws {
    device.takeConclusionsFromReport()
    do {
      try play(recording.entries)
    } catch let line as UnknownLine {
      throw ReplayError.data(
        "\(recording.name): \(seconds(time)) s: this version does not know the line “\(told(line.words))”: replay it with the version that made it"
      )
    }
  }

  private mutating func play(_ entries: [Recording.Entry]) throws {
    var hasAdvanced = true
    var dropped: UInt32 = 0
    var isGapOpen = false
    for (index, entry) in entries.enumerated() {
      let isBehindGap = entry.dropped != dropped || isGapOpen
      if isBehindGap {
        if !hasAdvanced { advance() }
        hasAdvanced = true
        dropped = entry.dropped
        skipped = entry.time - (now - start)
        // The store's last content stands alone: entries are missing after it, too.
        isGapOpen = try bridgeGap(to: entry)
        if isGapOpen { continue }
      }
      let moment = start + (entry.time - skipped)
      if moment > now, !hasAdvanced {
        advance()
        hasAdvanced = true
      }
      now = max(now, moment)
      switch entry.content {
      case .received(let packet):
        receive(packet)
        hasAdvanced = false
      case .sent(let packet):
        if !hasAdvanced { advance(before: entries[index...]) }
        hasAdvanced = true
        send(packet, before: dropped > 0 ? entries[(index + 1)...] : nil)
      case .note(let words):
        let parsed = ParsedNote(words)
        if case .turns = parsed.note {
          let gaps = parsed.rest.map { Int64(UInt32($0) ?? 0) }
          for gap in gaps {
            advance()
            now = now + gap
          }
          advance(before: entries[(index + 1)...])
          hasAdvanced = true
          continue
        }
        switch parsed.note?.phase ?? .receiving {
        case .receiving: hasAdvanced = false
        case .sending:
          if !hasAdvanced { advance(before: entries[index...]) }
          hasAdvanced = true
        case .any: break
        }
        try receive(parsed)
      }
      takeEvents()
    }
    if !hasAdvanced { advance() }
  }

  /// One turn of the loop, as far as no entry has it; `rest` follows.
  private mutating func advance(before rest: ArraySlice<Recording.Entry> = []) {
    if device.board.chip != nil, device.upkeep.ports[.buttons].isOpen {
      device.edgesWereRead(at: now)
    }
    advanceDevice()
    let ofThisTurn = rest.prefix { $0.time == time && !beginsTurn($0) }
    if !comparison.isInStep { sendCommands(before: ofThisTurn) }
    // A failure of the panel says how far it had come.
    var limit: Int?
    for case .note(let words) in ofThisTurn.map(\.content) {
      if case .panelFailed(_, let sentCount) = ParsedNote(words).note { limit = limit ?? sentCount }
    }
    deliver(limit: limit)
    takeEvents()
  }

  /// Brings the device to where the recording goes on; returns whether `entry` was what the store last held.
  private mutating func bridgeGap(to entry: Recording.Entry) throws -> Bool {
    comparison.lost()
    answerCommands()
    endRequests()
    guard case .note(let words) = entry.content, let name = Note.Name(of: words),
      name.isOfStore || name == .storeFailed
    else { return false }
    try changeStore(ParsedNote(words))
    advanceDevice()
    sendCommands(before: [])  // the phone is another one, and the search begins again
    takeEvents()
    return true
  }

  private func beginsTurn(_ entry: Recording.Entry) -> Bool {
    switch entry.content {
    case .received: true
    case .sent: false
    case .note(let words): ParsedNote(words).beginsTurn
    }
  }

  // MARK: - Packets

  /// Sends a packet and compares it with `expected`; `rest` follows, and is given if entries are missing.
  private mutating func send(_ expected: [UInt8], before rest: ArraySlice<Recording.Entry>?) {
    if let rest, packet != expected { sendMissing(before: rest) }
    let got = packet
    if comparison.compare(expected, got.isEmpty ? nil : got, at: time) { return packetWasSent() }
    knowledge.noteSent(expected)
    guard got.first == PacketIndicator.command else { return }
    packetWasSent()
    answerCommands()
  }

  /// Sends and answers commands that do not follow any more: they were in the missing part.
  private mutating func sendCommands(before rest: ArraySlice<Recording.Entry>) {
    while packet.first == PacketIndicator.command, isMissing(in: rest) { sendMissing() }
  }

  /// Does the same for requests to the phone that were last sent in the missing part.
  private mutating func sendMissing(before rest: ArraySlice<Recording.Entry>) {
    while packet.first == PacketIndicator.command || Comparison.isRequest(packet),
      isMissing(in: rest)
    { sendMissing() }
  }

  private func isMissing(in rest: ArraySlice<Recording.Entry>) -> Bool {
    let content = Recording.Content.sent(packet)
    return !rest.contains { $0.content == content }
  }

  /// Ends what was about to be sent and asked, as the answers are in the missing part, too.
  private mutating func endRequests() {
    repeat {
      while packet.first == PacketIndicator.aclData { sendMissing() }
    } while refuseRequest()
  }

  private mutating func sendMissing() {
    let packet = packet
    packetWasSent()
    guard packet.first == PacketIndicator.aclData else { return answerCommands() }
    device.receive(Comparison.completion(of: packet).span, at: now)
    if Comparison.isRequest(packet) { _ = refuseRequest() }
  }

  private mutating func answerCommands() {
    while let answer = comparison.takeAnswer() { device.receive(answer.span, at: now) }
  }

  /// Refuses the last open request; returns whether there was one.
  private mutating func refuseRequest() -> Bool {
    guard let refusal = comparison.takeRefusal() else { return false }
    device.receive(refusal.span, at: now)
    return true
  }

  // MARK: - Notes

  private mutating func receive(_ parsed: ParsedNote) throws {
    guard let note = parsed.note else { throw UnknownLine(words: parsed.words) }
    switch note {
    case .radioOpening: device.radioOpeningBegan(at: now)
    case .radioOpen: device.radioWasOpened(at: now)
    case .radioFailed(let failure): device.radioFailed(failure, at: now)
    case .panelOpen: device.panelWasOpened(at: now)
    case .panelFailed(let reason, _):
      device.failed(.panel, reason, at: now)
      panelFailed()
    case .panelResetFailed(let reason):
      device.failed(.panelReset, reason, at: now)
      panelFailed()
    case .buttonsOpen(let isAPressed, let isBPressed):
      device.buttonsWereOpened(
        isAPressed: isAPressed, isBPressed: isBPressed, at: now)
    case .buttonsFailed(let reason): device.failed(.buttons, reason, at: now)
    case .alertOpen: device.alertWasOpened(at: now)
    case .alertFailed(let reason): device.failed(.alert, reason, at: now)
    case .storeOpen(let facts):
      let contents = try parsed.rest.flatMap { try storeRecord($0) }
      device.storeWasOpened(contents.span, facts, at: now)
    case .storeAside(let isOpenToOthers):
      device.storeWasSetAside(isOpenToOthers: isOpenToOthers, at: now)
    case .storeWritten: device.storeOutputWasWritten(at: now)
    case .storeFailed(let reason): device.failed(.store, reason, at: now)
    case .reportSaved: device.reportWasSaved(at: now)
    case .reportFailed(let reason): device.reportFailed(reason, at: now)
    case .gesture(let gesture): device.receive(gesture, at: now)
    case .edge(let button, let isPressed, let age):
      device.receive(Edge(button, isPressed: isPressed, at: now + -age), at: now)
    case .release(let button): device.buttonIsReleased(button, at: now)
    case .seen: device.pictureWasSeen(at: now)
    case .leave: device.leave(at: now)
    case .gaugeRead(let register, let value, let count):
      let bytes = [UInt8(value >> 8), UInt8(value & 0xFF)].suffix(count)
      device.gaugeWasRead(Array(bytes).span, of: register, at: now)
    case .gaugeFailed(let reason): device.gaugeFailed(reason, at: now)
    case .conclusion(let conclusion): device.conclude(conclusion, at: now)
    case .home(let isHere): device.concludeHome(isHere: isHere, at: now)
    case .update: device.showUpdate(at: now)
    // What the recorded device said itself, and turns: they are no input.
    case .error, .ready, .mistake, .boardAddress, .recovery, .turns: break
    }
  }

  // MARK: - The store

  /// Gives the device what the store last held before this place, as far as it is known.
  private mutating func changeStore(_ parsed: ParsedNote) throws {
    switch parsed.note {
    case .storeOpen: break
    case .storeWritten where !parsed.rest.isEmpty: break
    case nil: throw UnknownLine(words: parsed.words)
    default: return
    }
    guard device.board.pairing != .off else { return }
    let contents = try parsed.rest.flatMap { try storeRecord($0) }
    // The device reads a store when it is opened.
    device.failed(.store, .inputOutput, at: now)
    device.storeWasOpened(
      contents.span, StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false), at: now)
  }

  /// What a record of the store begins with; then comes its version.
  private static var recordStart: [UInt8] { [0x89] + Array("LKBOND\n".utf8) }

  /// A record of the store with blank keys: see `BondRecord`.
  private func storeRecord(_ word: String) throws -> [UInt8] {
    let size = BondStore.size / 2
    var record: [UInt8] = []
    switch word {
    case "blank": break
    case "damaged": record = Self.recordStart
    case "foreign": record = Array("somebody else's".utf8)
    case "later": record = Self.recordStart + [.max]
    default:
      guard let bytes = storeBytes(word), bytes.count <= size - 4 else {
        throw UnknownLine(words: [word])
      }
      record = bytes
    }
    record += [UInt8](repeating: 0, count: size - 4 - record.count)
    let checksum = word == "blank" ? 0 : crc32(record.span)
    return record + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }
}

/// The bytes of a record's digits; a number in parentheses stands for that many zeros.
private func storeBytes(_ word: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var rest = word[...]
  while let first = rest.first {
    if first == "(" {
      guard let end = rest.firstIndex(of: ")"), let count = Int(rest[..<end].dropFirst()),
        (0...BondStore.size).contains(count)
      else { return nil }
      bytes += [UInt8](repeating: 0, count: count)
      rest = rest[end...].dropFirst()
    } else {
      let digits = rest.prefix(2)
      guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
  }
  return bytes
}

/// An unknown note, or the unknown part of one.
private struct UnknownLine: Error {
  let words: [String]
}

struct ParsedNote {
  let words: [String]
  /// `nil` if it is unknown.
  let note: Note?
  let rest: [String]

  init(_ words: [String]) {
    self.words = words
    let line = Array(words.joined(separator: " ").utf8)
    var reader = NoteReader(line.span)
    note = Note(&reader)
    // A blank is in front of each word.
    let rest = String(decoding: array(reader.rest), as: UTF8.self)
    self.rest = rest.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
  }

  var beginsTurn: Bool { note?.phase ?? .receiving == .receiving }
}

extension Note.Name {
  /// The name of a note, whether the rest of it is understood or not.
  init?(of words: [String]) {
    let line = Array(words.joined(separator: " ").utf8)
    self.init(beginning: line.span)
  }
}
