/// What can happen that is told, by the name and the topic of its event.
package enum EventKind: Sendable {
  case start, controller, scan, phone, link, pairing, bond, home
  case sensor, measure, radar
  case instruction, stale, progress, alert
  case clock, button, report, frame, recovery, error

  /// As its line has it.
  package var name: String {
    switch self {
    case .start: "start"
    case .controller: "controller"
    case .scan: "scan"
    case .phone: "phone"
    case .link: "link"
    case .pairing: "pairing"
    case .bond: "bond"
    case .home: "home"
    case .sensor: "sensor"
    case .measure: "measure"
    case .radar: "radar"
    case .instruction: "instruction"
    case .stale: "stale"
    case .progress: "progress"
    case .alert: "alert"
    case .clock: "clock"
    case .button: "button"
    case .report: "report"
    case .frame: "frame"
    case .recovery: "recovery"
    case .error: "error"
    }
  }

  /// Which topic it belongs to: each event has one.
  package var topic: Topic {
    switch self {
    case .instruction, .stale, .progress, .alert: .navigation
    case .sensor, .measure, .radar: .sensors
    case .controller, .scan, .phone, .link, .pairing, .bond, .home, .recovery: .radio
    case .start, .clock, .button, .report, .frame, .error: .device
    }
  }
}
