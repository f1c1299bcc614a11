package import BoardFile
package import Buttons
package import Bytes
package import Linux

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
