package import BoardFile
package import Buttons
package import Bytes
package import Linux

/// Up to two buttons that pull lines of a GPIO chip to ground.
///
/// Linux, userspace-api/gpio/chardev. It never waits. After any error it is useless: close it and open
/// another one.
struct GPIOButtons: ~Copyable {
  private let a: GPIOLine
  private let b: GPIOLine
  /// Each line has its own queue in the kernel: the older of the two foremost edges is the next.
  private var aEdge: Edge?
  private var bEdge: Edge?

  /// Opens lines of the chip `path`, such as `/dev/gpiochip0`, with their pull-ups: see `GPIOLine`.
  init(chip path: Span<UInt8>, a: UInt32?, b: UInt32?) throws(Errno) {
    let a = try Self.open(path, a)
    self.b = try Self.open(path, b)
    self.a = a
  }

  private static func open(_ path: Span<UInt8>, _ offset: UInt32?) throws(Errno) -> GPIOLine {
    guard let offset else { return GPIOLine() }
    return try GPIOLine(buttonOf: path, offset: offset)
  }

  /// Readable when the button has an edge, or the chip is gone; none without such a button.
  func descriptor(of button: Button) -> Descriptor {
    switch button {
    case .a: a.descriptor
    case .b: b.descriptor
    }
  }

  var otherChip: UInt32 { a.otherChip != 0 ? a.otherChip : b.otherChip }

  /// Whether the contact is closed now, bounces included.
  func isPressed(_ button: Button) throws(Errno) -> Bool {
    switch button {
    case .a: try a.isActive()
    case .b: try b.isActive()
    }
  }

  /// The next edge of either button in the order of time, or `nil` if there is none now.
  ///
  /// Throws `noSuchDevice` once the chip is gone.
  mutating func next() throws(Errno) -> Edge? {
    if aEdge == nil, let edge = try a.next() {
      aEdge = Edge(.a, isPressed: edge.isPressed, at: edge.time)
    }
    if bEdge == nil, let edge = try b.next() {
      bEdge = Edge(.b, isPressed: edge.isPressed, at: edge.time)
    }
    guard let first = earlier(aEdge?.time, bEdge?.time) else { return nil }
    if let edge = aEdge, edge.time == first {
      aEdge = nil
      return edge
    }
    defer { bEdge = nil }
    return bEdge
  }
}

/// The buttons of a GPIO chip, or the bytes that stand in for them.
public struct ButtonLines: ~Copyable {
  private var chip: GPIOButtons?
  private var standIn: ByteInput?

  package init() {}

  /// Opens what the board names.
  package mutating func open(_ board: Board) throws(Errno) {
    close()
    switch board.buttons {
    case .none: break
    case .standardInput: standIn = .standardInput
    case .fifo(let path): standIn = try ByteInput(fifo: path.bytes)
    case .gpio(let path):
      chip = try GPIOButtons(chip: path.bytes, a: board.buttonA, b: board.buttonB)
    }
  }

  package mutating func close() {
    chip = nil
    standIn = nil
  }

  /// Whether the contact of a button is closed now; never without a chip.
  package func isPressed(_ button: Button) throws(Errno) -> Bool {
    try chip.withValue { (chip) throws(Errno) in try chip.isPressed(button) } ?? false
  }

  /// The number of their chip, if that was found by its label at another place than the board names; else 0.
  package var otherChip: UInt32 { chip.withValue { $0.otherChip } ?? 0 }

  /// Whether there are real contacts, whose level can be read.
  package var haveContacts: Bool { chip != nil }

  package mutating func nextEdge() throws(Errno) -> Edge? { try chip?.next() }

  /// Reads what came from a stand-in, as far as there is room for it.
  package mutating func receive(_ poller: borrowing Poller) {
    if poller.isReadable(standInDescriptor) { standIn?.receive() }
  }

  /// The next byte of it that is no line feed, or `nil` if there is none left.
  package mutating func nextByte() -> UInt8? {
    while let byte = standIn?.next() {
      if byte != 0x0A { return byte }
    }
    return nil
  }

  /// Adds the descriptors that are readable when there is an edge or a gesture.
  package func addDescriptors(to poller: inout Poller) {
    poller.add(descriptor(of: .a))
    poller.add(descriptor(of: .b))
    poller.add(standInDescriptor)
  }

  private func descriptor(of button: Button) -> Descriptor {
    chip.withValue { $0.descriptor(of: button) } ?? .none
  }

  private var standInDescriptor: Descriptor { standIn.withValue { $0.descriptor } ?? .none }
}
