package import Bytes

/// What an event is about; a reader of events chooses among topics.
package enum Topic: UInt8, Sendable {
  /// The way to the next turn.
  case navigation
  /// What becomes of sensors, and what they measure.
  case sensors
  /// The controller, the search, and the link to the phone.
  case radio
  /// The device itself: its start, its buttons, its panel, what fails.
  case device
  /// The beacons near by, and the place that follows from them.
  case beacons
  /// Advertisements, packet by packet.
  case advertisementData

  /// How many topics there are; their raw values are 0..<count.
  package static var count: Int { 6 }

  /// The topic as it is written.
  package var name: String {
    switch self {
    case .navigation: "navigation"
    case .sensors: "sensors"
    case .radio: "radio"
    case .device: "device"
    case .beacons: "beacons"
    case .advertisementData: "advertisementData"
    }
  }

  /// The topic that is written like this.
  package init?(_ bytes: Span<UInt8>) {
    for number in 0..<UInt8(Self.count) {
      guard let topic = Self(rawValue: number) else { continue }
      let name = topic.name.utf8
      guard isEqual(bytes, name.span) else { continue }
      self = topic
      return
    }
    return nil
  }
}

/// A set of topics.
package struct Topics: Equatable, Sendable {
  private var bits: UInt8 = 0

  package init() {}

  /// A set of one topic.
  package init(_ topic: Topic) { insert(topic) }

  /// The topics of the firmware.
  package static var ofDevice: Topics {
    Topics(.navigation) | Topics(.sensors) | Topics(.radio) | Topics(.device)
  }

  /// The topics of the scan tool.
  package static var ofScanTool: Topics {
    Topics(.beacons) | Topics(.advertisementData) | Topics(.radio) | Topics(.device)
  }

  /// Reads `all`, which stands for all `offered` topics, or names of offered topics with commas between them;
  /// `nil` for any other text.
  package init?(list bytes: Span<UInt8>, among offered: Topics) {
    guard !isText(bytes, "all") else {
      self = offered
      return
    }
    var start = 0
    while start <= bytes.count {
      let rest = bytes.extracting(droppingFirst: start)
      let end = firstIndex(of: 0x2C, in: rest) ?? rest.count
      guard let topic = Topic(trimmed(rest.extracting(first: end))), offered.contains(topic)
      else { return nil }
      insert(topic)
      start += end + 1
    }
  }

  package var isEmpty: Bool { bits == 0 }

  package func contains(_ topic: Topic) -> Bool { bits & 1 &<< topic.rawValue != 0 }

  package mutating func insert(_ topic: Topic) { bits |= 1 &<< topic.rawValue }

  package static func | (a: Topics, b: Topics) -> Topics {
    var both = a
    both.bits |= b.bits
    return both
  }

  package static func & (a: Topics, b: Topics) -> Topics {
    var common = a
    common.bits &= b.bits
    return common
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The names of the topics, in the order of `Topic`, with a text between each two.
  package mutating func append(_ topics: Topics, separator: String) {
    var isFirst = true
    for number in 0..<UInt8(Topic.count) {
      guard let topic = Topic(rawValue: number), topics.contains(topic) else { continue }
      if !isFirst { append(separator) }
      isFirst = false
      append(topic.name)
    }
  }
}

/// The events of the firmware, with name and topic.
package enum EventKind: Sendable {
  case start, update, controller, scan, phone, link, pairing, bond, home
  case sensor, measure, radar
  case instruction, stale, progress, alert
  case clock, battery, button, report, frame, recovery, error

  /// The name in its line.
  package var name: String { row.name }

  /// Which topic it belongs to: each event has one.
  package var topic: Topic { row.topic }

  private var row: (name: String, topic: Topic) {
    switch self {
    case .start: ("start", .device)
    case .update: ("update", .device)
    case .controller: ("controller", .radio)
    case .scan: ("scan", .radio)
    case .phone: ("phone", .radio)
    case .link: ("link", .radio)
    case .pairing: ("pairing", .radio)
    case .bond: ("bond", .radio)
    case .home: ("home", .radio)
    case .sensor: ("sensor", .sensors)
    case .measure: ("measure", .sensors)
    case .radar: ("radar", .sensors)
    case .instruction: ("instruction", .navigation)
    case .stale: ("stale", .navigation)
    case .progress: ("progress", .navigation)
    case .alert: ("alert", .navigation)
    case .clock: ("clock", .device)
    case .battery: ("battery", .device)
    case .button: ("button", .device)
    case .report: ("report", .device)
    case .frame: ("frame", .device)
    case .recovery: ("recovery", .radio)
    case .error: ("error", .device)
    }
  }
}
