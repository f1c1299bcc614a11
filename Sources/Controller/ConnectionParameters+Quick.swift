package import HCI

extension ConnectionParameters {
  /// 15 ms, so that the turn is there soon; the link is lost after 4 s of silence.
  package static var quick: ConnectionParameters {
    ConnectionParameters(
      intervalMin: 12, intervalMax: 12, latency: 0, supervisionTimeout: 400)
  }
}
