/// A part of a large value, by which the compiler leaves the whole in its place, and copies none to read a byte of it.
///
/// Swift 6.3 takes a large struct for one that it may load: an element of an `InlineArray` inside is then read from a
/// copy of the whole array, on the stack. Memory of raw layout, of which this has none, cannot be loaded.
@_rawLayout(size: 0, alignment: 1)
public struct InPlace: ~Copyable {
  /// Nothing, but in its place.
  public init() {}
}
