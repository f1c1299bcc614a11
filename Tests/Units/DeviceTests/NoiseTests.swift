import Bytes
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// Packets that make no sense, in mid-ride: the rider sees nothing of them.
@Suite struct NoiseTests {
  @Test(
    arguments: [
      ("a vendor's event", "04 ff 01 00"),
      ("the answer to a command that was never given", "04 0e 04 01 fe fc 00"),
      ("an inquiry result", "04 02 03 01 02 03"),
      ("data for a link that is not there", "02 ff 0e 04 00 00 00 04 00"),
      ("a report without reports", "04 3e 02 02 00"),
      ("a report without even their number", "04 3e 01 02"),
      ("an event without a number", "04 00 00"),
      ("an event that is cut", "04 0e ff"),
    ])
  func aPacketThatMakesNoSenseChangesNothing(_ what: String, _ packet: String) throws {
    let world = try World()
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    let (glass, links) = (world.glass, world.events("link").count)
    world.hears(bytes(packet))
    world.pass(1_000)
    #expect(world.glass == glass)
    world.tell(8, 340, "Hauptstraße", id: 2)
    #expect(world.shows(.turn(.right, "340 m", "Hauptstraße")))
    #expect(world.events("error").isEmpty && world.events("link").count == links)
  }
}
