import BoardFile
package import Bytes

/// An option of the program.
enum ScanOption: UInt8, Sendable {
  case service, crownstones, beacons, sensors, seconds, passive, json, read
  case group, location, out, fingerprint, help, version

  static var count: UInt8 { 14 }

  /// The option of this name, without the two hyphens.
  init?(_ name: Span<UInt8>) {
    for number in 0..<Self.count {
      guard let option = Self(rawValue: number), isText(name, option.name) else { continue }
      self = option
      return
    }
    return nil
  }

  var name: String { row.name }

  /// What its value must be; empty if it takes none.
  var meaning: String { row.meaning }

  var takesValue: Bool { !meaning.utf8.isEmpty }

  /// Its place in a set of options.
  var bit: UInt16 { 1 &<< UInt16(rawValue) }

  private var row: (name: String, meaning: String) {
    switch self {
    case .service: ("service", "a service's UUID of 4, 8 or 36 characters")
    case .crownstones: ("crownstones", "")
    case .beacons: ("beacons", "a beacon's UUID of 36 characters")
    case .sensors: ("sensors", "")
    case .seconds: ("seconds", "a number of seconds from 1 to 86400")
    case .passive: ("passive", "")
    case .json: ("json", "")
    case .read: ("read", "")
    case .group: ("group", "ID=UUID, such as home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961")
    case .location: ("location", "a name of 1 to 32 bytes without control characters")
    case .out: ("out", "the path of a file")
    case .fingerprint: ("fingerprint", "LOCATION=FILE, such as garage=garage.json")
    case .help: ("help", "")
    case .version: ("version", "")
    }
  }

  /// Whether this command has the option.
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

  /// The command of this word, which comes before the arguments of the command.
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

/// What is wrong with the argument that was read last, or with all of them together.
package struct ScanUsageError: Error, Sendable {
  private let option: ScanOption?
  private let words: (String, String, String)
  /// Whether the argument follows the words.
  private let quotes: Bool

  init(
    _ option: ScanOption?, _ words: String, _ object: String = "", _ end: String = "",
    quotes: Bool = false
  ) {
    (self.option, self.words, self.quotes) = (option, (words, object, end), quotes)
  }

  init(argument words: String, _ option: ScanOption? = nil) {
    self.init(option, words, quotes: true)
  }

  static func badValue(_ option: ScanOption) -> Self {
    Self(option, " wants ", option.meaning, ", not", quotes: true)
  }

  /// Writes what is wrong in one line, without a newline; `ScanArguments.usage` says what is right.
  package func write(about argument: Span<UInt8>, to writer: inout some ByteWriter & ~Copyable) {
    if let option {
      writer.append("--")
      writer.append(option.name)
    }
    writer.append(words.0)
    writer.append(words.1)
    writer.append(words.2)
    guard quotes else { return }
    writer.append(" \"")
    quote(argument, to: &writer)
    writer.append("\"")
  }
}
