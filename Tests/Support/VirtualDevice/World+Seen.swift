import BoardFile
import Device
import DeviceState
import Graphics
import Responder
import TestSupport

/// What a person sees, and what the events tell.
extension World {
  package func state(of port: Port) -> PortState { device.upkeep.ports[port].state }

  package var connection: Connection { device.connection }

  package var mayEnd: Bool { device.mayEnd }

  package var isRebootRequested: Bool { device.upkeep.recovery.isRebootRequested }

  /// What a person sees on the glass, however it is mounted, as text.
  package var glass: String {
    turned(glassAsItIs, quarters: 4 - quarters)
  }

  private var glassAsItIs: String {
    var bitmap = Bitmap(device.board.panel.size)
    panel.updateGlass(&bitmap)
    return picture(bitmap)
  }

  /// By how many quarters a picture is turned clockwise on its way to the glass.
  private var quarters: Int { Int(device.board.rotation.rawValue) }

  /// What a person would see of a screen, in the board's language.
  package func drawn(_ shot: Shot) -> String {
    var bitmap = Bitmap(device.board.panel.pictureSize(device.board.rotation))
    shot.draw(on: &bitmap, in: device.board.language)
    return picture(bitmap)
  }

  /// Whether that is what is seen.
  package func shows(_ shot: Shot) -> Bool { glass == drawn(shot) }

  /// Whether that is what is seen, perhaps by a row of the glass higher or lower to spare the pixels.
  package func showsMoved(_ shot: Shot) -> Bool {
    let seen = glassAsItIs.split(separator: "\n")
    let wanted = turned(drawn(shot), quarters: quarters).split(separator: "\n")
    return seen.dropFirst().elementsEqual(wanted.dropLast())
      || seen.dropLast().elementsEqual(wanted.dropFirst()) || seen == wanted
  }

  /// Whether the glass has the picture that was drawn last, perhaps moved to spare the pixels, or is off.
  package var showsItsPicture: Bool {
    guard device.display.isOn else { return !panel.isOn }
    var glass = Bitmap(device.board.panel.size)
    panel.updateGlass(&glass)
    let (seen, drawn) = (columns(of: glass), columnsOfItsPicture)
    let mask: UInt128 = .max >> UInt128(128 - glass.size.height)
    return panel.isOn
      && (glass.size.isSquare
        ? isMovedSideways(drawn, to: seen, mask) : isMoved(drawn, to: seen, mask))
  }

  /// By a row higher or lower; the row that is left is dark, or lit where the panel inverts.
  private func isMoved(_ drawn: [UInt128], to seen: [UInt128], _ mask: UInt128) -> Bool {
    func isSeen(_ change: (UInt128) -> UInt128) -> Bool { seen == drawn.map(change) }
    return isSeen { $0 } || isSeen { $0 << 1 & mask } || isSeen { $0 >> 1 }
      || isSeen { ~(~$0 << 1) & mask } || isSeen { ~((~$0 & mask) >> 1) & mask }
  }

  /// By a column to the left or right; likewise.
  private func isMovedSideways(_ drawn: [UInt128], to seen: [UInt128], _ mask: UInt128) -> Bool {
    [0, mask].contains { edge in
      seen == drawn || seen == drawn.dropFirst() + [edge] || seen == [edge] + drawn.dropLast()
    }
  }

  /// The rows of each column, the topmost in bit 0.
  private func columns(of bitmap: borrowing Bitmap) -> [UInt128] {
    var columns: [UInt128] = []
    for x in 0..<bitmap.size.width {
      var column: UInt128 = 0
      for page in 0..<bitmap.pageCount {
        column |= UInt128(bitmap[page: page, column: x]) << UInt128(8 * page)
      }
      columns.append(column)
    }
    return columns
  }

  /// The columns that the glass is to have of the picture.
  private var columnsOfItsPicture: [UInt128] {
    let picture = columns(of: device.picture)
    if quarters == 0 { return picture }
    let (width, height) = (device.picture.size.width, device.picture.size.height)
    let rotation = device.board.rotation
    return (0..<device.board.panel.size.width).map { x in
      (0..<device.board.panel.size.height).reduce(0) { column, y in
        let (fromX, fromY) =
          switch rotation {
          case .noTurn: (x, y)
          case .quarterTurn: (y, height - 1 - x)
          case .halfTurn: (width - 1 - x, height - 1 - y)
          case .threeQuarterTurn: (width - 1 - y, x)
          }
        return column | (picture[fromX] >> UInt128(fromY) & 1) << UInt128(y)
      }
    }
  }

  package func events(_ name: String) -> [Event] { events.filter { $0.name == name } }
}

/// The device's memory.
extension World {
  /// Where it lies.
  package var memory: UnsafeMutableRawBufferPointer {
    withUnsafeMutablePointer(to: &device) {
      UnsafeMutableRawBufferPointer(start: $0, count: MemoryLayout<Device<SeededCrypto>>.size)
    }
  }
}

/// What came out, up to here.
extension World {
  package func takeOrder() -> [String] {
    defer { order = [] }
    return order
  }

  package func takeEventsSoFar() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Forgets what came out, in a world that lives long.
  package func forgetWhatCameOut() {
    events.removeAll(keepingCapacity: true)
    messages.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    alerts.removeAll(keepingCapacity: true)
    rebinds.removeAll(keepingCapacity: true)
    gaugeReads.removeAll(keepingCapacity: true)
    attempts.removeAll(keepingCapacity: true)
    controller.forgetCommands()
    phone.forgetRequests()
    for sensor in controller.sensors { sensor.forgetRequests() }
  }
}
