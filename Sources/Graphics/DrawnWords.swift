#if arch(wasm32)
  import Bytes

  /// The words on a bitmap, for a screen reader of the page in a browser.
  ///
  /// The boards' programs leave it out.
  package struct DrawnWords: ~Copyable {
    private var lines = FixedBuffer<1024>()

    /// A line each; an arrow is a byte of 1.
    package var bytes: Span<UInt8> { lines.bytes }

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
