import Bytes
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// What a phone has set on our server, from the link to the disk and back.
@Suite struct ServedPhoneTests {
  private func paired() throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    return world
  }

  private func answers(_ world: World, _ request: String) -> [String] {
    let count = world.phone.answers.count
    world.controller.send(channel: 0x04, bytes(request), world)
    world.pass(0)
    return world.phone.answers.dropFirst(count).map { hex(Array($0.dropFirst())) }
  }

  private func restarted(_ first: World) throws -> World {
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = first.disk
    world.meet(first)
    world.pass(0)
    world.advertise()
    world.pass(2_000)
    return world
  }

  @Test func peripheralBehaviour32_aConfigurationOutlivesARestart() throws {
    let world = try paired()
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    for request in ["12 09 00 02 00", "12 0f 00 01 00", "12 0f 00 01 00"] {
      #expect(answers(world, request) == ["13"])
    }
    #expect(writes == 2, "one for each change")
    let next = try restarted(world)
    next.onStore = { _, _ in writes += 1 }
    #expect(answers(next, "0a 09 00") == ["0b 02 00"] && answers(next, "0a 0f 00") == ["0b 01 00"])
    #expect(answers(next, "12 0f 00 01 00") == ["13"] && writes == 2)
    #expect(!next.phone.answers.contains { $0.prefix(2) == [0x04, 0x1D] }, "it knows the table")
  }

  /// As a store that has another table's number: one octet is another one, and the checksum is right.
  @Test func peripheralBehaviour33_anUpdateThatChangesTheTableIsToldOnceOverAllRestarts() throws {
    let world = try paired()
    #expect(answers(world, "12 09 00 02 00") == ["13"])
    for half in [0, 512] where world.disk[half + 9] == 1 {
      world.disk[half + 98] = 0
      let checked = Array(world.disk[half..<half + 508])
      let checksum = crc32(checked.span)
      for index in 0..<4 {
        world.disk[half + 508 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index))
      }
    }
    let next = try restarted(world)
    #expect(next.phone.answers.filter { $0.prefix(2) == [0x04, 0x1D] }.count == 1)
    #expect(next.phone.answers.contains(bytes("04 1d 08 00 01 00 ff ff")))
    #expect(answers(next, "1e") == [])
    next.phone.forgetRequests()
    let last = try restarted(next)
    #expect(!last.phone.answers.contains { $0.prefix(2) == [0x04, 0x1D] })
    #expect(answers(last, "0a 09 00") == ["0b 02 00"])
  }
}
