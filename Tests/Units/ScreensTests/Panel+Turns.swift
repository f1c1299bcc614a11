import Graphics
import Screens
import TestSupport

extension Panel {
  /// A turn to the left, or what is made of it, on this panel.
  func turn(
    _ street: String, _ distance: String = "350 m", offset: Int = 0,
    _ change: (inout TurnFigures) -> Void = { _ in }
  ) -> Bitmap {
    let (far, road) = (Array(distance.utf8), Array(street.utf8))
    var turn = ShownTurn(TurnFigures(.left), distance: far.span, street: road.span)
    turn.streetOffset = offset
    change(&turn.figures)
    return bitmap(.navigation(turn))
  }

  /// How many columns of its street do not fit.
  func overflow(_ street: String, _ change: (inout TurnFigures) -> Void = { _ in }) -> Int {
    let (far, road) = (Array("350 m".utf8), Array(street.utf8))
    var turn = ShownTurn(TurnFigures(.left), distance: far.span, street: road.span)
    change(&turn.figures)
    return Bitmap(size).streetOverflow(of: turn)
  }
}

extension Pixels {
  /// The rows in which a pixel is lit, in some of the columns.
  func litRows(_ columns: Range<Int>? = nil) -> [Int] {
    (0..<height).filter { y in (columns ?? 0..<width).contains { self[$0, y] } }
  }
}
