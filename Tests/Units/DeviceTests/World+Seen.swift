import BoardFile
import Graphics
import TestSupport

@testable import Device

/// What a person sees, and what the events tell.
extension World {
  func state(of port: Port) -> PortState { device.state(of: port) }

  var connection: Connection { device.connection }

  var isQuiet: Bool { device.isQuiet }

  var isRebootWished: Bool { device.isRebootWished }

  /// What a person sees on the glass, however it is mounted, as text.
  var glass: String {
    var bitmap = Bitmap(device.board.panel.size)
    panel.updateGlass(&bitmap)
    let glass = picture(bitmap)
    return device.board.rotation == .upright ? glass : glass.reversed().dropFirst() + "\n"
  }

  /// What a person would see of a screen.
  func drawn(_ shot: Shot) -> String {
    var bitmap = Bitmap(device.board.panel.size)
    shot.draw(on: &bitmap)
    return picture(bitmap)
  }

  /// Whether that is what is seen.
  func shows(_ shot: Shot) -> Bool { glass == drawn(shot) }

  /// Whether that is what is seen, perhaps a row higher or lower to spare the pixels.
  func showsMoved(_ shot: Shot) -> Bool {
    let (seen, wanted) = (glass.split(separator: "\n"), drawn(shot).split(separator: "\n"))
    return seen.dropFirst().elementsEqual(wanted.dropLast())
      || seen.dropLast().elementsEqual(wanted.dropFirst()) || seen == wanted
  }

  func events(_ name: String) -> [Event] { events.filter { $0.name == name } }
}
