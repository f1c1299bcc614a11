/// Events in the order they happened; one too many drops the newest.
package struct EventQueue<Event>: ~Copyable {
  private static var capacity: Int { 24 }
  private var events: InlineArray<24, Event>
  private var first = 0
  private var count = 0

  /// An empty queue, whose places hold `nothing` meanwhile.
  package init(_ nothing: Event) { events = InlineArray(repeating: nothing) }

  @inline(never)  // else a board's file has a copy for each event
  package mutating func append(_ event: Event) {
    guard count < Self.capacity else { return }
    events[(first + count) % Self.capacity] = event
    count += 1
  }

  package mutating func take() -> Event? {
    guard count > 0 else { return nil }
    let event = events[first]
    first = (first + 1) % Self.capacity
    count -= 1
    return event
  }
}
