import BoardFile
import Device
import Graphics
import TestSupport

/// What a person sees, and what the events tell.
extension World {
  package func state(of port: Port) -> PortState { device.state(of: port) }

  package var connection: Connection { device.connection }

  package var isQuiet: Bool { device.isQuiet }

  package var isRebootWished: Bool { device.isRebootWished }

  /// What a person sees on the glass, however it is mounted, as text.
  package var glass: String {
    var bitmap = Bitmap(device.board.panel.size)
    panel.updateGlass(&bitmap)
    let glass = picture(bitmap)
    return device.board.rotation == .upright ? glass : glass.reversed().dropFirst() + "\n"
  }

  /// What a person would see of a screen, in the board's language.
  package func drawn(_ shot: Shot) -> String {
    var bitmap = Bitmap(device.board.panel.size)
    shot.draw(on: &bitmap, in: device.board.language)
    return picture(bitmap)
  }

  /// Whether that is what is seen.
  package func shows(_ shot: Shot) -> Bool { glass == drawn(shot) }

  /// Whether that is what is seen, perhaps a row higher or lower to spare the pixels.
  package func showsMoved(_ shot: Shot) -> Bool {
    let (seen, wanted) = (glass.split(separator: "\n"), drawn(shot).split(separator: "\n"))
    return seen.dropFirst().elementsEqual(wanted.dropLast())
      || seen.dropLast().elementsEqual(wanted.dropFirst()) || seen == wanted
  }

  /// Whether the glass has the picture that was drawn last, perhaps a row higher or lower, or is off.
  package var showsItsPicture: Bool {
    guard device.isPanelOn else { return !panel.isOn }
    var glass = Bitmap(device.board.panel.size)
    panel.updateGlass(&glass)
    let seen = columns(of: glass, isTurned: device.board.rotation == .halfTurn)
    let drawn = columns(of: device.picture, isTurned: false)
    let mask: UInt64 = .max >> UInt64(64 - glass.size.height)
    func isSeen(_ change: (UInt64) -> UInt64) -> Bool { seen == drawn.map(change) }
    // The row that is left is dark, or lit where the panel inverts.
    return panel.isOn
      && (isSeen { $0 } || isSeen { $0 << 1 & mask } || isSeen { $0 >> 1 }
        || isSeen { ~(~$0 << 1) & mask } || isSeen { ~((~$0 & mask) >> 1) & mask })
  }

  /// The rows of each column, the topmost in bit 0.
  private func columns(of bitmap: borrowing Bitmap, isTurned: Bool) -> [UInt64] {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    var columns: [UInt64] = []
    var bytes = InlineArray<1024, UInt8>(repeating: 0)
    bitmap.copy(to: &bytes)
    let rows = bytes.span
    for x in 0..<width {
      var column: UInt64 = 0
      for page in 0..<bitmap.pageCount {
        column |= UInt64(rows[page * Bitmap.maxWidth + x]) << UInt64(8 * page)
      }
      columns.append(column)
    }
    guard isTurned else { return columns }
    return columns.reversed().map { column in
      var turned: UInt64 = 0
      for y in 0..<height where column >> UInt64(y) & 1 == 1 {
        turned |= 1 << UInt64(height - 1 - y)
      }
      return turned
    }
  }

  package func events(_ name: String) -> [Event] { events.filter { $0.name == name } }
}
