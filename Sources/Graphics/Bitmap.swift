/// Pixels in the panel's own order: pages of eight rows, bit 0 of a byte on top.
///
/// SSD1306 data sheet, 8.7. At most 128 × 64; drawing outside is dropped.
public struct Bitmap: ~Copyable {
  /// The largest width of a panel, and the distance between two pages in `storage`.
  public static var maxWidth: Int { 128 }
  /// The largest height of a panel.
  public static var maxHeight: Int { 64 }

  /// Width and height of this bitmap.
  public let size: Size
  private var storage = InlineArray<1024, UInt8>(repeating: 0)

  /// A dark bitmap; sizes beyond the largest are cut to it.
  public init(_ size: Size) {
    self.size = Size(
      max(0, min(size.width, Self.maxWidth)), max(0, min(size.height, Self.maxHeight)))
  }

  /// How many pages of eight rows there are.
  public var pageCount: Int { (size.height + 7) / 8 }

  /// Whether the pixel is lit; outside nothing is, and nothing can be.
  public subscript(x: Int, y: Int) -> Bool {
    get {
      guard contains(x, y) else { return false }
      return storage[(y >> 3) * Self.maxWidth + x] & (1 << UInt8(y & 7)) != 0
    }
    set {
      guard contains(x, y) else { return }
      let index = (y >> 3) * Self.maxWidth + x
      let bit: UInt8 = 1 << UInt8(y & 7)
      if newValue { storage[index] |= bit } else { storage[index] &= ~bit }
    }
  }

  /// Eight pixels of one column, the topmost in bit 0; 0 outside.
  public subscript(page page: Int, column column: Int) -> UInt8 {
    get {
      guard contains(column, page * 8) else { return 0 }
      return storage[page * Self.maxWidth + column]
    }
    set {
      guard contains(column, page * 8) else { return }
      storage[page * Self.maxWidth + column] = newValue
    }
  }

  /// Turns all pixels dark.
  public mutating func clear() { storage = InlineArray(repeating: 0) }

  /// Makes this bitmap show what `other` shows, as far as it reaches.
  public mutating func copy(_ other: borrowing Bitmap) {
    for page in 0..<pageCount {
      for column in 0..<size.width {
        self[page: page, column: column] = other[page: page, column: column]
      }
    }
  }

  /// Lights or darkens a rectangle.
  public mutating func fill(_ origin: Point, _ size: Size, lit: Bool = true) {
    for y in origin.y..<origin.y + max(0, size.height) {
      for x in origin.x..<origin.x + max(0, size.width) { self[x, y] = lit }
    }
  }

  private func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && x < size.width && y >= 0 && y < size.height
  }
}
