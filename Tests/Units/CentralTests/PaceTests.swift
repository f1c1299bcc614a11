import Bytes
import Central
import Expecting
import TestSupport
import VirtualAir

/// How far the link of a ride is relaxed.
@Suite struct PaceTests {
  private static let relaxed = "50 00 64 00"  // 100 to 125 ms
  private static let close = "18 00 28 00"  // 30 to 50 ms

  /// Rides for twenty seconds; the intervals that were asked for meanwhile.
  private func ride(_ scene: Encounter) -> [String] {
    _ = scene.central.takeSaid()
    scene.central.pass(20_000)
    return scene.central.takeSaid().filter { $0.hasPrefix("01 13 20") }
      .map { $0.split(separator: " ")[6..<10].joined(separator: " ") }
  }

  private func lose(_ scene: Encounter, reason: UInt8) {
    scene.controller.disconnect(reason: reason, scene.central)
    _ = scene.meet()
  }

  @Test func centralBehaviour94_aRelaxedLinkThatWasLostIsNotRelaxedThatFarAgain() {
    let scene = Encounter.paired()
    expect(ride(scene), [Self.relaxed])
    for _ in 0..<3 {
      lose(scene, reason: 0x08)
      expect(ride(scene), [Self.close])
    }
  }

  /// The phone's owner ended it, or it was never relaxed.
  @Test func centralBehaviour94_anotherEndIsNoReasonToStayClose() {
    let scene = Encounter.paired()
    expect(ride(scene), [Self.relaxed])
    lose(scene, reason: 0x13)
    scene.central.pass(2_000)
    lose(scene, reason: 0x08)
    expect(ride(scene), [Self.relaxed])
  }

  /// A Connection Parameter Update Request by L2CAP: 100 to 125 ms, latency 2, 5 s.
  private static let wish = bytes("12 07 08 00 50 00 64 00 02 00 f4 01")

  private func wish(_ scene: Encounter) -> Bool {
    scene.phone.forgetRequests()
    _ = scene.central.takeSaid()
    scene.controller.send(channel: 0x05, Self.wish, scene.central)
    // Command 13, the same identifier, 2 octets: 0 for accepted.
    return scene.phone.answers.contains([0x05] + bytes("13 07 02 00 00 00"))
  }

  @Test func centralBehaviour94_whatThePhoneRelaxesIsNotRelaxedThatFarAgainEither() {
    let scene = Encounter.paired()
    expect(wish(scene))
    scene.central.pass(20_000)
    lose(scene, reason: 0x08)
    expect(!wish(scene))
    expect(ride(scene), [Self.close])
  }

  @Test func centralBehaviour94_theNextRideIsRelaxedAsUsual() {
    let scene = Encounter.paired()
    expect(ride(scene), [Self.relaxed])
    scene.lose()
    scene.central.pass(601_000)
    _ = scene.meet()
    expect(ride(scene), [Self.relaxed])
  }
}
