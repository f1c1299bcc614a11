import ATT
package import Bond
package import Bytes

/// How far each line of the table of what is wanted has come.
package struct WantedLines<let count: Int>: ~Copyable {
  /// What to ask next.
  enum Next {
    case nothing
    case request(Request, Transaction.Purpose)
    /// The MTU, now that all that is needed is there.
    case mtu
    /// The value of this line.
    case reading(Int)
  }

  private var states: InlineArray<count, WantedState>

  init(_ table: InlineArray<count, Wanted>, known: Bond.Handles) {
    states = InlineArray { index in
      WantedState(table[index], known: table[index].role.map { known[$0] } ?? .none)
    }
  }

  var indices: Range<Int> { states.indices }

  subscript(index: Int) -> WantedState {
    _read { yield states[index] }
    _modify { yield &states[index] }
  }

  package func index(of characteristic: UUID) -> Int? {
    for index in states.indices where states[index].wanted.characteristic == characteristic {
      return index
    }
    return nil
  }

  /// Whether a needed line is still missing.
  package var isAnyMissed: Bool {
    for index in states.indices where states[index].isMissed { return true }
    return false
  }

  /// Whether a needed line has a value that could not be subscribed to, and was not notified so far.
  package var isAnyUnheard: Bool {
    for index in states.indices where states[index].isUnheard { return true }
    return false
  }

  /// The handles that were found on this peer, of the lines that the bond keeps.
  package var handles: Bond.Handles {
    var handles = Bond.Handles()
    for index in states.indices {
      guard let role = states[index].wanted.role else { continue }
      handles[role] = states[index].keptHandles
    }
    return handles
  }

  /// Where the value of a characteristic is, 0 while that is not known.
  package func valueHandle(of characteristic: UUID) -> UInt16 {
    index(of: characteristic).map { states[$0].valueHandle } ?? 0
  }

  package func isSubscribed(to characteristic: UUID) -> Bool {
    guard let index = index(of: characteristic) else { return false }
    return states[index].discovery?.isSubscribed ?? false
  }

  /// What to ask next; `Wanted.Need` says which lines hold back others.
  mutating func next(isSecure: Bool, isMTUDue: Bool) -> Next {
    for index in states.indices where isSecure && states[index].wanted.isFirstIfSecure {
      if let request = states[index].takeRequest() { return .request(request, .discovery(index)) }
    }
    for index in states.indices where states[index].isAllowed(isSecure: isSecure) {
      if isMTUDue, !states[index].wanted.isNeeded { return .mtu }
      if let request = states[index].takeRequest() {
        return .request(request, states[index].discovery == nil ? .type(index) : .discovery(index))
      }
      if let request = states[index].takeWrite() { return .request(request, .write(index)) }
      if states[index].isReady, states[index].isReadWanted { return .reading(index) }
      if !isSecure, states[index].isMissed { return .nothing }
    }
    return .nothing
  }

  /// Asks for all lines once more, as the peer is silent.
  mutating func askAgain() { for index in states.indices { states[index].askAgain() } }

  /// The value of this characteristic was found at this handle by its type, or was not.
  mutating func found(_ characteristic: UUID, at handle: UInt16?) {
    for index in states.indices where states[index].wanted.characteristic == characteristic {
      states[index].typed(at: handle)
    }
  }

  /// Looks once more for the needed lines that are missing.
  mutating func searchMissed() {
    for index in states.indices where states[index].isMissed && !states[index].isSought {
      states[index].restart()
    }
  }

  /// The link is secured: what was refused may be granted now.
  mutating func secured() { for index in states.indices { states[index].secured() } }
}
