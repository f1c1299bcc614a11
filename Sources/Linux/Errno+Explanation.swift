extension Errno {
  public enum Context: Sendable { case radio, stream, bus, file }
  public func explanation(for context: Context) -> String { "failed" }
}
