import Graphics

/// A sign that says what a screen of words is about before one word is read.
///
/// The sources below are the pictures: a lit pixel is `#`.
enum Symbol {
  /// What this is for: the start.
  case bicycle
  /// A phone.
  case phone
  /// No phone.
  case noPhone
  /// Looking for one.
  case search
  /// A phone on the air.
  case waves
  /// Where a tour begins.
  case route
  /// Done.
  case check
  /// Something is wrong.
  case warning
  /// A sensor of each kind.
  case heart, crank, wheel, bolt, car
  /// The same as small as a capital letter.
  case smallHeart, smallCrank, smallWheel, smallBolt, smallCar
  /// A battery that is nearly empty.
  case battery

  /// Width and height in pixels.
  var size: Size {
    let pixels = art.utf8
    var width = 0
    while width < pixels.span.count, pixels.span[width] != 0x0A { width += 1 }
    return Size(width, (pixels.span.count + 1) / (width + 1))
  }

  /// Rows of dots and number signs, each ending with a line feed but the last.
  var art: String {
    switch self {
    case .bicycle: Self.bicycleArt
    case .phone: Self.phoneArt
    case .noPhone: Self.noPhoneArt
    case .search: Self.searchArt
    case .waves: Self.wavesArt
    case .route: Self.routeArt
    case .check: Self.checkArt
    case .warning: Self.warningArt
    case .heart: Self.heartArt
    case .crank: Self.crankArt
    case .wheel: Self.wheelArt
    case .bolt: Self.boltArt
    case .car: Self.carArt
    case .smallHeart: Self.smallHeartArt
    case .smallCrank: Self.smallCrankArt
    case .smallWheel: Self.smallWheelArt
    case .smallBolt: Self.smallBoltArt
    case .smallCar: Self.smallCarArt
    case .battery: Self.batteryArt
    }
  }
}

extension Bitmap {
  /// Lights a symbol, its top left at `origin`.
  mutating func draw(_ symbol: Symbol, at origin: Point) {
    let pixels = symbol.art.utf8
    var point = origin
    for index in pixels.span.indices {
      switch pixels.span[index] {
      case 0x0A: point = Point(origin.x, point.y + 1)
      case 0x23:
        self[point.x, point.y] = true
        point.x += 1
      default: point.x += 1
      }
    }
  }
}
