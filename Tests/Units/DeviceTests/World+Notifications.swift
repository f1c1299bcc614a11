import VirtualAir
import VirtualDevice

/// A ride with an iPhone that notifies; its texts are invented.
extension World {
  static let caller = "Anna Erfunden"

  /// A ride with a paired phone, whose old notifications are over.
  static func notifying(
    _ settings: [String] = ["notifications=all"], prepare: (World) -> Void = { _ in }
  ) throws -> World {
    let world = try World(["pairing=preferred"] + settings, pairs: true)
    world.phone.hasServiceChanged = true
    world.phone.notifications.isThere = true
    world.phone.notifications.texts = [
      7: .init(caller), 8: .init("Bäckerei", "Das Brot ist fertig"), 9: .init("Noch etwas"),
    ]
    prepare(world)
    world.turn(metres: 3_000)
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(15_000)
    world.turn(metres: 3_000)
    return world
  }

  /// The phone tells the distance to its turn.
  func turn(metres: UInt32) {
    tell(8, metres, "Hauptstraße")
    pass(0)
  }

  /// Something happens on the phone, which answers what it is asked; without more it is a call.
  func happens(kind: UInt8 = 0, flags: UInt8 = 0x18, category: UInt8 = 1, _ uid: UInt8) {
    guard let news = phone.notifications.news(kind, flags: flags, category: category, uid) else {
      return
    }
    notify(news)
    answer(for: 200)
  }

  /// Time passes, and the phone answers what it is asked.
  func answer(for milliseconds: Int64) {
    for _ in 0..<milliseconds / 5 {
      while let answer = phone.notifications.takeAnswer() { notify(answer) }
      pass(5)
    }
  }
}
