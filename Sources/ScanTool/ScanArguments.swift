package import BoardFile
package import Bytes
import Events
package import Places

/// The program's arguments, read one after the other; `help` explains them.
package struct ScanArguments: ~Copyable {
  /// A fingerprint for `locate`.
  package struct FingerprintFile: Sendable {
    /// The name of the location.
    package var location = PlaceName { _ in }
    /// Where the file is.
    package var path = Text("")
  }

  /// What to do: help before the version, and both before a command.
  package var command: ScanCommand { information ?? task }
  private var task = ScanCommand.scan
  private var information: ScanCommand?
  private(set) var filter = AdvertisementFilter()
  /// How long to listen; with `nil` until the user ends the program.
  private(set) var seconds: Int?
  /// Whether no device is asked for a scan response.
  private(set) var isPassive = false
  /// Whether lines are wanted, even on a terminal.
  package private(set) var wantsLines = false
  /// The topics that standard output gets.
  private(set) var topics = Topics.ofScanTool
  /// Whether values are read, too.
  private(set) var reads = false
  private(set) var address: UInt64?
  /// The byte to write to the switch.
  private(set) var level: UInt8?
  private(set) var groups = FixedList<4, Locator.Group>(
    filler: .init(name: PlaceName { _ in }, UUID(0, 0)))
  /// The name of the place to learn.
  private var location: PlaceName?
  /// Where its fingerprint goes.
  package private(set) var output: Text?
  package private(set) var files = FixedList<16, FingerprintFile>(filler: FingerprintFile())

  /// The board's keys that have a meaning here, and the first mistake in them.
  private var boardParser = BoardParser()
  private var boardError: BoardError?
  private var pending: ScanOption?
  /// A bit for each option that was given.
  private var given: UInt16 = 0
  private var hasCommand = false

  package init() {}

  package func board() throws(BoardError) -> Board {
    if let boardError { throw boardError }
    return try boardParser.finish()
  }

  /// Reads one argument; the first one after the program's name has position 1.
  package mutating func read(_ argument: Span<UInt8>, position: Int) throws(ScanUsageError) {
    guard position <= 64 else { throw .init(argument: "more than 64 arguments, from here on:") }
    if let option = pending {
      pending = nil
      return try set(option, argument)
    }
    if hasPrefix(argument, "--") { return try readOption(argument.extracting(droppingFirst: 2)) }
    if argument.isEmpty || argument[0] == 0x2D { throw .init(argument: "unknown option") }
    if let list = rest(of: argument, after: "topics=") {
      guard let topics = Topics(list: list, among: .ofScanTool) else {
        throw .init(
          argument: """
            topics wants all, or a list with commas of radio, device, beacons, advertisementData, not
            """)
      }
      self.topics = topics
    } else if hasPrefix(argument, "hci=") || hasPrefix(argument, "btsnoop=")
      || hasPrefix(argument, "events=unix:")
    {
      do throws(BoardError) {
        try boardParser.override(argument, position: position)
      } catch {
        boardError = boardError ?? error
      }
    } else if !hasCommand, let command = ScanCommand(argument) {
      (task, hasCommand) = (command, true)
    } else {
      try readOperand(argument)
    }
  }

  /// Call after the last argument.
  package func finish() throws(ScanUsageError) {
    if let pending { throw .init(pending, " wants ", pending.meaning, " behind it") }
    guard information == nil else { return }
    for number in 0..<ScanOption.count {
      guard let option = ScanOption(rawValue: number), given & option.bit != 0,
        !option.isFor(task)
      else { continue }
      throw .init(option, " means nothing to ", task.word)
    }
    switch task {
    case .inspect, .switch:
      guard address != nil else {
        throw .init(nil, task.word, " wants the address of a device, such as C4:5D:83:00:00:01")
      }
      guard task == .inspect || level != nil else {
        throw .init(nil, task.word, " wants on, off or a number from 0 to 1 behind the address")
      }
    case .train, .locate:
      try require(.group, !groups.isEmpty)
      guard task == .train else { return }
      guard groups.count == 1 else { throw .init(.group, " may be there once only") }
      try require(.location, location != nil)
      try require(.out, output != nil)
    case .scan, .help, .version: break
    }
  }

  private func require(_ option: ScanOption, _ isThere: Bool) throws(ScanUsageError) {
    guard isThere else { throw .init(option, " is missing: it wants ", option.meaning) }
  }

  private mutating func readOperand(_ argument: Span<UInt8>) throws(ScanUsageError) {
    switch task {
    case .inspect where address == nil, .switch where address == nil:
      address = deviceAddress(argument)
      if address == nil {
        throw .init(argument: "an address such as C4:5D:83:00:00:01 is wanted, not")
      }
    case .switch where level == nil:
      level = switchLevel(argument)
      if level == nil { throw .init(argument: "on, off or a number from 0 to 1 is wanted, not") }
    case .scan where firstIndex(of: 0x3D, in: argument) != nil:
      throw .init(
        argument: """
          of the keys of a board file only hci, btsnoop, topics and events=unix: mean something here, not
          """)
    default: throw .init(argument: "no command has such an argument:")
    }
  }

  private mutating func readOption(_ argument: Span<UInt8>) throws(ScanUsageError) {
    let equals = firstIndex(of: 0x3D, in: argument)
    let name = argument.extracting(first: equals ?? argument.count)
    guard let option = ScanOption(name) else { throw .init(argument: "unknown option") }
    given |= option.bit
    if let equals {
      guard option.takesValue else { throw .init(argument: " takes no value:", option) }
      try set(option, argument.extracting(droppingFirst: equals + 1))
    } else if option == .beacons {
      filter.wantsBeacons = true
    } else if option.takesValue {
      pending = option
    } else {
      try set(option, argument)
    }
  }

  /// Sets an option; `value` counts only if the option takes one.
  private mutating func set(_ option: ScanOption, _ value: Span<UInt8>) throws(ScanUsageError) {
    switch option {
    case .crownstones: filter.wantsCrownstones = true
    case .sensors: filter.wantsSensors = true
    case .passive: isPassive = true
    case .json: wantsLines = true
    case .read: reads = true
    case .help: information = .help
    case .version: information = information ?? .version
    case .service: try add(UUID(anyText: value), to: &filter.services, by: option)
    case .beacons: try add(UUID(text: value), to: &filter.beacons, by: option)
    case .seconds:
      guard let number = decimal(value, upTo: 86_400), number > 0 else { throw .badValue(option) }
      seconds = Int(number)
    case .location:
      guard location == nil else { throw .init(option, " may be there once only") }
      location = placeName(value)
      if location == nil { throw .badValue(option) }
    case .out:
      guard output == nil else { throw .init(option, " may be there once only") }
      output = value.isEmpty ? nil : Text(value)
      if output == nil { throw .badValue(option) }
    case .group, .fingerprint:
      guard let equals = firstIndex(of: 0x3D, in: value),
        let name = placeName(value.extracting(first: equals))
      else { throw .badValue(option) }
      let rest = value.extracting(droppingFirst: equals + 1)
      if option == .group {
        try add(UUID(text: rest).map { .init(name: name, $0) }, to: &groups, by: option)
      } else {
        let path = rest.isEmpty ? nil : Text(rest)
        try add(path.map { .init(location: name, path: $0) }, to: &files, by: option)
      }
    }
  }
}

/// Adds a value to the list of an option; throws if the value is bad or the list is full.
private func add<let capacity: Int, Value>(
  _ value: Value?, to list: inout FixedList<capacity, Value>, by option: ScanOption
) throws(ScanUsageError) {
  guard let value else { throw .badValue(option) }
  guard !list.isFull else { throw .init(argument: " is there too often, from here on:", option) }
  list.append(value)
}

/// A name that a terminal can show.
private func placeName(_ bytes: Span<UInt8>) -> PlaceName? {
  1...32 ~= bytes.count && isPlainText(bytes) ? PlaceName(bytes) : nil
}

/// `C4:5D:83:00:00:01`, its letters in either case.
private func deviceAddress(_ text: Span<UInt8>) -> UInt64? {
  guard text.count == 17 else { return nil }
  var value: UInt64 = 0
  for start in stride(from: 0, to: 17, by: 3) {
    guard start == 15 || text[start + 2] == 0x3A,
      let octet = hexadecimal(text.extracting(start..<start + 2))
    else { return nil }
    value = value &<< 8 | octet
  }
  return value
}

/// `on`, `off`, or a number from 0 (off) to 1 (fully on), as the byte that a Crownstone takes.
///
/// A larger number counts as 1.
private func switchLevel(_ text: Span<UInt8>) -> UInt8? {
  if isText(text, "on") { return 255 }
  if isText(text, "off") { return 0 }
  let point = firstIndex(of: 0x2E, in: text) ?? text.count
  guard let whole = decimal(text.extracting(first: point), upTo: 999_999_999) else { return nil }
  // Six digits behind the point are more exact than a byte.
  var (millionths, unit): (UInt32, UInt32) = (0, 100_000)
  if point < text.count {
    let digits = text.extracting(droppingFirst: point + 1)
    guard !digits.isEmpty else { return nil }
    for index in digits.indices {
      guard 0x30...0x39 ~= digits[index] else { return nil }
      millionths += UInt32(digits[index] - 0x30) * unit
      unit /= 10
    }
  }
  if whole >= 1 { return 255 }
  return UInt8(truncatingIfNeeded: (255 * millionths + 500_000) / 1_000_000)
}
