package import Buttons
package import Bytes
package import Central
import Controller
package import DeviceState
import HCI

/// What came in beside packets, and what the device says itself: a line of the record.
///
/// Only this type writes and reads notes. After some of them the caller writes more.
package enum Note {
  case radioOpening
  case radioOpen
  case radioFailed(RadioFailure)
  case panelOpen
  /// With the number of messages of the picture that had arrived.
  case panelFailed(Errno, sentCount: Int?)
  case panelResetFailed(Errno)
  case buttonsOpen(isAPressed: Bool, isBPressed: Bool)
  case buttonsFailed(Errno)
  case alertOpen
  case alertFailed(Errno)
  /// What the store holds follows.
  case storeOpen(StoreFacts)
  case storeAside(isOpenToOthers: Bool)
  /// What the store holds there now follows.
  case storeWritten(offset: Int)
  case storeFailed(Errno)
  case reportSaved
  case reportFailed(Errno)
  case gesture(Gesture)
  /// `age` is how many milliseconds ago the kernel saw it.
  case edge(Button, isPressed: Bool, age: Int64)
  case release(Button)
  /// The last picture is on the glass.
  case seen
  case leave
  /// What a register of the battery's gauge holds, 1 or 2 bytes, the high one first.
  case gaugeRead(register: UInt8, UInt16, count: Int)
  case gaugeFailed(Errno)
  case conclusion(Conclusion)
  /// The beacon at home is heard, or no longer.
  case home(isHere: Bool)
  /// The new version is shown: it is another one than the one before.
  case update
  /// The link is ready.
  case ready
  /// The error's source and message follow.
  case error
  /// The mistake in the board file follows.
  case mistake
  case boardAddress(DeviceAddress)
  /// The radio's driver can be bound again; `rebootTime` is when the board reboots, in milliseconds, if it may.
  case recovery(rebootTime: Int64?)
  /// The milliseconds from each turn to the next follow.
  case turns

  /// When in a turn of the loop a note comes.
  package enum Phase: Sendable {
    /// Before the `advance`, which follows in the same millisecond.
    case receiving
    /// After the `advance`.
    case sending
    /// At any time: something failed, or the device says so itself.
    case any
  }

  package var phase: Phase {
    switch self {
    case .storeWritten, .reportSaved, .reportFailed, .seen, .gaugeRead, .gaugeFailed: .sending
    case .radioFailed, .panelFailed, .panelResetFailed, .buttonsFailed, .alertFailed, .storeFailed,
      .error, .ready:
      .any
    default: .receiving
    }
  }
}

extension Note {
  /// The words that a note begins with.
  package enum Name: UInt8, Sendable {
    case radioOpening, radioOpen, radioFailed, panelOpen, panelFailed, panelResetFailed
    case buttonsOpen, buttonsFailed, alertOpen, alertFailed
    case storeOpen, storeAside, storeWritten, storeFailed, reportSaved, reportFailed
    case gesture, edge, release, seen, leave, here, away, deaf, deafened
    case ready, error, mistake, boardAddress, recovery, turns, gaugeRead, gaugeFailed
    case update

    /// How many there are: `init(rawValue:)` knows each number below.
    package static var count: Int { 34 }

    package var text: String { Self.texts[Int(rawValue)] }

    /// In the order of the cases.
    private static var texts: InlineArray<34, String> {
      [
        "radio opening", "radio open", "radio failed", "panel open", "panel failed",
        "panel-reset failed", "buttons open", "buttons failed", "alert open", "alert failed",
        "store open", "store aside", "store written", "store failed", "report saved",
        "report failed", "gesture", "edge", "release", "seen", "leave",
        "home here", "home away", "deaf", "deafened", "ready", "error", "mistake", "board-address",
        "recovery", "turns", "gauge read", "gauge failed", "update",
      ]
    }

    /// The name that a line begins with; `nil` if it is no note.
    package init?(beginning line: Span<UInt8>) {
      for number in 0..<Self.count {
        guard let name = Name(rawValue: UInt8(truncatingIfNeeded: number)),
          let behind = rest(of: line, after: name.text), behind.isEmpty || behind[0] == 0x20
        else { continue }
        self = name
        return
      }
      return nil
    }

    /// Whether it says what became of the transport.
    var isOfRadio: Bool {
      switch self {
      case .radioOpening, .radioOpen, .radioFailed: true
      default: false
      }
    }

    /// Whether it says what the store holds, or where.
    package var isOfStore: Bool {
      switch self {
      case .storeOpen, .storeAside, .storeWritten: true
      default: false
      }
    }
  }

  package var name: Name {
    switch self {
    case .radioOpening: .radioOpening
    case .radioOpen: .radioOpen
    case .radioFailed: .radioFailed
    case .panelOpen: .panelOpen
    case .panelFailed: .panelFailed
    case .panelResetFailed: .panelResetFailed
    case .buttonsOpen: .buttonsOpen
    case .buttonsFailed: .buttonsFailed
    case .alertOpen: .alertOpen
    case .alertFailed: .alertFailed
    case .storeOpen: .storeOpen
    case .storeAside: .storeAside
    case .storeWritten: .storeWritten
    case .storeFailed: .storeFailed
    case .reportSaved: .reportSaved
    case .reportFailed: .reportFailed
    case .gesture: .gesture
    case .edge: .edge
    case .release: .release
    case .seen: .seen
    case .leave: .leave
    case .home(let isHere): isHere ? .here : .away
    case .conclusion(.deaf): .deaf
    case .conclusion(.deafened): .deafened
    case .ready: .ready
    case .error: .error
    case .mistake: .mistake
    case .boardAddress: .boardAddress
    case .recovery: .recovery
    case .turns: .turns
    case .gaugeRead: .gaugeRead
    case .gaugeFailed: .gaugeFailed
    case .update: .update
    }
  }

  /// Writes the line, without what the caller adds.
  package func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(name.text)
    switch self {
    case .radioFailed(let failure): failure.write(into: &writer)
    case .panelFailed(let reason, let sentCount):
      writer.append(reason)
      if let sentCount { writer.append(number: Int64(widening: sentCount)) }
    case .panelResetFailed(let reason), .buttonsFailed(let reason), .alertFailed(let reason),
      .storeFailed(let reason), .reportFailed(let reason), .gaugeFailed(let reason):
      writer.append(reason)
    case .gaugeRead(let register, let value, let count):
      writer.append(" ")
      writer.append(hex: UInt64(widening: UInt32(register)), atLeast: 2)
      writer.append(" ")
      writer.append(hex: UInt64(widening: UInt32(value)), atLeast: 2 * count)
    case .buttonsOpen(let isAPressed, let isBPressed):
      writer.append(isAPressed)
      writer.append(isBPressed)
    case .storeOpen(let facts):
      writer.append(facts.isDevice)
      writer.append(facts.isFree)
      writer.append(facts.isOpenToOthers)
    case .storeAside(let isOpenToOthers): writer.append(isOpenToOthers)
    case .storeWritten(let offset): writer.append(number: Int64(widening: offset))
    case .gesture(let gesture):
      writer.append(" ")
      writer.append(gesture.byte)
    case .edge(let button, let isPressed, let age):
      writer.append(button)
      writer.append(isPressed)
      writer.append(number: age)
    case .release(let button): writer.append(button)
    case .boardAddress(let address):
      writer.append(number: Int64(widening: Int(address.type.rawValue)))
      writer.append(" ")
      writer.append(hex: address.value, atLeast: 12)
    case .recovery(let rebootTime): if let rebootTime { writer.append(number: rebootTime) }
    default: break
    }
  }

  /// Reads a line, or the part of it that `write` wrote; `nil` if it is no such line.
  package init?(_ reader: inout NoteReader) {
    guard let name = reader.name(), let note = Self.read(name, from: &reader) else { return nil }
    self = note
  }

  private static func read(_ name: Name, from reader: inout NoteReader) -> Note? {
    switch name {
    case .radioOpening: return .radioOpening
    case .radioOpen: return .radioOpen
    case .radioFailed: return RadioFailure(&reader).map { .radioFailed($0) }
    case .panelOpen: return .panelOpen
    case .panelFailed:
      guard let reason = reader.errno() else { return nil }
      return .panelFailed(reason, sentCount: reader.number().map { Int(truncatingIfNeeded: $0) })
    case .panelResetFailed: return reader.errno().map { .panelResetFailed($0) }
    case .buttonsOpen:
      let isAPressed = reader.flag() ?? false
      return .buttonsOpen(isAPressed: isAPressed, isBPressed: reader.flag() ?? false)
    case .buttonsFailed: return reader.errno().map { .buttonsFailed($0) }
    case .alertOpen: return .alertOpen
    case .alertFailed: return reader.errno().map { .alertFailed($0) }
    case .storeOpen:
      guard let isDevice = reader.flag(), let isFree = reader.flag(),
        let isOpenToOthers = reader.flag()
      else { return nil }
      return .storeOpen(
        StoreFacts(isDevice: isDevice, isFree: isFree, isOpenToOthers: isOpenToOthers))
    case .storeAside: return .storeAside(isOpenToOthers: reader.flag() ?? false)
    case .storeWritten:
      return .storeWritten(offset: Int(truncatingIfNeeded: reader.number() ?? 0))
    case .storeFailed: return reader.errno().map { .storeFailed($0) }
    case .reportSaved: return .reportSaved
    case .reportFailed: return reader.errno().map { .reportFailed($0) }
    case .gesture: return reader.gesture().map { .gesture($0) }
    case .edge:
      guard let button = reader.button(), let level = reader.number(), let age = reader.number32(),
        reader.rest.isEmpty
      else { return nil }
      return .edge(button, isPressed: level == 1, age: Int64(widening: age))
    case .release: return reader.button().map { .release($0) }
    case .seen: return .seen
    case .leave: return .leave
    case .here: return .home(isHere: true)
    case .away: return .home(isHere: false)
    case .deaf: return .conclusion(.deaf)
    case .deafened: return .conclusion(.deafened)
    case .ready: return .ready
    case .error: return .error
    case .mistake: return .mistake
    case .boardAddress:
      guard let number = reader.byte(), let type = AddressType(rawValue: number),
        let value = reader.hexadecimal()
      else { return nil }
      return .boardAddress(DeviceAddress(value, type))
    case .recovery: return .recovery(rebootTime: reader.number())
    case .turns: return .turns
    case .gaugeRead:
      return reader.register().map { .gaugeRead(register: $0, $1, count: $2) }
    case .gaugeFailed: return reader.errno().map { .gaugeFailed($0) }
    case .update: return .update
    }
  }
}

extension RadioFailure {
  fileprivate func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    switch self {
    case .errno(let reason):
      writer.append(" errno")
      writer.append(reason)
    case .stream(.unknownIndicator(let byte)):
      writer.append(" indicator")
      writer.append(number: Int64(widening: Int(byte)))
    case .stream(.oversize(let count)):
      writer.append(" oversize")
      writer.append(number: Int64(widening: count))
    case .stalled: writer.append(" stalled")
    case .unanswered: writer.append(" unanswered")
    }
  }

  fileprivate init?(_ reader: inout NoteReader) {
    let word = reader.word()
    if isText(word, "errno") {
      guard let reason = reader.errno() else { return nil }
      self = .errno(reason)
    } else if isText(word, "indicator") {
      self = .stream(.unknownIndicator(reader.byte() ?? 0))
    } else if isText(word, "oversize") {
      self = .stream(.oversize(Int(truncatingIfNeeded: reader.number() ?? 0)))
    } else if isText(word, "stalled") {
      self = .stalled
    } else if isText(word, "unanswered") {
      self = .unanswered
    } else {
      return nil
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// A number with a blank in front.
  fileprivate mutating func append(number: Int64) {
    append(" ")
    append(decimal: number)
  }

  fileprivate mutating func append(_ reason: Errno) {
    append(number: Int64(widening: Int(reason.rawValue)))
  }

  fileprivate mutating func append(_ flag: Bool) { append(flag ? " 1" : " 0") }

  fileprivate mutating func append(_ button: Button) {
    append(" ")
    append(button.name)
  }
}
