package import BoardFile
package import Buttons
package import Bytes
package import Linux

/// Up to two buttons that pull lines of a GPIO chip to ground, or the bytes that stand in for them.
///
/// Linux, userspace-api/gpio/chardev. It never waits. After any error open it again.
public struct ButtonLines: ~Copyable {
  private var a = GPIOLine()
  private var b = GPIOLine()
  /// Each line has its own queue in the kernel: the older of the two foremost edges is the next.
  private var aEdge: Edge?
  private var bEdge: Edge?
  private var standIn: ByteInput?
  /// Whether there are real contacts, whose level can be read.
  package private(set) var haveContacts = false

  package init() {}

  /// Opens what the board names.
  package mutating func open(_ board: Board) throws(Errno) {
    close()
    switch board.buttons {
    case .none: break
    case .standardInput: standIn = .standardInput
    case .fifo(let path): standIn = try ByteInput(fifo: path.bytes)
    case .gpio(let path): try open(chip: path.bytes, a: board.buttonA, b: board.buttonB)
    }
  }

  /// Opens lines of the chip `path`, such as `/dev/gpiochip0`, with their pull-ups: see `GPIOLine`.
  mutating func open(chip path: Span<UInt8>, a: UInt32?, b: UInt32?) throws(Errno) {
    var lines = ButtonLines()
    if let a { lines.a = try GPIOLine(buttonOf: path, offset: a) }
    if let b { lines.b = try GPIOLine(buttonOf: path, offset: b) }
    lines.haveContacts = true
    self = lines
  }

  package mutating func close() { self = ButtonLines() }

  /// Whether the contact of a button is closed now, bounces included; never without a chip.
  package func isPressed(_ button: Button) throws(Errno) -> Bool {
    switch button {
    case .a: try a.isActive()
    case .b: try b.isActive()
    }
  }

  /// The number of their chip, if that was found by its label at another place than the board names; else 0.
  package var otherChip: UInt32 { a.otherChip != 0 ? a.otherChip : b.otherChip }

  /// The next edge of either button in the order of time, or `nil` if there is none now.
  ///
  /// Throws `noSuchDevice` once the chip is gone.
  package mutating func nextEdge() throws(Errno) -> Edge? {
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

  /// Reads what came from a stand-in, as far as there is room for it.
  package mutating func receive(_ poller: borrowing Poller) {
    if poller.isReadable(standInDescriptor) { standIn?.receive() }
  }

  /// The next byte of the stand-in that is no line feed, or `nil` if there is none left.
  package mutating func nextByte() -> UInt8? {
    while let byte = standIn?.next() {
      if byte != 0x0A { return byte }
    }
    return nil
  }

  /// Adds the descriptors that are readable when there is an edge or a gesture, or the chip is gone.
  package func addDescriptors(to poller: inout Poller) {
    poller.add(a.descriptor)
    poller.add(b.descriptor)
    poller.add(standInDescriptor)
  }

  private var standInDescriptor: Descriptor { standIn.withValue { $0.descriptor } ?? .none }
}
