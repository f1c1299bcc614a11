package import Bytes

extension Errno {
  /// The same for all errors that one fault of a bus can show in.
  ///
  /// A panel without power fails to acknowledge now its address and now a byte, and a bus that is
  /// pulled out refuses to write first and to be opened then.
  package var kindOnBus: Errno {
    switch self {
    case .noSuchAddress, .inputOutput: .remoteIO
    case .noSuchDevice: .noSuchFile
    default: self
    }
  }
}
