import Bytes

/// An option of the program.
enum ScanOption: UInt8 {
  case service, crownstones, beacons, sensors, seconds, passive, json, read
  case group, location, out, fingerprint, help, version

  static var count: Int { 14 }

  /// Its name behind the two hyphens.
  var name: String {
    switch self {
    case .service: "service"
    case .crownstones: "crownstones"
    case .beacons: "beacons"
    case .sensors: "sensors"
    case .seconds: "seconds"
    case .passive: "passive"
    case .json: "json"
    case .read: "read"
    case .group: "group"
    case .location: "location"
    case .out: "out"
    case .fingerprint: "fingerprint"
    case .help: "help"
    case .version: "version"
    }
  }

  /// Whether a value follows it.
  enum Value { case never, maybe, always }

  var value: Value {
    switch self {
    case .crownstones, .sensors, .passive, .json, .read, .help, .version: .never
    case .beacons: .maybe
    case .service, .seconds, .group, .location, .out, .fingerprint: .always
    }
  }

  /// What its value is.
  var meaning: String {
    switch self {
    case .service: "a service's UUID of 4, 8 or 36 characters"
    case .beacons: "a beacon's UUID of 36 characters"
    case .seconds: "a number of seconds from 1 to 86400"
    case .group: "ID=UUID, such as home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
    case .location: "a name of 1 to 32 bytes without control characters"
    case .out: "the path of a file"
    case .fingerprint: "LOCATION=FILE, such as garage=garage.json"
    case .crownstones, .sensors, .passive, .json, .read, .help, .version: "nothing"
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
  /// Listen, and tell what is heard.
  case scan
  /// Connect to a device, and tell what it has.
  case inspect
  /// Learn how a place sounds.
  case train
  /// Tell in which place one is.
  case locate
  /// Switch a Crownstone.
  case `switch`
  /// Say how it is used.
  case help
  /// Say which version it is.
  case version

  /// The command of this word, which stands before its own arguments.
  init?(_ word: Span<UInt8>) {
    if isText(word, "inspect") {
      self = .inspect
    } else if isText(word, "train") {
      self = .train
    } else if isText(word, "locate") {
      self = .locate
    } else if isText(word, "switch") {
      self = .switch
    } else {
      return nil
    }
  }

  /// Its word.
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
