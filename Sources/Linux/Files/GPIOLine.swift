package import Bytes
import CLinux

/// One line of a GPIO chip that is ours, by libgpiod, or none; released when its owner goes.
public struct GPIOLine: ~Copyable {
  private let line: linux_gpio_line

  /// No line: it has no edges and is never active.
  package init() { line = linux_gpio_line(descriptor: -1, offset: 0, chip: 0, owner: 0, part: 0) }

  private init(opening line: linux_gpio_line) throws(Errno) {
    guard line.owner != 0 else { throw .last }
    self.line = line
  }

  /// Takes a line that a button pulls to ground, with its pull-up; active means pressed.
  package init(buttonOf chip: Span<UInt8>, offset: UInt32) throws(Errno) {
    try self.init(opening: linux_gpio_open_button(chip, offset))
  }

  /// Takes a line to drive, such as that of a buzzer or an LED, and drives it low.
  ///
  /// The chip is a path. `/dev/gpiochip0` stands for the chip of a Raspberry Pi's header, whatever its number.
  /// Throws `noSuchFile` without it, `wrongKind` for another device, `invalid` for a line that the chip does
  /// not have, and `busy` for one that is taken.
  package init(outputOf chip: Span<UInt8>, offset: UInt32) throws(Errno) {
    try self.init(opening: linux_gpio_open_output(chip, offset))
  }

  /// The number of the chip, if it is another chip than was named; else 0.
  package var otherChip: UInt32 { line.chip }

  deinit { linux_gpio_close(line) }

  /// Drives an output high or low; throws `noSuchDevice` once the chip is gone.
  package func set(_ isHigh: Bool) throws(Errno) {
    try check(linux_gpio_set(line, isHigh ? 1 : 0))
  }

  /// Readable when there is an edge, or the chip is gone.
  package var descriptor: Descriptor { Descriptor(rawValue: line.descriptor) }

  /// The next edge of a button, or `nil` if there is none now.
  package func next() throws(Errno) -> (isPressed: Bool, time: Instant)? {
    guard line.owner != 0 else { return nil }
    let edge = linux_gpio_read(line)
    try check(edge.result)
    guard edge.result > 0 else { return nil }
    return (edge.is_active != 0, Instant(milliseconds: edge.nanoseconds / 1_000_000))
  }

  /// Whether a button is pressed, or an output high.
  package func isActive() throws(Errno) -> Bool {
    guard line.owner != 0 else { return false }
    let level = linux_gpio_level(line)
    try check(level)
    return level > 0
  }
}
