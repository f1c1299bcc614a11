import Bond
import Buttons
import Bytes
import Device
import HCI
import Host

/// A report has all that the device heard, in its order: see `Record`.
extension Player {
  /// Plays it all; throws for a note that nobody understands.
  package mutating func play(report recording: borrowing Recording) throws {
    device.onlyIsTold()
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
        // What the store last held is told apart, and the part that is missing comes behind it, too.
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
        switch phase(of: words) {
        case .turns:
          let gaps = words.dropFirst().map { Int64(UInt32($0) ?? 0) }
          for gap in gaps {
            advance()
            now = now + gap
          }
          advance(before: entries[(index + 1)...])
          hasAdvanced = true
          continue
        case .receiving: hasAdvanced = false
        case .sending:
          if !hasAdvanced { advance(before: entries[index...]) }
          hasAdvanced = true
        case .any: break
        }
        try hear(words)
      }
      takeEvents()
    }
    if !hasAdvanced { advance() }
  }

  /// When in a turn of the loop a note was made: see `Record.Phase`.
  private enum Phase {
    case receiving, sending, any, turns
  }

  private func phase(of words: [String]) -> Phase {
    switch (words.first, words.dropFirst().first) {
    case ("turns", _): .turns
    case ("store", "written"), ("report", _), ("seen", _): .sending
    case (_, "failed"), ("error", _), ("ready", _): .any
    default: .receiving
    }
  }

  /// One turn of the loop, as far as no entry tells of it; `rest` comes behind it.
  private mutating func advance(before rest: ArraySlice<Recording.Entry> = []) {
    if device.board.chip != nil, device.state(of: .buttons) == .open {
      device.edgesWereRead(at: now)
    }
    advanceDevice()
    let ofThisTurn = rest.prefix { $0.time == time && !beginsTurn($0) }
    if !comparison.isInStep { sendCommands(before: ofThisTurn) }
    // A failure of the panel tells how far it had come.
    let failure = ofThisTurn.firstNonNil { entry in
      if case .note(let words) = entry.content, words.starts(with: ["panel", "failed"]) {
        words.last.flatMap(Int.init)
      } else {
        nil
      }
    }
    deliver(limit: failure)
    takeEvents()
  }

  /// Brings the device to where the recording goes on; returns whether `entry` was what the store last held.
  private mutating func bridgeGap(to entry: Recording.Entry) throws -> Bool {
    comparison.lost()
    answerCommands()
    guard case .note(let words) = entry.content, words[0] == "store" else { return false }
    try changeStore(words)
    advanceDevice()
    sendCommands(before: [])  // the phone is another one, and searched for anew
    takeEvents()
    return true
  }

  private func beginsTurn(_ entry: Recording.Entry) -> Bool {
    switch entry.content {
    case .received: true
    case .sent: false
    case .note(let words): phase(of: words) == .receiving || phase(of: words) == .turns
    }
  }

  // MARK: - Packets

  /// `rest` is what follows, if there is a part that is missing before it.
  private mutating func send(_ expected: [UInt8], before rest: ArraySlice<Recording.Entry>?) {
    if let rest, packet != expected { sendCommands(before: rest) }
    let got = packet
    if comparison.compare(expected, got.isEmpty ? nil : got, at: time) { return packetWasSent() }
    knowledge.noteSent(expected)
    guard got.first == PacketIndicator.command else { return }
    packetWasSent()
    answerCommands()
  }

  /// Sends and answers commands that do not come any more: they were in the part that is missing.
  private mutating func sendCommands(before rest: ArraySlice<Recording.Entry>) {
    while packet.first == PacketIndicator.command {
      let content = Recording.Content.sent(packet)
      guard !rest.contains(where: { $0.content == content }) else { return }
      packetWasSent()
      answerCommands()
    }
  }

  private mutating func answerCommands() {
    while let answer = comparison.takeAnswer() { device.receive(answer.span, at: now) }
  }

  // MARK: - Notes

  private mutating func hear(_ words: [String]) throws {
    let rest = Array(words.dropFirst(2))
    let numbers = rest.map { Int64($0) }
    switch (words.first, words.dropFirst().first) {
    case ("radio", "opening"): device.radioOpeningBegan(at: now)
    case ("radio", "open"): device.radioWasOpened(at: now)
    case ("radio", "failed"): device.radioFailed(try radioFailure(rest), at: now)
    case ("panel", "open"): device.panelWasOpened(at: now)
    case ("panel", "failed"):
      device.failed(.panel, try errno(rest.first), at: now)
      panelFailed()
    case ("panel-reset", "failed"):
      device.failed(.panelReset, try errno(rest.first), at: now)
      panelFailed()
    case ("buttons", "open"):
      device.buttonsWereOpened(
        isPagePressed: numbers.first == 1, isUnpairPressed: numbers.last == 1, at: now)
    case ("buttons", "failed"): device.failed(.buttons, try errno(rest.first), at: now)
    case ("alert", "open"): device.alertWasOpened(at: now)
    case ("alert", "failed"): device.failed(.alert, try errno(rest.first), at: now)
    case ("store", "open"): try openStore(rest)
    case ("store", "aside"):
      device.storeWasSetAside(isOpenToOthers: rest.first == "1", at: now)
    case ("store", "written"): device.storeOutputWasWritten(at: now)
    case ("store", "failed"): device.failed(.store, try errno(rest.first), at: now)
    case ("report", "saved"): device.reportWasSaved(at: now)
    case ("report", "failed"): device.reportFailed(try errno(rest.first), at: now)
    case ("gesture", let byte?):
      guard let gesture = byte.utf8.first.flatMap(Gesture.init) else {
        throw UnknownLine(words: words)
      }
      device.receive(gesture, at: now)
    case ("edge", let name?):
      guard numbers.count == 2, let level = numbers[0],
        let age = numbers[1].map(Int32.init(exactly:))?.map(Int64.init)
      else { throw UnknownLine(words: words) }
      device.receive(
        Edge(try button(name), isPressed: level == 1, at: now + -age), at: now)
    case ("release", let name?): device.buttonIsReleased(try button(name), at: now)
    case ("seen", _): device.pictureWasSeen(at: now)
    case ("leave", _): device.leave(at: now)
    case ("home", "here"): device.conclude(.here, at: now)
    case ("home", "away"): device.conclude(.away, at: now)
    case ("deaf", _): device.conclude(.deaf, at: now)
    // What the device of then said itself.
    case ("error", _), ("ready", _), ("mistake", _), ("board-address", _), ("recovery", _):
      break
    default: throw UnknownLine(words: words)
    }
  }

  private func errno(_ word: String?) throws -> Errno {
    guard let number = word.flatMap(Int32.init) else {
      throw UnknownLine(words: ["errno", word ?? ""])
    }
    return Errno(rawValue: number)
  }

  private func button(_ name: String) throws -> Button {
    guard let button = [Button.page, .unpair].first(where: { $0.name == name }) else {
      throw UnknownLine(words: ["button", name])
    }
    return button
  }

  private func radioFailure(_ words: [String]) throws -> RadioFailure {
    switch words.first {
    case "errno": .errno(try errno(words.last))
    case "indicator": .stream(.unknownIndicator(words.last.flatMap(UInt8.init) ?? 0))
    case "oversize": .stream(.oversize(words.last.flatMap(Int.init) ?? 0))
    case "stalled": .stalled
    case "unanswered": .unanswered
    default: throw UnknownLine(words: ["radio", "failed"] + words)
    }
  }

  // MARK: - The store

  private mutating func openStore(_ words: [String]) throws {
    guard words.count >= 3 else { throw UnknownLine(words: ["store", "open"] + words) }
    let contents = try words.dropFirst(3).flatMap { try storeRecord($0) }
    device.storeWasOpened(
      contents.span,
      StoreFacts(
        isDevice: words[0] == "1", isFree: words[1] == "1", isOpenToOthers: words[2] == "1"),
      at: now)
  }

  /// What the store last held before this place, as far as it is known.
  private mutating func changeStore(_ words: [String]) throws {
    let records = words.dropFirst(words.dropFirst().first == "open" ? 5 : 3)
    guard words.count > 3, device.board.pairing != .off else { return }
    let contents = try records.flatMap { try storeRecord($0) }
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

/// The bytes of a record's digits, in which zeros may be their number in parentheses.
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

/// A note that nobody understands, or the part of it.
private struct UnknownLine: Error {
  let words: [String]
}

extension Sequence {
  /// The first result of `body` that is not `nil`.
  fileprivate func firstNonNil<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self { if let result = body(element) { return result } }
    return nil
  }
}
