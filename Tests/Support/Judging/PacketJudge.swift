import Judge
import TestSupport

/// Judges every packet that a host sends, by the specification and by nothing of ours.
///
/// It is told what passes the transport in the order in which the host has it.
package final class PacketJudge {
  private let state = UnsafeMutablePointer<judge>.allocate(capacity: 1)
  /// What the host has ready and what was judged, as long as it has not left.
  private var ready: [UInt8] = []

  /// Judges a host whose settings let it advertise, or do not.
  package init(mayAdvertise: Bool = false) { judge_begin(state, mayAdvertise) }

  deinit { state.deallocate() }

  /// The transport was opened: nothing is known of what is behind it.
  package func transportWasOpened() {
    judge_reset(state)
    ready = []
  }

  /// Takes note of what the host heard, true or not.
  package func received(_ packet: [UInt8]) {
    judge_received(state, packet, packet.count)
    // Whatever was ready before a failure is judged again: there is nothing to say but Reset.
    if !state.pointee.is_up { ready = [] }
  }

  /// The peer of this link is a sensor: a promise holds for phones that does not hold for it.
  package func isSensors(_ handle: UInt16) { judge_is_sensors(state, handle) }

  /// The host has given the controller up: a promise that it says nothing before Reset.
  package func hostFailed() {
    let hardwareError: [UInt8] = [0x04, 0x10, 0x01, 0x00]
    received(hardwareError)
  }

  /// The packet that was ready has left: the same bytes are another packet from now on.
  package func readyWasSent() { ready = [] }

  /// What is wrong with a packet that the host sends, if anything is.
  package func verdict(on packet: [UInt8]) -> String? {
    judge_sent(state, packet, packet.count).map { String(cString: $0) }
  }

  /// What is wrong with the packet that the host has ready, empty if there is none.
  ///
  /// It is judged once, by what the host had heard when it was prepared: a busy transport makes no
  /// packet wrong.
  package func verdict(onReady packet: [UInt8]) -> String? {
    guard packet != ready else { return nil }
    // What it was to say of a link that is gone is not said.
    if ready.first == 0x01 { judge_taken_back(state) }
    ready = packet
    return packet.isEmpty ? nil : verdict(on: packet)
  }

  /// Ends the test at a packet that is wrong.
  package func sent(_ packet: [UInt8]) { insist(on: packet, verdict(on: packet)) }

  /// Ends the test when the host has a packet ready that is wrong.
  package func hasReady(_ packet: [UInt8]) { insist(on: packet, verdict(onReady: packet)) }

  private func insist(on packet: [UInt8], _ verdict: String?) {
    guard let verdict else { return }
    let detail = String(state.pointee.detail, radix: 16)
    giveUp("\(verdict) (0x\(detail)): \(hex(packet))")
  }
}
