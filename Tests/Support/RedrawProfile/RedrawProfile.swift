/// Redraws a changed navigation screen: `RedrawProfile COUNT [arrow|draw|flush|compare]`.
///
/// Under an instruction counter the difference between two counts is what redrawing alone costs.
/// Arrow, distance and street change each time. `arrow` draws that alone, `draw` the screen, and
/// `flush`, the default, also compares and makes all messages; `compare` does that but compares twice.

import Glibc
import Graphics
import Panel
import Screens
import Turns

enum Stage: String {
  case arrow, draw, flush, compare
}

struct Redraw: ~Copyable {
  private let stage: Stage
  private var bitmap = Bitmap(PanelKind.ssd1306x128x64.size)
  private var display = PanelDriver(.ssd1306x128x64, rotation: .noTurn, contrast: 207)
  private(set) var byteCount = 0

  init(_ stage: Stage) { self.stage = stage }

  mutating func update(_ number: Int) {
    let isFirst = number & 1 == 0
    let (distance, street) =
      isFirst ? ("140 m".utf8, "Charlottenstraße".utf8) : ("90 m".utf8, "Kiepenheuerallee".utf8)
    guard stage != .arrow else {
      bitmap.clear()
      bitmap.draw(isFirst ? .right : .slightLeft, fitting: 48, at: Point(0, 0))
      return
    }
    let maneuver: Maneuver = isFirst ? .right : .slightLeft
    bitmap.draw(
      .navigation(ShownTurn(TurnFigures(maneuver), distance: distance.span, street: street.span)))
    guard stage != .draw else { return }
    display.show(bitmap)
    if stage == .compare { display.show(bitmap) }
    byteCount += Self.flush(&display)
  }
}

extension Redraw {
  static func flush(_ display: inout PanelDriver) -> Int {
    var byteCount = 0
    while !display.message.isEmpty {
      byteCount += 1 + display.message.count
      display.messageWasSent()
    }
    return byteCount
  }
}

@main enum RedrawProfile {
  static func main() {
    let arguments = CommandLine.arguments
    guard (2...3).contains(arguments.count), let count = Int(arguments[1]), count >= 0,
      let stage = arguments.count == 3 ? Stage(rawValue: arguments[2]) : .flush
    else {
      print("usage: RedrawProfile COUNT [arrow|draw|flush|compare]")
      exit(64)
    }
    var redraw = Redraw(stage)
    for number in 0..<count { redraw.update(number) }
    print(redraw.byteCount)
  }
}
