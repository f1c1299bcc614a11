import Bytes
public import Graphics

extension Bitmap {
  /// Clears this bitmap and draws a screen on it, laid out for its size.
  public mutating func draw(_ screen: Screen) {
    clear()
    switch screen {
    case .starting(let version):
      draw(title: "Lenker".utf8.span, font: .bold24, text: version)
    case .unpaired: drawIdle("No phone".utf8.span)
    case .searching(let name, let secondsLeft, let phase):
      drawSearching(name: name, secondsLeft: secondsLeft, phase: phase)
    case .found(let phone, let rssi): drawFound(phone, rssi: rssi)
    case .comparison(let number, let name, let phone):
      drawComparison(of: number, name: name, phone: phone)
    case .pairingFailed(let failure): draw(failure)
    case .waiting(let phone, let acquaintance): drawWaiting(for: phone, acquaintance)
    case .phone(let phone, let acquaintance): draw(phone, acquaintance)
    case .forgotten(let phone): drawForgotten(by: phone)
    case .unpairing(let phone, let permille): drawUnpairing(phone, permille: permille)
    case .freed: drawIdle("Free".utf8.span)
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
  private mutating func drawSearching(name: Span<UInt8>, secondsLeft: Int?, phase: Int) {
    var time = FixedBuffer<24>()
    if let secondsLeft {
      time.append(decimal: Int64(widening: max(0, secondsLeft)))
      time.append(" s")
    }
    draw(
      title: "Searching".utf8.span, text: "Open komoot on the phone".utf8.span,
      footer: " ".utf8.span)  // keeps the line free
    // The name is put first: it stands still while the seconds get fewer.
    let room = size.width - 32
    var x = 0
    if Font.bold12.width(of: time.bytes) + Font.bold12.width(of: name) + 6 <= room {
      x = draw(name, font: .bold12, at: Point(0, size.height - 3))
      if x > 0 { x += 6 }
    }
    draw(time.bytes, font: .bold12, at: Point(x, size.height - 3), width: room - x)
    let step = ((phase % 3) + 3) % 3
    for dot in 0..<3 {
      let side = dot == step ? 5 : 3
      let center = Point(size.width - 27 + dot * 10, size.height - 5)
      fill(Point(center.x - side / 2, center.y - side / 2), Size(side, side))
    }
  }
}
