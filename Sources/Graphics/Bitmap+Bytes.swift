extension Bitmap {
  /// Copies all pixels: eight rows of a column in a byte, 128 columns in a page, eight pages.
  ///
  /// Bytes outside the bitmap are 0.
  public func copy(to bytes: inout InlineArray<1024, UInt8>) { bytes = storage }
}
