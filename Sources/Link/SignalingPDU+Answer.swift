package import Bytes
package import HCI
package import L2CAP

extension SignalingPDU {
  /// Writes the answer to a peripheral's command, if there is one; returns the parameters that are granted, if it
  /// asked for any.
  ///
  /// None are granted that let it wait longer than `longestWait`, in units of 1.25 ms, for a connection event, and
  /// none at all without `takesUpdates`: the controller no longer takes that command.
  package func answer<Writer: ByteWriter & ~Copyable>(
    takesUpdates: Bool, longestWait: UInt32 = .max, into answer: inout Writer
  ) -> ConnectionParameters? {
    switch self {
    case .commandReject, .response, .connectionParameterUpdateResponse: return nil
    case .connectionParameterUpdateRequest(
      let identifier, let intervalMin, let intervalMax, let latency, let timeout):
      let wanted = ConnectionParameters(
        intervalMin: intervalMin, intervalMax: intervalMax, latency: latency,
        supervisionTimeout: timeout)
      let isAccepted =
        takesUpdates && wanted.areAcceptable && wanted.longestWait <= longestWait
      SignalingPDU.writeConnectionParameterUpdateResponse(
        identifier: identifier, isAccepted: isAccepted, into: &answer)
      return isAccepted ? wanted : nil
    case .unknown(_, let identifier):
      SignalingPDU.writeCommandReject(identifier: identifier, into: &answer)
      return nil
    }
  }

  /// Writes the answer to a central's command, if there is one; returns whether the command accepts our parameters.
  ///
  /// Only a peripheral may ask for parameters: Vol 3, Part A, 4.20.
  func answerToCentral<Writer: ByteWriter & ~Copyable>(into answer: inout Writer) -> Bool {
    switch self {
    case .commandReject, .response: return false
    case .connectionParameterUpdateResponse(_, let isAccepted): return isAccepted
    case .connectionParameterUpdateRequest(let identifier, _, _, _, _),
      .unknown(_, let identifier):
      SignalingPDU.writeCommandReject(identifier: identifier, into: &answer)
      return false
    }
  }
}
