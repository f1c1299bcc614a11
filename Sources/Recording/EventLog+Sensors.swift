import Bond
package import Bytes
import Central
package import Events
package import HCI
import SensorLinks
package import Sensors

/// The lines about sensors.
extension EventLog {
  /// What became of a sensor.
  package enum SensorState {
    /// It was written to the store, as the rider asked.
    case remembered
    /// It was removed from the store: the rider asked for that, or keeps another one of its kind.
    case forgotten
    /// It was heard in a search.
    case found
    case connecting
    case ready
    case disconnected(ErrorCode)
    /// It cannot be used, for this reason.
    case refused(String)
    case battery(UInt8)

    package var name: String {
      switch self {
      case .remembered: "remembered"
      case .forgotten: "forgotten"
      case .found: "found"
      case .connecting: "connecting"
      case .ready: "ready"
      case .disconnected: "disconnected"
      case .refused: "refused"
      case .battery: "battery"
      }
    }
  }

  package mutating func sensor(
    _ sensor: RememberedSensor, _ state: SensorState, at now: Instant
  ) {
    self.sensor(sensor.kind, sensor.address, name: sensor.name, state, at: now)
  }

  /// The name is left out if it is not known.
  @inline(never)  // one copy
  package mutating func sensor(
    _ kind: SensorKind, _ address: DeviceAddress, name: Span<UInt8>, _ state: SensorState,
    at now: Instant
  ) {
    write(.sensor, at: now) {
      $0.field("kind", literal: kind.name)
      $0.field("address", address: address)
      if !name.isEmpty { $0.field("name", text: name) }
      $0.field("state", literal: state.name)
      switch state {
      case .disconnected(let reason):
        $0.field("reason", number: Int64(widening: Int(reason.rawValue)))
      case .refused(let reason): $0.field("reason", literal: reason)
      case .battery(let percent): $0.field("percent", number: Int64(widening: Int(percent)))
      case .remembered, .forgotten, .found, .connecting, .ready: break
      }
    }
  }

  /// A search has found no sensor.
  package mutating func noSensorFound(at now: Instant) {
    write(.sensor, at: now) { $0.field("state", literal: "none") }
  }

  /// Figures that are not known are left out.
  package mutating func measure(_ figures: Figures, at now: Instant) {
    write(.measure, at: now) {
      if let heart = figures.heart { $0.field("heart", number: Int64(widening: Int(heart))) }
      if let speed = figures.speed { $0.field("speed", number: speed) }
      if let cadence = figures.cadence { $0.field("cadence", number: cadence) }
      if let power = figures.powerNow { $0.field("power", number: Int64(widening: Int(power))) }
      if let distance = figures.distance { $0.field("distance", number: distance) }
    }
  }

  package mutating func radar(_ radar: Radar, at now: Instant) {
    write(.radar, at: now) {
      $0.field("vehicles", count: radar.count) { line, index in
        line.field("track", number: Int64(widening: Int(radar[index].track)))
        line.field("distance", number: Int64(widening: Int(radar[index].distance)))
      }
    }
  }
}

extension SensorRefusal {
  /// The refusal's name in the event.
  package var name: String {
    switch self {
    case .service: "service"
    case .pairing: "pairing"
    case .silence: "silence"
    case .key: "key"
    }
  }
}
