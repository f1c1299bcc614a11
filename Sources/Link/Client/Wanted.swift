package import ATT
package import Bond
package import Bytes

/// A line of the table of what is wanted of a peer: one characteristic, and what to do with it.
///
/// The most urgent line is the first.
package struct Wanted {
  /// What a Client Characteristic Configuration is set to.
  ///
  /// Core Specification, Vol 3, Part G, 3.3.3.3.
  package enum Subscription: UInt16 {
    case notifications = 1
    case indications = 2
  }

  /// Whether the peer is of any use without it.
  ///
  /// Over a link that is not secure, what is needed holds back the lines behind it until it is there.
  package enum Need {
    case none
    /// It must be found.
    case found
    /// It must be subscribed to as well, or be notified all the same.
    case notified
  }

  /// What happens when the peer refuses it because the link is not secure enough.
  package enum Security {
    /// Nothing: it is a refusal like any other.
    case unasked
    /// It is asked for once more when the link is secured, for whatever reason.
    case awaited
    /// The link is secured if it can be, and everything else waits for that.
    case preferred
    /// It is not asked for before the link is secured: a stranger hears nothing of it.
    case confidential
    /// It is never asked for: the rider does not want it.
    case unwanted
    /// The link must be secured, and everything else waits for that.
    case demanded
  }

  /// How its value is reached.
  package enum Way {
    /// It is discovered in this service and subscribed to, if at all, and can be read in any number of
    /// parts.
    case discovery(in: UUID, Subscription?)
    /// Read By Type: a value of one part, by one request, without its handle.
    case type
    /// It is subscribed to where another line with this characteristic was read by its type.
    case typed(Subscription)
  }

  package let characteristic: UUID
  package let way: Way
  /// Whether it is read as soon as it is found; it can be read again at any time.
  package private(set) var isRead: Bool
  let need: Need
  /// Whether it comes before all others once the link is secure: a phone that knows us may indicate changed handles.
  let isFirstIfSecure: Bool
  package let security: Security
  /// The role under which the bond keeps its handles, if it does.
  package let role: Bond.Handles.Role?
  /// How many bytes of a notification identify its value; 0 if none do.
  let identifierCount: Int
  /// How long after a notification the next one counts again, in milliseconds.
  let pause: Int64

  package init(
    _ characteristic: UUID, by way: Way, isRead: Bool = false, need: Need = .none,
    isFirstIfSecure: Bool = false, security: Security = .unasked,
    keptAs role: Bond.Handles.Role? = nil, identifiedBy identifierCount: Int = 0,
    pause: Int64 = 0
  ) {
    self.characteristic = characteristic
    self.way = way
    self.isRead = isRead
    self.need = need
    self.isFirstIfSecure = isFirstIfSecure
    self.security = security
    self.role = role
    self.identifierCount = identifierCount
    self.pause = pause
  }

  /// A line of a table that has fewer.
  package static var nothing: Wanted { Wanted(UUID(short: 0), by: .type, security: .unwanted) }

  package var isNeeded: Bool { need != .none }
}

extension Wanted {
  /// The same line, read as soon as it is found, or only when that is asked for.
  package func read(atOnce isRead: Bool) -> Wanted {
    var line = self
    line.isRead = isRead
    return line
  }
}

/// How far a line of the table has come.
package struct WantedState {
  package let wanted: Wanted
  /// The way to the handle of its value, if it is found that way.
  package private(set) var discovery: Discovery?
  /// Whether it is found and subscribed to, as far as that is possible.
  package private(set) var isReady = false
  /// Whether it was ready with a subscription when it was looked for last.
  private var wasFound = false
  /// Whether it is to be read, or read once more.
  private(set) var isReadWanted: Bool
  /// Whether a value was read that made sense.
  private var isKnown = false
  /// What is to be written to it.
  private var toWrite: ShortValue?
  /// Before this time no notification counts.
  private var nextNotification: Instant?

  package init(_ wanted: Wanted, known: SubscribedHandles) {
    self.wanted = wanted
    isReadWanted = wanted.isRead
    if case .discovery(let service, let subscription) = wanted.way {
      discovery = Discovery(
        service: service, characteristic: wanted.characteristic, subscription: subscription,
        known: known)
    }
  }

  /// It is to be read, or read once more.
  mutating func wantReading() { isReadWanted = true }

  /// It is being read, or is not to be read any more.
  mutating func endWanting() { isReadWanted = false }

  /// A value of it was read that made sense.
  mutating func know() { isKnown = true }

  /// Has this value written to it once it is found; a value that waits for this is replaced.
  mutating func write(_ value: ShortValue) { toWrite = value }

  /// It is found and subscribed to, as far as that is possible.
  mutating func becomeReady() { isReady = true }

  /// It is there no more.
  mutating func lose() { isReady = false }

  /// Whether it may be asked for now.
  package func isAllowed(isSecure: Bool) -> Bool {
    switch wanted.security {
    case .unasked, .awaited, .preferred, .demanded: true
    case .confidential: isSecure
    case .unwanted: false
    }
  }

  /// Whether the lines behind it must wait.
  var isMissed: Bool { wanted.isNeeded && !isReady }

  /// Whether it is being looked for.
  var isSought: Bool { discovery?.request != nil }

  /// Whether a change of these handles may concern it, or what is asked for its sake.
  ///
  /// Service Changed never moves on a phone that knows us (Vol 3, Part G, 7.1). A value that is read by its
  /// type may be anywhere, and one that was given up may be back.
  func isTouched(by changed: HandleRange) -> Bool {
    guard wanted.characteristic != .serviceChanged else { return false }
    guard let discovery else { return true }
    if case .found = discovery.state, !isReady { return true }
    return discovery.isTouched(by: changed)
  }

  /// Where its value is, 0 while that is not known.
  package var valueHandle: UInt16 { discovery?.valueHandle ?? 0 }

  /// Whether a notification or an indication from this handle is its value.
  package func isNotified(by subscription: Wanted.Subscription, from handle: UInt16) -> Bool {
    guard let discovery, discovery.subscription == subscription else { return false }
    return handle != 0 && handle == discovery.valueHandle
  }

  /// Receives a notification of its value; returns whether the notification counts.
  ///
  /// One that comes before the subscription counts if the subscription was refused: then the value is there.
  mutating func notified(at now: Instant) -> Bool {
    if wanted.need == .notified, !isReady {
      guard isUnheard else { return false }
      discovery?.valueCame()
      isReady = true
    }
    if case .typed = wanted.way, discovery?.isSubscribed != true { return false }
    if let next = nextNotification, now < next { return false }
    nextNotification = now + wanted.pause
    return true
  }

  /// The handles with which another link may begin.
  ///
  /// For what must be notified: if they are enough to subscribe again, by the bit that is wanted.
  var keptHandles: SubscribedHandles {
    guard let discovery else { return .none }
    let isWhole =
      discovery.handles.configuration != 0 && discovery.subscription == .notifications
    return isWhole || wanted.need != .notified ? discovery.handles : .none
  }

  /// Whether it must be notified, but could not be subscribed to, and was not notified so far.
  var isUnheard: Bool { wanted.need == .notified && discovery?.isUnsubscribed ?? false }

  /// Whether the link is to be secured if it is refused over an open one.
  var isSecuring: Bool { wanted.security == .demanded || wanted.security == .preferred }

  /// Its value was read by its type at this handle: it may be subscribed to there.
  mutating func typed(at handle: UInt16?) {
    guard case .typed(let subscription) = wanted.way else { return }
    discovery = handle.map {
      Discovery(
        characteristic: wanted.characteristic, subscription: subscription, valueHandle: $0)
    }
  }

  /// Asks for it once more, as the peer is silent; for a name only if it never came, as a name does not change.
  mutating func askAgain() {
    switch wanted.way {
    case .discovery: restart()
    case .type:
      if wanted.isRead, !isKnown || wanted.characteristic != .deviceName { isReadWanted = true }
    case .typed: break
    }
  }

  /// The next request to find it, or to read it by its type; the latter is given once.
  package mutating func takeRequest() -> Request? {
    if let discovery { return discovery.request }
    guard isReadWanted else { return nil }
    isReadWanted = false
    return .readByType(.all, wanted.characteristic)
  }

  /// What is to be written to it now; it is given once.
  mutating func takeWrite() -> Request? {
    guard isReady, valueHandle != 0, let value = toWrite else { return nil }
    toWrite = nil
    return .writeBytes(handle: valueHandle, value)
  }

  /// Receives the answer to a write.
  func written(_ answer: ServerPDU) -> ClientOutcome {
    guard let code = answer.refusal else { return .written(wanted.characteristic) }
    return .refused(wanted.characteristic, code)
  }

  /// The search for it has ended, with a subscription or without; returns the news, if there is any.
  package mutating func found(isSubscribed: Bool) -> ClientOutcome {
    defer { wasFound = isSubscribed }
    if isSubscribed { return .found(wanted.characteristic) }
    return wasFound ? .lost(wanted.characteristic) : .nothing
  }

  /// Receives the answer to a request of the discovery; returns the kept handles that it disproves.
  package mutating func receive(_ answer: ServerPDU) -> HandleRange? {
    let guess = discovery?.guess
    if case .error = answer { discovery?.refuse() } else { discovery?.receive(answer) }
    return discovery?.state == .service ? guess : nil
  }

  /// The link cannot be secured: the last refusal counts; returns the kept handles that it disproves.
  package mutating func insecure() -> HandleRange? {
    let guess = discovery?.guess
    discovery?.refuse()
    return guess
  }

  /// The link is secured: what was refused may be granted now.
  package mutating func secured() {
    guard wanted.security == .awaited, !isKnown else { return }
    guard let discovery else {
      isReadWanted = true
      return
    }
    if discovery.request == nil, !discovery.isSubscribed { restart() }
  }

  /// Subscribes to it once more, as the phone may have forgotten the subscription; if it was not found, looks again.
  package mutating func renew() {
    guard let discovery, discovery.request == nil else { return }  // it is on its way
    if discovery.isSubscribed {
      self.discovery?.renew()
    } else if discovery.valueHandle == 0 || discovery.subscription != nil {
      restart()
    }
  }

  /// Looks for it again, as its handle may have changed, and reads what was read before; Service Changed never moves.
  package mutating func restart() {
    guard discovery != nil, wanted.characteristic != .serviceChanged else { return }
    if case .typed = wanted.way { return discovery = nil }
    discovery?.restart()
    isReady = false
    toWrite = nil
    isReadWanted = isReadWanted || wanted.isRead || isKnown
  }
}
