import Bytes
import HCI
import L2CAP

extension SignalingPDU {
  /// Writes the answer that a peripheral's command gets, if it gets one; returns the parameters that it
  /// may have, if it asked for any.
  func answer<Writer: ByteWriter & ~Copyable>(into answer: inout Writer) -> ConnectionParameters? {
    switch self {
    case .commandReject, .response: return nil
    case .connectionParameterUpdateRequest(
      let identifier, let intervalMin, let intervalMax, let latency, let timeout):
      let wanted = ConnectionParameters(
        intervalMin: intervalMin, intervalMax: intervalMax, latency: latency,
        supervisionTimeout: timeout)
      SignalingPDU.writeConnectionParameterUpdateResponse(
        identifier: identifier, isAccepted: wanted.areAcceptable, into: &answer)
      return wanted.areAcceptable ? wanted : nil
    case .unknown(_, let identifier):
      SignalingPDU.writeCommandReject(identifier: identifier, into: &answer)
      return nil
    }
  }
}
