import ATT
import Bytes
import Central
import TestSupport
import Testing

/// The client cases of BlueZ's `unit/test-gatt.c`, as the packets that are exchanged in them.
///
/// Bytes and names are those of BlueZ, but our host offers 517 bytes, takes the first service with the
/// UUID and asks for no more than it needs. Where values are read, the two services have changed places,
/// as it reads the name by its type. Tests/verdicts.md says why other cases are left out.
@Suite struct BlueZTests {
  @Test(arguments: BlueZCase.discoveries + BlueZCase.reads + BlueZCase.readsByType)
  func theHostSaysWhatBlueZSays(_ test: BlueZCase) {
    Self.expect(test)
  }

  @Test(arguments: BlueZCase.subscriptions)
  func theHostSubscribesAsBlueZDoes(_ test: BlueZCase) {
    Self.expect(test)
  }

  private static func expect(_ test: BlueZCase) {
    let peer = ScriptedPeer(test.service, test.characteristic)
    #expect(peer.play(test.lines) == nil)
    let events = peer.central.takeEvents()
    switch test.end {
    case .open: break
    case .mtu(let mtu): #expect(peer.central.mtu == mtu)
    case .ready(let isSubscribed): #expect(events.contains(.ready(isSubscribed: isSubscribed)))
    case .value(let value): #expect(peer.central.values == [value])
    case .refused(let code): #expect(events.contains(.readRefused(AttributeError(rawValue: code))))
    case .name(let name): #expect(peer.central.names == [name])
    case .missing: #expect(events.contains { if case .serviceMissing = $0 { true } else { false } })
    }
  }

  /// The link is secured because of the refusal, and the request said once more.
  @Test(arguments: ["/TP/GAR/CL/BI-04-C/auto", "/TP/GAR/CL/BI-16-C/auto"])
  func aReadThatIsRefusedIsSaidAgainOnTheSecureLink(_ name: String) {
    let peer = ScriptedPeer(.heartRate, .manufacturer, pairing: .preferred)
    #expect(peer.play(BlueZCase.firstService) == nil)
    peer.central.read()
    // Service Changed is asked for in the pause before the read.
    let refused = [
      "> 06 01 00 ff ff 00 28 01 18", "< 01 06 01 00 0a", "> 0a 03 00", "< 01 0a 03 00 05",
    ]
    #expect(peer.play(refused) == nil)
    #expect(peer.central.values == [])
    peer.central.confirm(true)
    #expect(peer.play(["> 0a 03 00", "< 0b 01 02 03"]) == nil)
    #expect(peer.central.values == [bytes("01 02 03")])
  }

  /// The same for the descriptor that is written.
  @Test(arguments: ["/TP/GAW/CL/BI-23-C/auto"])
  func aWriteThatIsRefusedIsSaidAgainOnTheSecureLink(_ name: String) {
    let peer = ScriptedPeer(.heartRate, .manufacturer, pairing: .preferred)
    #expect(peer.play(BlueZCase.secondService(descriptor: "02 29")) == nil)
    #expect(peer.play(["> 12 08 00 01 00", "< 01 12 08 00 05"]) == nil)
    peer.central.confirm(true)
    // Service Changed comes first on a link that is secure.
    let again = [
      "> 06 01 00 ff ff 00 28 01 18", "< 01 06 01 00 0a", "> 12 08 00 01 00", "< 13",
    ]
    #expect(peer.play(again) == nil)
    #expect(peer.central.takeEvents().contains(.ready(isSubscribed: true)))
  }
}
