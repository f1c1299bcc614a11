public import Bytes

extension Errno {
  /// What it means of a GPIO chip and its lines and what to do about it, as the second half of a
  /// sentence.
  public var chipExplanation: String {
    switch self {
    case .accessDenied:
      "not permitted: run as root, or join the group of the chip in ls -l, such as gpio"
    case .notPermitted:
      "not permitted by the service or container: allow it this device, as with DeviceAllow"
    case .noSuchFile: "no such chip: see gpiodetect for those there are"
    case .wrongKind: "not a GPIO chip: see gpiodetect for those there are"
    case .invalid: "the chip has no such line: see gpioinfo for those there are"
    case .busy:
      "a line is taken: see in gpioinfo by whom, or give each button and the alert its own line"
    case .noSuchDevice, .inputOutput:
      "the chip is gone, or the line is of no use for this; it is opened again each second"
    default: explanation(for: .file)
    }
  }
}
