/// A value that cannot be copied, if there is one.
extension Optional where Wrapped: ~Copyable {
  /// What `body` says of the value; `nil` without one.
  package borrowing func withValue<Result, Failure: Error>(
    _ body: (borrowing Wrapped) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch self {
    case .some(let value): try body(value)
    case .none: nil
    }
  }
}
