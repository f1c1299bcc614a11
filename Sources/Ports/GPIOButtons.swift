import Buttons
import Bytes
import Linux

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
