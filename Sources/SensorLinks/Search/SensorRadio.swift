import Bytes
import Controller
import HCI
import Link
import Sensors

/// What the radio does for sensors, one thing at a time, where the phone leaves it free.
///
/// It owns what the radio does now (`activity`), and the scan parameters of the phone's search. Its owner says what to
/// do next by a `Wish`.
package struct SensorRadio: ~Copyable {
  /// What it does.
  enum Activity: Equatable {
    case none
    /// It listens for a sensor that the rider wants to have.
    case listening
    /// It waits for the first of these kinds that is heard; `until` is when the command is repeated.
    case waiting(SensorKinds, until: Instant)
    /// It connects to one sensor.
    case attempting(SensorKind, DeviceAddress, until: Instant)
    /// Waiting or the attempt is being cancelled: LE Connection Complete ends it.
    case cancelling(until: Instant)
  }

  /// What it is to do.
  enum Wish: Equatable {
    case nothing
    case listen
    case wait(SensorKinds)
    case attempt(SensorKind, DeviceAddress)
  }

  /// What becomes of the activity.
  enum Outcome: Equatable {
    case goesOn
    /// The radio was free.
    case isFree
    /// The activity has ended, or is being cancelled.
    case ended
    /// An attempt at this sensor has taken too long, or is no longer wanted (not `hasTimedOut`).
    case failed(SensorKind, DeviceAddress, hasTimedOut: Bool)
    /// The activity did not end after LE Create Connection Cancel.
    case stuck
  }

  /// A sensor that was just heard is heard again soon; the phone's search goes on afterwards.
  private static var attemptTime: Int64 { 1_000 }
  /// The rider waits for the sensor that the search tries: two of its advertisements.
  private static var soughtAttemptTime: Int64 { 2_500 }
  /// While the phone is not searched for, nothing is kept waiting.
  private static var patientAttemptTime: Int64 { 5_000 }
  private static var cancelTime: Int64 { 2_000 }
  /// The accept list is sent again each minute, in case the controller lost it.
  private static var renewalTime: Int64 { 60_000 }
  /// As the phone's link once it is relaxed.
  private static var parameters: ConnectionParameters { Pace().relaxed }

  private(set) var activity = Activity.none
  /// Whether the phone's scan listens all the time, and whether it asks advertisers for scan responses.
  private var isScanWide = false
  private var isScanActive = false

  /// Whether the controller has taken each sensor into its accept list so far.
  private(set) var isListUsable = true

  /// Whether the controller connects to a sensor, or was asked to.
  package var isInitiating: Bool {
    switch activity {
    case .none, .listening: false
    case .waiting, .attempting, .cancelling: true
    }
  }

  /// When the activity has lasted too long.
  var deadline: Instant? {
    switch activity {
    case .waiting(_, let until), .attempting(_, _, let until), .cancelling(let until): until
    case .none, .listening: nil
    }
  }

  /// Ends the activity, and returns it.
  mutating func endActivity() -> Activity {
    defer { activity = .none }
    return activity
  }

  /// Goes on listening for the phone, if no sensor has the radio.
  mutating func listenForPhone(_ scan: PhoneScan, by controller: inout Controller) {
    guard activity == .none else { return }
    (isScanWide, isScanActive) = (scan.isFast || scan.isWide, scan.isActive)
    let (interval, window): (UInt16, UInt16) =
      // 60 ms of 60 ms, or 64 ms of 640 ms.
      isScanWide ? (0x0060, 0x0060) : (0x0400, 0x0066)
    controller.scan(isActive: scan.isActive, interval: interval, window: window)
  }

  /// Restarts the scan for the phone if its parameters have changed.
  mutating func adapt(to scan: PhoneScan, by controller: inout Controller) {
    guard activity == .none,
      isScanWide != (scan.isFast || scan.isWide) || isScanActive != scan.isActive
    else { return }
    controller.stopScan()
    listenForPhone(scan, by: &controller)
  }

  /// Ends the activity unless it is wanted and does not last too long; returns what becomes of it.
  mutating func end(
    unless wish: Wish, by controller: inout Controller, at now: Instant
  ) -> Outcome {
    switch (activity, wish) {
    case (.none, _): return .isFree
    case (.listening, .listen): return .goesOn
    case (.listening, _):
      controller.stopScan()
      activity = .none
      return .ended
    case (.waiting(let kinds, let until), .wait(let wanted)) where kinds == wanted && now < until:
      return .goesOn
    case (.attempting(let kind, let address, let until), .attempt(let wanted, let peer))
    where kind == wanted && address == peer && now < until:
      return .goesOn
    case (.waiting, _):
      cancel(by: &controller, at: now)
      return .ended
    case (.attempting(let kind, let address, let until), _):
      cancel(by: &controller, at: now)
      return .failed(kind, address, hasTimedOut: now >= until)
    case (.cancelling(let until), _): return now >= until ? .stuck : .goesOn
    }
  }

  /// Cancels an attempt, or drops it if its command was not sent yet.
  private mutating func cancel(by controller: inout Controller, at now: Instant) {
    guard !controller.dropAttempt() else { return activity = .none }
    activity = .cancelling(until: now + Self.cancelTime)
    controller.send(.leCreateConnectionCancel)
  }

  /// The controller refused a sensor of the accept list: sensors are tried in turn from now on.
  mutating func listWasRefused(by controller: inout Controller, at now: Instant) {
    isListUsable = false
    if case .waiting = activity { cancel(by: &controller, at: now) }
  }

  // MARK: - The next activity

  /// Begins what is wanted; returns whether this takes the radio from the phone's search.
  ///
  /// `followed` are the sensors that may be waited for.
  mutating func begin(
    _ wish: Wish, _ followed: PerKind<DeviceAddress?>, isPhoneSearched: Bool, isSought: Bool,
    by controller: inout Controller, at now: Instant
  ) -> Bool {
    switch wish {
    case .nothing: break
    case .listen:
      activity = .listening
      // Half of the time: the phone's link needs the rest. Some sensors announce their kind in a scan response only.
      controller.scan(isActive: true, interval: 0x0060, window: 0x0030)
    case .wait(let kinds): wait(for: kinds, listed: followed, by: &controller, at: now)
    case .attempt(let kind, let address):
      if isPhoneSearched { controller.stopScan() }
      let time =
        !isPhoneSearched
        ? Self.patientAttemptTime : isSought ? Self.soughtAttemptTime : Self.attemptTime
      activity = .attempting(kind, address, until: now + time)
      controller.send(.leCreateConnection(peer: address, Self.parameters))
      return isPhoneSearched
    }
    return false
  }

  /// Waits for these kinds: fills the accept list with their addresses, which `listed` has.
  private mutating func wait(
    for kinds: SensorKinds, listed: PerKind<DeviceAddress?>, by controller: inout Controller,
    at now: Instant
  ) {
    activity = .waiting(kinds, until: now + Self.renewalTime)
    controller.send(.leClearFilterAcceptList)
    for kind in SensorKind.all where kinds.contains(kind) {
      guard let address = listed[kind] else { continue }
      controller.send(.leAddDeviceToFilterAcceptList(address))
    }
    controller.send(.leCreateConnectionToListed(Self.parameters))
  }
}
