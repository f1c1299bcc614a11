import Expecting
import Graphics
import Panel
import PanelModel
import Seeded
import TestSupport

/// A ride of random pictures through `PanelDriver`, over a bus that may fail, to the model's glass.
struct RoundTripTests {
  /// A few rectangles or single pixels change, rarely everything.
  func change(_ bitmap: inout Bitmap, _ random: inout SeededGenerator) {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let x = Int.random(in: -4..<width, using: &random)
      let y = Int.random(in: -4..<height, using: &random)
      let isSmall = Bool.random(using: &random)
      let size = Size(
        Int.random(in: 1...(isSmall ? 4 : 60), using: &random),
        Int.random(in: 1...(isSmall ? 4 : 40), using: &random))
      bitmap.fill(Point(x, y), size, lit: Bool.random(using: &random))
    }
    if Int.random(in: 0..<10, using: &random) == 0 { bitmap.invert(bitmap.bounds) }
    guard Int.random(in: 0..<20, using: &random) == 0 else { return }
    for page in 0..<bitmap.pageCount {
      for column in 0..<width {
        bitmap[page: page, column: column] = UInt8.random(in: 0...255, using: &random)
      }
    }
  }

  @Test(arguments: allKinds, allUpdates)
  func centralBehaviour64_theGlassShowsExactlyThePictureHoweverItIsSent(
    _ kind: PanelKind, _ updates: Updates
  ) {
    for seed in 1...4 as ClosedRange<UInt64> {
      let rotation = allRotations[Int(seed % 4)]
      var random = SeededGenerator(state: seed)
      var panel = Driven(
        PanelDriver(kind, rotation: rotation, updates: updates, contrast: kind.usualContrast), kind)
      for frame in 0..<40 {
        if frame % 17 == 16 { panel.display.refresh() }
        panel.show { change(&$0, &random) }
        let (seen, faults) = (glass(panel.model), panel.model.faults)
        guard seen == turned(picture(panel.bitmap), rotation), faults == 0 else {
          Issue.record("seed \(seed): frame \(frame) differs, \(faults) faults")
          return
        }
      }
    }
  }

  @Test(arguments: allKinds) func noNoiseIsEverShown(_ kind: PanelKind) {
    var display = PanelDriver(kind, rotation: .noTurn, contrast: kind.usualContrast)
    var model = PanelModel(kind)
    var bitmap = Bitmap(kind.size)
    bitmap.fill(Point(0, 0), Size(20, 20))
    let dark = picture(Bitmap(kind.size))
    let lit = picture(bitmap)
    display.show(bitmap)
    var seen = [glass(model)]
    while !display.message.isEmpty {
      model.receive(display.message)
      display.messageWasSent()
      seen.append(glass(model))
    }
    expect(seen.last, lit)
    #expect(seen.dropLast().allSatisfy { $0 == dark })
  }

  @Test(arguments: allKinds) func aPanelThatWasResetIsHealedByRefreshAndANewPicture(
    _ kind: PanelKind
  ) {
    var panel = Driven(kind)
    panel.model = PanelModel(kind)
    panel.display.refresh()
    panel.deliver()
    expect(panel.model.isOn, true)
    // Other pixels in every byte, though not all, so that every byte is sent.
    panel.show { bitmap in
      for page in 0..<bitmap.pageCount {
        for column in 0..<kind.size.width { bitmap[page: page, column: column] = 0x3C }
      }
    }
    expect(glass(panel.model), picture(panel.bitmap))
  }
}
