package import BoardFile
package import Bytes
import Events
package import Places

/// The program's arguments, read one after the other; `ScanArguments.writeHelp` says what there is.
///
/// `KEY=VALUE` is only marked here, for `BoardParser.override`: see `isOverride(_:)`.
package struct ScanArguments: ~Copyable {
  package static var capacity: Int { 64 }

  /// A fingerprint that `locate` is given.
  package struct FingerprintFile: Sendable {
    /// What the location is called.
    package var location: PlaceName
    /// Where the file is.
    package var path: Text
  }

  /// What to do: help before the version, and both before a command.
  package var command: ScanCommand { information ?? task }
  private var task = ScanCommand.scan
  private var information: ScanCommand?
  var filter = AdvertisementFilter()
  /// How long to listen; `nil` until the user ends it.
  package private(set) var seconds: Int?
  /// Whether no device is asked for a scan response.
  private(set) var isPassive = false
  /// Whether lines are wanted, even on a terminal.
  package private(set) var wantsLines = false
  /// The topics that standard output gets.
  private(set) var topics = Topics.ofScanTool
  private(set) var reads = false
  private(set) var address: UInt64?
  /// What the switch is to have.
  private(set) var level: UInt8?
  private var groups = InlineArray<4, (PlaceName, UUID)?>(repeating: nil)
  package private(set) var groupCount = 0
  /// What the place is called that is learned.
  private var location: PlaceName?
  /// Where its fingerprint goes.
  package private(set) var output: Text?
  private var files = InlineArray<16, FingerprintFile?>(repeating: nil)
  package private(set) var fileCount = 0

  private var overrides = InlineArray<65, Bool>(repeating: false)
  private var pending: ScanOption?
  /// A bit for each option that was given.
  private var given: UInt16 = 0
  private var hasCommand = false

  package init() {}

  /// A group of beacons, below `groupCount`.
  package func group(_ index: Int) -> (name: PlaceName, uuid: UUID)? { groups[index] }

  /// A fingerprint, below `fileCount`.
  package func fingerprint(_ index: Int) -> FingerprintFile? { files[index] }

  /// Whether the argument at this position is a `KEY=VALUE`, for `BoardParser.override`.
  package func isOverride(_ position: Int) -> Bool {
    (1...Self.capacity).contains(position) && overrides[position]
  }

  /// Reads one argument; the first one after the program's name has position 1.
  package mutating func read(_ argument: Span<UInt8>, position: Int) throws(ScanUsageError) {
    guard (1...Self.capacity).contains(position) else { throw .tooMany }
    if let option = pending {
      pending = nil
      return try set(option, argument)
    }
    if hasPrefix(argument, "--") { return try readOption(argument.extracting(droppingFirst: 2)) }
    if argument.isEmpty || argument[0] == 0x2D { throw .unknownOption }
    if let list = rest(of: argument, after: "topics=") {
      guard let topics = Topics(list: list, among: .ofScanTool) else { throw .badTopics }
      self.topics = topics
    } else if Self.isOfKey(argument) {
      overrides[position] = true
    } else if !hasCommand, let command = ScanCommand(argument) {
      (task, hasCommand) = (command, true)
    } else {
      try readOperand(argument)
    }
  }

  /// Call after the last argument.
  package func finish() throws(ScanUsageError) {
    if let pending { throw .option(pending, .missingValue) }
    guard information == nil else { return }
    for number in 0..<ScanOption.count {
      guard let option = ScanOption(rawValue: UInt8(number)), given & 1 << number != 0 else {
        continue
      }
      guard option.isFor(task) else { throw .option(option, .notFor(task)) }
    }
    switch task {
    case .inspect: if address == nil { throw .missingAddress(task) }
    case .switch:
      if address == nil { throw .missingAddress(task) }
      if level == nil { throw .missingLevel }
    case .train:
      guard groupCount == 1 else {
        throw groupCount == 0 ? .option(.group, .missing) : .option(.group, .second)
      }
      if location == nil { throw .option(.location, .missing) }
      if output == nil { throw .option(.out, .missing) }
    case .locate: if groupCount == 0 { throw .option(.group, .missing) }
    case .scan, .help, .version: break
    }
  }

  /// The keys of the board file that mean the same here; its topics are others.
  private static func isOfKey(_ argument: Span<UInt8>) -> Bool {
    hasPrefix(argument, "hci=") || hasPrefix(argument, "btsnoop=")
      || hasPrefix(argument, "events=unix:")
  }

  private mutating func readOperand(_ argument: Span<UInt8>) throws(ScanUsageError) {
    switch task {
    case .inspect, .switch:
      if address == nil {
        guard let number = deviceAddress(argument) else { throw .badAddress }
        address = number
      } else if task == .switch, level == nil {
        guard let value = switchLevel(argument) else { throw .badLevel }
        level = value
      } else {
        throw .unknownWord
      }
    case .scan where firstIndex(of: 0x3D, in: argument) != nil: throw .unknownKey
    default: throw .unknownWord
    }
  }

  private mutating func readOption(_ argument: Span<UInt8>) throws(ScanUsageError) {
    let equals = firstIndex(of: 0x3D, in: argument)
    let name = argument.extracting(first: equals ?? argument.count)
    guard let option = option(name) else { throw .unknownOption }
    given |= 1 << UInt16(option.rawValue)
    if let equals {
      guard option.value != .never else { throw .option(option, .noValue) }
      try set(option, argument.extracting(droppingFirst: equals + 1))
    } else if option.value == .always {
      pending = option
    } else {
      set(option)
    }
  }

  private func option(_ name: Span<UInt8>) -> ScanOption? {
    for number in 0..<ScanOption.count {
      if let option = ScanOption(rawValue: UInt8(number)), isText(name, option.name) {
        return option
      }
    }
    return nil
  }

  /// Sets an option that has no value.
  private mutating func set(_ option: ScanOption) {
    switch option {
    case .crownstones: filter.wantsCrownstones = true
    case .beacons: filter.wantsBeacons = true
    case .sensors: filter.wantsSensors = true
    case .passive: isPassive = true
    case .json: wantsLines = true
    case .read: reads = true
    case .help: information = .help
    case .version: if information == nil { information = .version }
    case .service, .seconds, .group, .location, .out, .fingerprint: break
    }
  }

  private mutating func set(_ option: ScanOption, _ value: Span<UInt8>) throws(ScanUsageError) {
    switch option {
    case .service:
      guard let uuid = UUID(anyText: value) else { throw .option(option, .badValue) }
      guard filter.add(service: uuid) else { throw .option(option, .tooManyValues) }
    case .beacons:
      guard let uuid = UUID(text: value) else { throw .option(option, .badValue) }
      guard filter.add(beacon: uuid) else { throw .option(option, .tooManyValues) }
    case .seconds:
      guard let number = decimal(value, upTo: 86_400), number > 0 else {
        throw .option(option, .badValue)
      }
      seconds = Int(number)
    case .group: try addGroup(value)
    case .location:
      guard location == nil else { throw .option(option, .second) }
      guard let name = placeName(value) else { throw .option(option, .badValue) }
      location = name
    case .out:
      guard output == nil else { throw .option(option, .second) }
      guard !value.isEmpty, let path = Text(value) else { throw .option(option, .badValue) }
      output = path
    case .fingerprint: try addFingerprint(value)
    case .crownstones, .sensors, .passive, .json, .read, .help, .version: break
    }
  }

  private mutating func addGroup(_ value: Span<UInt8>) throws(ScanUsageError) {
    guard let equals = firstIndex(of: 0x3D, in: value),
      let name = placeName(value.extracting(first: equals)),
      let uuid = UUID(text: value.extracting(droppingFirst: equals + 1))
    else { throw .option(.group, .badValue) }
    guard groupCount < groups.count else { throw .option(.group, .tooManyValues) }
    groups[groupCount] = (name, uuid)
    groupCount += 1
  }

  private mutating func addFingerprint(_ value: Span<UInt8>) throws(ScanUsageError) {
    guard let equals = firstIndex(of: 0x3D, in: value),
      let name = placeName(value.extracting(first: equals)), equals + 1 < value.count,
      let path = Text(value.extracting(droppingFirst: equals + 1))
    else { throw .option(.fingerprint, .badValue) }
    guard fileCount < files.count else { throw .option(.fingerprint, .tooManyValues) }
    files[fileCount] = FingerprintFile(location: name, path: path)
    fileCount += 1
  }
}

/// A name that a terminal can show.
private func placeName(_ bytes: Span<UInt8>) -> PlaceName? {
  isPlainText(bytes) ? PlaceName(bytes) : nil
}

/// `C4:5D:83:00:00:01`, its letters in either case.
func deviceAddress(_ text: Span<UInt8>) -> UInt64? {
  guard text.count == 17 else { return nil }
  var value: UInt64 = 0
  for index in text.indices {
    if index % 3 == 2 {
      guard text[index] == 0x3A else { return nil }
    } else {
      guard let digit = hexDigit(text[index]) else { return nil }
      value = value &<< 4 | UInt64(widening: UInt32(digit))
    }
  }
  return value
}

/// `on`, `off`, or a number, of which 1 is all on and 0 all off: the byte that a Crownstone takes.
///
/// What is above 1 is 1.
func switchLevel(_ text: Span<UInt8>) -> UInt8? {
  if isText(text, "on") { return 255 }
  if isText(text, "off") { return 0 }
  let point = firstIndex(of: 0x2E, in: text) ?? text.count
  guard let whole = decimal(text.extracting(first: point), upTo: 999_999_999) else { return nil }
  // Six digits behind the point tell more than a byte has.
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

/// An option of the program.
package enum ScanOption: UInt8, Sendable {
  case service, crownstones, beacons, sensors, seconds, passive, json, read
  case group, location, out, fingerprint, help, version

  static var count: Int { 14 }

  /// Its name behind the two hyphens.
  var name: String { row.name }

  /// Whether a value follows it.
  enum Value { case never, maybe, always }

  var value: Value { row.value }

  /// What its value is.
  var meaning: String { row.meaning }

  private var row: (name: String, value: Value, meaning: String) {
    switch self {
    case .service: ("service", .always, "a service's UUID of 4, 8 or 36 characters")
    case .crownstones: ("crownstones", .never, "nothing")
    case .beacons: ("beacons", .maybe, "a beacon's UUID of 36 characters")
    case .sensors: ("sensors", .never, "nothing")
    case .seconds: ("seconds", .always, "a number of seconds from 1 to 86400")
    case .passive: ("passive", .never, "nothing")
    case .json: ("json", .never, "nothing")
    case .read: ("read", .never, "nothing")
    case .group:
      ("group", .always, "ID=UUID, such as home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961")
    case .location: ("location", .always, "a name of 1 to 32 bytes without control characters")
    case .out: ("out", .always, "the path of a file")
    case .fingerprint: ("fingerprint", .always, "LOCATION=FILE, such as garage=garage.json")
    case .help: ("help", .never, "nothing")
    case .version: ("version", .never, "nothing")
    }
  }

  /// Whether it says anything to this command.
  func isFor(_ command: ScanCommand) -> Bool {
    switch self {
    case .json, .help, .version: true
    case .service, .crownstones, .beacons, .sensors: command == .scan
    case .passive: command == .scan || command == .train || command == .locate
    case .seconds: command != .inspect && command != .switch
    case .read: command == .inspect
    case .group: command == .train || command == .locate
    case .location, .out: command == .train
    case .fingerprint: command == .locate
    }
  }
}

/// What the program is to do.
package enum ScanCommand: Equatable, Sendable {
  case scan, inspect, train, locate, `switch`, help, version

  /// The command of this word, which stands before its own arguments.
  init?(_ word: Span<UInt8>) {
    let all: InlineArray<4, ScanCommand> = [.inspect, .train, .locate, .switch]
    for index in all.indices where isText(word, all[index].word) {
      self = all[index]
      return
    }
    return nil
  }

  var word: String {
    switch self {
    case .scan: "scan"
    case .inspect: "inspect"
    case .train: "train"
    case .locate: "locate"
    case .switch: "switch"
    case .help: "help"
    case .version: "version"
    }
  }
}
