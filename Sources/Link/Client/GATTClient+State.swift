package import Bytes

/// What is known of the peer.
extension GATTClient {
  package func copyName<let capacity: Int>(into name: inout FixedBuffer<capacity>) {
    name.assign(peerName.bytes)
  }

  /// Whether a line's refusal has stopped all requests: until the link is secured, or cannot be.
  package var isHeld: Bool { if case .held = standing { true } else { false } }

  /// Whether the peer has refused a needed line over an open link.
  package var isKeyDemanded: Bool {
    guard !demandsSecurity, case .held(let index, _) = standing else { return false }
    return lines[index].wanted.isNeeded
  }
}
