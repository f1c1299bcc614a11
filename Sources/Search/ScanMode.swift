/// How eagerly the host listens for advertisements.
package enum ScanMode: Equatable, Sendable {
  /// All the time: after a start, a loss, or a press of a button.
  case fast
  /// A tenth of the time, to save the battery.
  case slow
  /// Not at all: there is a link, or the attempt at one.
  case off
}

/// Why an advertisement is taken for the rider's phone.
package enum Match: Equatable, Sendable {
  /// It lists the service.
  case service
  /// An app in the background offers a service whose bit is the same; see `OverflowArea`.
  case overflow
  /// It is the remembered phone, whatever it advertises.
  case bond
}
