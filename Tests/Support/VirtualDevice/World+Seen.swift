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

  /// What a person would see of a screen.
  package func drawn(_ shot: Shot) -> String {
    var bitmap = Bitmap(device.board.panel.size)
    shot.draw(on: &bitmap)
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

  package func events(_ name: String) -> [Event] { events.filter { $0.name == name } }
}
