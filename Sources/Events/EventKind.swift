/// The events of the firmware, with name and topic.
package enum EventKind: Sendable {
  case start, controller, scan, phone, link, pairing, bond, home
  case sensor, measure, radar
  case instruction, stale, progress, alert
  case clock, battery, button, report, frame, recovery, error

  /// As its line has it.
  package var name: String { row.name }

  /// Which topic it belongs to: each event has one.
  package var topic: Topic { row.topic }

  private var row: (name: String, topic: Topic) {
    switch self {
    case .start: ("start", .device)
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
