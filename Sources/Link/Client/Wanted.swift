package import ATT
package import Bond
package import Bytes

/// A line of the table of what is wanted of a phone: one characteristic, and what to do with it.
package struct Wanted {
  /// What a Client Characteristic Configuration is set to.
  ///
  /// Core Specification, Vol 3, Part G, 3.3.3.3.
  package enum Subscription: UInt16 {
    case notifications = 1
    case indications = 2
  }

  /// What happens when the phone refuses it because the link is not secure enough.
  package enum Security {
    /// Nothing: it is a refusal like any other.
    case unasked
    /// It is asked for once more when the link is secured, for whatever reason.
    case awaited
    /// It is not asked for before the link is secured: a stranger hears nothing of it.
    case confidential
    /// It is never asked for: the rider does not want it.
    case unwanted
    /// The link is secured, and everything else waits for that.
    case demanded
  }

  /// One element for each line of the table, the most urgent first.
  package typealias Lines<Element> = InlineArray<11, Element>

  /// How its value is reached.
  package enum Way {
    /// It is discovered in this service and subscribed to, if at all, and can be read in any number of
    /// parts.
    case discovery(in: UUID, Subscription?)
    /// Read By Type: a value of one part, by one request, without its handle.
    case type
  }

  package let characteristic: UUID
  package let way: Way
  /// Whether it is read as soon as it is found; it can be read again at any time.
  package private(set) var isRead: Bool
  /// Whether the phone is of no use without it: nothing behind it is asked for before it is found.
  package let isNeeded: Bool
  /// Whether it comes before all others once the link is secure: a phone that knows us may indicate changed handles.
  let isFirstIfSecure: Bool
  package let security: Security
  /// The role under which the bond keeps its handles, if it does.
  package let role: Bond.Handles.Role?
  /// How many bytes of a notification identify its value; 0 if none do.
  let identifierCount: Int

  package init(
    _ characteristic: UUID, by way: Way, isRead: Bool = false, isNeeded: Bool = false,
    isFirstIfSecure: Bool = false, security: Security = .unasked,
    keptAs role: Bond.Handles.Role? = nil, identifiedBy identifierCount: Int = 0
  ) {
    self.characteristic = characteristic
    self.way = way
    self.isRead = isRead
    self.isNeeded = isNeeded
    self.isFirstIfSecure = isFirstIfSecure
    self.security = security
    self.role = role
    self.identifierCount = identifierCount
  }
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
    case .unasked, .awaited, .demanded: true
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
  package func isTold(by subscription: Wanted.Subscription, from handle: UInt16) -> Bool {
    guard let discovery, discovery.subscription == subscription else { return false }
    return handle != 0 && handle == discovery.valueHandle
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

  /// The search for it has ended, with a subscription or without; returns the news, if there is any.
  package mutating func found(isSubscribed: Bool) -> GATTClient.Outcome {
    defer { wasFound = isSubscribed }
    if isSubscribed { return .found(wanted.characteristic) }
    return wasFound ? .lost(wanted.characteristic) : .nothing
  }

  /// Takes the answer to a request of the discovery; returns the kept handles that it disproves.
  package mutating func receive(_ answer: ServerPDU) -> HandleRange? {
    let guess = discovery?.guess
    if case .error = answer { discovery?.refuse() } else { discovery?.receive(answer) }
    return discovery?.state == .service ? guess : nil
  }

  /// The link cannot be secured: a subscription under way is given up; returns the kept handles that this disproves.
  package mutating func insecure() -> HandleRange? {
    guard case .subscription? = discovery?.state else { return nil }
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
    discovery?.restart()
    isReady = false
    toWrite = nil
    isReadWanted = isReadWanted || wanted.isRead || isKnown
  }
}
