import TestSupport
import VirtualAir
import VirtualDevice

/// With `--advertise`: the phone also comes by itself, with what Gadgetbridge writes if it is an Android.
extension Life {
  /// Lets the phone try to come by itself; whether it was let in, the host says.
  func visit() {
    let visitor =
      kind == .android
      ? VirtualCentral.gadgetbridge(world.phone) : VirtualCentral.iPhone(world.phone)
    guard world.comes(visitor) else { return }
    self.visitor = visitor
    figures.visits += 1
  }

  /// On its own link Gadgetbridge says the turn, too, and now and then something else, or nonsense.
  func writeLines() {
    guard let visitor, kind == .android, world.controller.link(visitor) != nil else { return }
    figures.lines += 1
    let lines = [
      "GB({\"t\":\"nav\",\"instr\":\"\(figures.lines) rue\",\"distance\":\"\(distance)m\",\"action\":\"left\"})",
      "GB({\"t\":\"nav\",\"distance\":\"-1m\"})",
      "GB({\"t\":\"notify\",\"id\":\(figures.lines),\"title\":\"x\",\"body\":\"y\"})",
      "GB({\"t\":\"call\",\"cmd\":\"end\"})", "GB({\"t\":[[[[[[[[", "",
      String(repeating: "z", count: Int(chosen(1...3_000))),
    ]
    world.goOn(visitor, with: [VirtualCentral.line(chosen(lines))])
  }

  /// Somebody who is nobody's phone knocks, as often as the device lets itself be heard.
  func strangerKnocks() {
    let stranger = VirtualPhone()
    stranger.address = [1] + (0..<5).map { _ in UInt8(chosen(0...255)) } + [0x41]
    let visitor = VirtualCentral.stranger(stranger)
    for _ in 0..<chosen(1...20) {
      if world.comes(visitor) { figures.knocks += 1 }
      pass(1_000)
    }
    world.loseLink(of: visitor)
  }
}
