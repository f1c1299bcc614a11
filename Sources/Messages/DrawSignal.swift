package import Graphics

extension Bitmap {
  /// Columns of the four bars of a signal.
  package var signalWidth: Int { 18 }

  /// Draws a bar at the right edge for each step of a signal, and a foot where one is missing.
  package mutating func drawSignal(_ rssi: Int8?, bottom: Int) {
    for bar in 0..<4 {
      let height = bar < signalBars(rssi) ? 3 * (bar + 1) : 1
      fill(Point(size.width - signalWidth + 5 * bar, bottom - height), Size(3, height))
    }
  }

  /// From four bars at arm's length to one at the limit of reception; none if the signal is not known.
  private func signalBars(_ rssi: Int8?) -> Int {
    guard let rssi else { return 0 }
    return switch rssi {
    case (-60)...: 4
    case (-70)...: 3
    case (-80)...: 2
    default: 1
    }
  }
}
