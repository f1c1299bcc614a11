import Bytes

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
