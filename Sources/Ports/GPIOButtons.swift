import Buttons
import Bytes
import Linux

/// Up to two buttons that pull lines of a GPIO chip to ground.
///
/// Linux, userspace-api/gpio/chardev. It never waits. After any error it is useless: close it and open
/// another one.
struct GPIOButtons: ~Copyable {
  private let page: GPIOLine
  private let unpair: GPIOLine
  /// Each line has its own queue in the kernel: the older of the two foremost edges is the next.
  private var pageEdge: Edge?
  private var unpairEdge: Edge?

  /// Opens lines of the chip `path`, such as `/dev/gpiochip0`, with their pull-ups: see `GPIOLine`.
  init(chip path: Span<UInt8>, page: UInt32?, unpair: UInt32?) throws(Errno) {
    let page = try Self.open(path, page)
    self.unpair = try Self.open(path, unpair)
    self.page = page
  }

  private static func open(_ path: Span<UInt8>, _ offset: UInt32?) throws(Errno) -> GPIOLine {
    guard let offset else { return GPIOLine() }
    return try GPIOLine(buttonOf: path, offset: offset)
  }

  /// Readable when the button has an edge, or the chip is gone; none without such a button.
  func descriptor(of button: Button) -> Descriptor {
    switch button {
    case .page: page.descriptor
    case .unpair: unpair.descriptor
    }
  }

  var otherChip: UInt32 { page.otherChip != 0 ? page.otherChip : unpair.otherChip }

  /// Whether the contact is closed now, bounces included.
  func isPressed(_ button: Button) throws(Errno) -> Bool {
    switch button {
    case .page: try page.isActive()
    case .unpair: try unpair.isActive()
    }
  }

  /// The next edge of either button in the order of time, or `nil` if there is none now.
  ///
  /// Throws `noSuchDevice` once the chip is gone.
  mutating func next() throws(Errno) -> Edge? {
    if pageEdge == nil, let edge = try page.next() {
      pageEdge = Edge(.page, isPressed: edge.isPressed, at: edge.time)
    }
    if unpairEdge == nil, let edge = try unpair.next() {
      unpairEdge = Edge(.unpair, isPressed: edge.isPressed, at: edge.time)
    }
    guard let first = earlier(pageEdge?.time, unpairEdge?.time) else { return nil }
    if let edge = pageEdge, edge.time == first {
      pageEdge = nil
      return edge
    }
    defer { unpairEdge = nil }
    return unpairEdge
  }
}
