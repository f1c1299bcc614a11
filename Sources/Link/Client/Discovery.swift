package import ATT
package import Bond
package import Bytes

/// The way from a service's UUID to a subscription of one of its characteristics.
///
/// Core Specification, Vol 3, Part G, 4.4.2 (service by UUID), 4.6.2
/// (characteristic), 4.7.1 (descriptors), 4.10 and 4.11 (subscription). A value
/// that says what to ask next and takes what is answered. Every answer must
/// lead on, so a peer that lies can end the search but not prolong it.
package struct Discovery {
  package enum State: Equatable {
    /// The declaration before the kept handles is read: by now the handles may be something else's.
    case proof(SubscribedHandles)
    case service
    case characteristic(HandleRange)
    case descriptors(HandleRange)
    case subscription(descriptor: UInt16)
    /// The subscription, which the peer may have forgotten, is ended before it begins again.
    case renewal(descriptor: UInt16)
    /// There is a value handle; `isSubscribed` says whether it is subscribed to.
    case found
    case missing
  }

  private let service: UUID
  private let characteristic: UUID
  /// How it is subscribed to, if at all: as it is wanted, or in the only way that its declaration allows.
  package private(set) var subscription: Wanted.Subscription?
  package private(set) var state = State.service
  package private(set) var valueHandle: UInt16 = 0
  /// The handles of the subscription; another link may begin with them.
  package private(set) var handles = SubscribedHandles.none
  /// Whether the handles are those of another link, and nothing has shown yet that they still hold.
  private var isGuess = false

  /// A search that begins at the service, or at handles that were `known` on another link.
  ///
  /// Those of Service Changed never move on a phone that knows us (Vol 3, Part G, 7.1).
  package init(
    service: UUID, characteristic: UUID, subscription: Wanted.Subscription?,
    known: SubscribedHandles = .none
  ) {
    self.service = service
    self.characteristic = characteristic
    self.subscription = subscription
    guard known.range != nil else { return }
    isGuess = true
    if characteristic == .serviceChanged {
      valueHandle = known.value
      state = .subscription(descriptor: known.configuration)
    } else {
      state = .proof(known)
    }
  }

  /// The end of such a search: the value is known to be at this handle, and may have a descriptor behind it.
  init(characteristic: UUID, subscription: Wanted.Subscription, valueHandle: UInt16) {
    self.init(
      service: characteristic, characteristic: characteristic, subscription: subscription)
    self.valueHandle = valueHandle
    state = HandleRange.all.after(valueHandle).map { .descriptors($0) } ?? .found
  }

  package var isSubscribed: Bool { handles != .none }

  /// Whether there is a value that could not be subscribed to.
  package var isUnsubscribed: Bool { state == .found && valueHandle != 0 && !isSubscribed }

  /// The value comes though it could not be subscribed to.
  package mutating func valueCame() {
    handles = SubscribedHandles(value: valueHandle, configuration: 0)
  }

  /// The handles that it relies on, from the characteristic's declaration on; `nil` before there are any.
  private var range: HandleRange? {
    switch state {
    case .proof(let known): known.range
    case .subscription(let descriptor):
      SubscribedHandles(value: valueHandle, configuration: descriptor).range
    default: handles.range
    }
  }

  /// The handles of another link, while nothing has shown that they still hold; else `nil`.
  package var guess: HandleRange? { isGuess ? range : nil }

  /// Whether a change of these handles makes it begin again.
  ///
  /// A value without a subscription may allow one by now, wherever the change is.
  func isTouched(by changed: HandleRange) -> Bool {
    guard isSubscribed || isGuess, let range else { return true }
    return changed.overlaps(range)
  }

  /// Begins again, as after Service Changed.
  package mutating func restart() {
    self = Discovery(
      service: service, characteristic: characteristic, subscription: subscription)
  }

  /// Renews the subscription.
  package mutating func renew() {
    state = .renewal(descriptor: handles.configuration)
    handles = .none
  }

  /// Whether there is a value handle, and at most the subscription is left to do.
  var isLocated: Bool {
    switch state {
    case .subscription, .renewal, .found: valueHandle != 0
    default: false
    }
  }

  /// The next request, or `nil` at the end.
  package var request: Request? {
    switch state {
    case .proof(let known):
      .readByType(HandleRange(known.value - 1, known.value - 1), .characteristic)
    case .service: .findPrimaryService(.all, service)
    case .characteristic(let range): .readByType(range, .characteristic)
    case .descriptors(let range): .findInformation(range)
    case .subscription(let descriptor):
      .write(handle: descriptor, value: subscription?.rawValue ?? 0)
    case .renewal(let descriptor): .write(handle: descriptor, value: 0)
    case .found, .missing: nil
    }
  }

  /// Receives an answer to `request`; an answer that does not fit counts as a refusal.
  package mutating func receive(_ answer: ServerPDU) {
    do throws(ParseError) {
      switch (state, answer) {
      case (.proof(let known), .readByType(let values)): try prove(known, by: values)
      case (.service, .findByTypeValue(let ranges)):
        let range = try ranges[0]
        state = range.isValid ? .characteristic(range) : .missing
      case (.characteristic(let range), .readByType(let values)):
        try readDeclarations(values, in: range)
      case (.descriptors(let range), .findInformation(let information)):
        try readDescriptors(information, in: range)
      case (.renewal(let descriptor), .write): state = .subscription(descriptor: descriptor)
      case (.subscription(let descriptor), .write):
        handles = SubscribedHandles(value: valueHandle, configuration: descriptor)
        (state, isGuess) = (.found, false)
      default: refuse()
      }
    } catch {
      refuse()
    }
  }

  /// Receives an Error Response to `request`, or an answer that makes no sense.
  package mutating func refuse() {
    switch state {
    case .proof: restart()
    case .subscription where isGuess: restart()
    case .renewal(let descriptor): state = .subscription(descriptor: descriptor)
    case .service, .characteristic: state = .missing
    // Without a descriptor, or without leave to write it, the value can still be read.
    case .descriptors, .subscription: state = .found
    case .found, .missing: break
    }
  }

  private mutating func prove(
    _ known: SubscribedHandles, by values: ReadValues
  ) throws(ParseError) {
    let declaration = try CharacteristicDeclaration(parsing: values.value(at: 0))
    guard try values.handle(at: 0) == known.value - 1, declaration.valueHandle == known.value,
      declaration.uuid == characteristic
    else { throw .invalid }
    if subscription != nil, let only = declaration.onlySubscription { subscription = only }
    valueHandle = known.value
    state = .subscription(descriptor: known.configuration)
  }

  private mutating func readDeclarations(
    _ values: ReadValues, in range: HandleRange
  ) throws(ParseError) {
    var last = range.start
    for index in 0..<values.count {
      let handle = try values.handle(at: index)
      guard handle >= last, handle <= range.end else { throw .invalid }
      last = handle
      let declaration = try CharacteristicDeclaration(parsing: values.value(at: index))
      guard declaration.uuid == characteristic else { continue }
      guard declaration.valueHandle > handle, declaration.valueHandle <= range.end else {
        throw .invalid
      }
      valueHandle = declaration.valueHandle
      if subscription != nil, let only = declaration.onlySubscription { subscription = only }
      let rest = subscription == nil ? nil : range.after(valueHandle)
      state = rest.map { .descriptors($0) } ?? .found
      return
    }
    state = range.after(last).map { .characteristic($0) } ?? .missing
  }

  private mutating func readDescriptors(
    _ information: FoundInformation, in range: HandleRange
  ) throws(ParseError) {
    var last = range.start
    for index in 0..<information.count {
      let (handle, type) = try information[index]
      guard handle >= last, handle <= range.end else { throw .invalid }
      last = handle
      if type == .clientCharacteristicConfiguration {
        state = .subscription(descriptor: handle)
        return
      }
      // The next characteristic begins: what follows is not ours.
      if type == .characteristic {
        state = .found
        return
      }
    }
    state = range.after(last).map { .descriptors($0) } ?? .found
  }
}

extension CharacteristicDeclaration {
  /// How it can be subscribed to, if there is one way only.
  fileprivate var onlySubscription: Wanted.Subscription? {
    switch properties & 0x30 {
    case 0x10: .notifications
    case 0x20: .indications
    default: nil
    }
  }
}

extension SubscribedHandles {
  /// From the characteristic's declaration, which is right before its value, to the configuration; `nil`
  /// for none.
  package var range: HandleRange? {
    value > 1 ? HandleRange(value - 1, max(value, configuration)) : nil
  }
}
