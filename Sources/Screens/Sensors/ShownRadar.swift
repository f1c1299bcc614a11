import Bytes
import Graphics

/// What comes from behind, as the strip at the right edge shows it.
///
/// Two values that look the same are equal.
package struct ShownRadar: Equatable, Sendable {
  /// How far a radar sees, in metres.
  static var reach: Int { 140 }

  /// Whether the radar sends nothing, which does not mean a clear road.
  package var isSilent: Bool
  /// One bit for each part of the road with a vehicle, bit 0 next to the rider.
  private(set) var parts: UInt64 = 0

  /// A radar without vehicles.
  package init(isSilent: Bool) { self.isSilent = isSilent }

  /// Adds a vehicle at a distance in metres; one beyond the reach is at its end.
  package mutating func add(metres: UInt8) {
    let part = min(63, Int(metres) * 64 / Self.reach)
    parts |= 1 &<< UInt64(widening: UInt32(part))
  }

  /// Columns of the strip on a panel, enough to be seen at arm's length where there is room; the narrowest
  /// panel has none left for it.
  static func width(on size: Size) -> Int { size.width < 40 ? 0 : size.width < 100 ? 8 : 14 }
}

extension Bitmap {
  /// Reserves the columns of the strip, if there is a radar.
  mutating func leaveStrip(for radar: ShownRadar?) {
    if radar != nil { narrow(by: ShownRadar.width(on: size)) }
  }

  /// Takes the columns back and draws the strip: the rider is at the bottom.
  ///
  /// A line along it is the road: whole while the radar watches it, and dots while it says nothing.
  mutating func drawStrip(of radar: ShownRadar?) {
    widen()
    guard let radar, ShownRadar.width(on: size) > 0 else { return }
    let width = ShownRadar.width(on: size) - 2
    let edge = size.width - width - 1
    guard !radar.isSilent else {
      for row in 0..<size.height where (size.height - 1 - row) % 6 < 2 { self[edge, row] = true }
      return
    }
    fill(Point(edge, 0), Size(1, size.height))
    let height = max(5, min(8, size.height / 8))
    // From afar to near, so that the nearer one is whole.
    for step in 0..<64 where radar.parts &>> UInt64(widening: UInt32(63 - step)) & 1 == 1 {
      let top = step * (size.height - height) / 63
      fill(Point(edge + 1, top - 1), Size(width, height + 2), lit: false)
      fill(Point(edge + 1, top), Size(width, height))
    }
  }
}
