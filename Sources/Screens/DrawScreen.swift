import Bytes
public import Graphics

extension Bitmap {
  /// Clears this bitmap and draws a screen on it, laid out for its size.
  public mutating func draw(_ screen: Screen) {
    clear()
    switch screen {
    case .starting(let version):
      draw(title: "Lenker".utf8.span, font: .bold24, text: version)
    case .searching(let secondsLeft, let phase):
      drawSearching(secondsLeft: secondsLeft, phase: phase)
    case .connecting(let name):
      draw(title: "Connecting".utf8.span, text: name)
    case .ready(let name):
      draw(title: "Ready".utf8.span, text: "Start a tour in komoot".utf8.span, footer: name)
    case .navigation(let turn):
      draw(turn)
    case .noRadio(let advice):
      draw(title: "No radio".utf8.span, text: advice)
    case .message(let title, let text):
      draw(title: title, text: text)
    }
  }

  /// Three dots, one of them large, under what to do on the phone.
  private mutating func drawSearching(secondsLeft: Int?, phase: Int) {
    var footer = FixedBuffer<24>()
    if let secondsLeft {
      footer.append(decimal: Int64(widening: max(0, secondsLeft)))
      footer.append(" s")
    } else {
      footer.append(" ")  // keeps the line free for the dots
    }
    draw(
      title: "Searching".utf8.span, text: "Open komoot on the phone".utf8.span,
      footer: footer.bytes)
    let step = ((phase % 3) + 3) % 3
    for dot in 0..<3 {
      let side = dot == step ? 5 : 3
      let center = Point(size.width - 27 + dot * 10, size.height - 5)
      fill(Point(center.x - side / 2, center.y - side / 2), Size(side, side))
    }
  }
}
