#if arch(wasm32)
  import Bytes

  /// What was written on a bitmap since it was dark, for those who hear the page and do not see it.
  ///
  /// The boards' programs have nothing of it.
  package struct DrawnWords: ~Copyable {
    private var lines = FixedBuffer<1024>()

    /// A line each; an arrow is a byte of 1.
    package var bytes: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { lines.bytes }
    }

    mutating func removeAll() { lines.removeAll() }

    mutating func append(_ text: Span<UInt8>) {
      lines.append(text)
      lines.append(0x0A)
    }

    mutating func appendArrow() {
      lines.append(1)
      lines.append(0x0A)
    }
  }
#endif
