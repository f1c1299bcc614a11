/// Values of one type in order, held in place: at most `capacity` of them.
public struct FixedList<let capacity: Int, Element> {
  private var elements: InlineArray<capacity, Element>

  /// How many there are.
  public private(set) var count = 0

  /// An empty list; `filler` is in the places that are not used.
  public init(filler: Element) { elements = InlineArray(repeating: filler) }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// Whether there is no room for another one.
  public var isFull: Bool { count == capacity }

  /// The value at `index`, the first at 0.
  public subscript(index: Int) -> Element {
    get {
      precondition(index < count)
      return elements[index]
    }
    set {
      precondition(index < count)
      elements[index] = newValue
    }
  }

  /// Adds a value behind the others, or drops it if there is no room.
  @inline(never)  // one copy
  public mutating func append(_ element: Element) {
    guard !isFull else { return }
    elements[count] = element
    count += 1
  }

  /// Puts a value before the one at `index`; if there is no room, the last one is lost.
  public mutating func insert(_ element: Element, at index: Int) {
    guard index < capacity else { return }
    if !isFull { count += 1 }
    var place = count - 1
    while place > index {
      elements[place] = elements[place - 1]
      place -= 1
    }
    elements[index] = element
  }

  /// Removes the value at `index`.
  public mutating func remove(at index: Int) {
    count -= 1
    for place in index..<count { elements[place] = elements[place + 1] }
  }

  /// Removes and returns the first value; `nil` if there is none.
  public mutating func takeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[0]
    remove(at: 0)
    return first
  }

  /// Removes all values.
  public mutating func removeAll() { count = 0 }
}

extension FixedList: Sendable where Element: Sendable {}
