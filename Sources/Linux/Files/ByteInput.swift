package import Bytes
import CLinux

/// Single bytes from standard input or a fifo, such as gestures in place of buttons.
public struct ByteInput: ~Copyable {
  /// Its own fifo; standard input belongs to the process.
  private let fifo: FileDescriptor?
  private let rawValue: Int32
  private var hasEnded = false
  private var pending = FixedBuffer<16>()
  private var taken = 0

  private init(_ rawValue: Int32) {
    fifo = nil
    self.rawValue = rawValue
  }

  /// Bytes typed or piped in.
  package static var standardInput: ByteInput { ByteInput(0) }

  /// Bytes from a fifo, which is made if it is missing; writers may come and go.
  ///
  /// Throws `fileExists` if the path is another kind of file.
  package init(fifo path: Span<UInt8>) throws(Errno) {
    let fifo = try FileDescriptor(opening: linux_open_fifo(path))
    rawValue = fifo.rawValue
    self.fifo = consume fifo
  }

  /// Readable when bytes have come; none once the input has ended.
  package var descriptor: Descriptor { hasEnded ? .none : Descriptor(rawValue: rawValue) }

  /// The next byte of what was received, or `nil` if there is none left.
  package mutating func next() -> UInt8? {
    guard taken < pending.count else { return nil }
    taken += 1
    return pending[taken - 1]
  }

  /// Reads what has come and fits here, when the descriptor is readable; take it with `next`.
  ///
  /// Poll reports the rest, so an endless writer keeps no loop busy. Standard input is shared with other
  /// programs, so it stays as blocking as it was.
  package mutating func receive() {
    taken = 0
    do throws(Errno) {
      let source = rawValue
      try pending.fill { (space) throws(Errno) in try check { linux_read(source, &space) } }
      // At its end the input would be readable for ever.
      hasEnded = pending.isEmpty
    } catch {
      hasEnded = error != .wouldBlock
    }
  }
}
