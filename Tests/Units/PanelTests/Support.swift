import Bytes
import Graphics
import Panel
import PanelModel
import TestSupport

let allKinds = nonEmpty(
  (0..<PanelKind.count).compactMap { PanelKind(rawValue: UInt8($0)) })

let allUpdates: [Updates] = [.changes, .pages, .whole]

/// Bytes on the wire, the address of each message counted.
func cost(_ messages: [[UInt8]]) -> Int { messages.reduce(0) { $0 + 1 + $1.count } }

/// All messages that wait, each noted as sent.
func takeMessages(_ display: inout PanelDriver) -> [[UInt8]] {
  var messages: [[UInt8]] = []
  while !display.message.isEmpty {
    messages.append(array(display.message))
    display.messageWasSent()
  }
  return messages
}

/// What a person sees on the model's glass.
func glass(_ model: borrowing PanelModel) -> String {
  var bitmap = Bitmap(model.kind.size)
  model.updateGlass(&bitmap)
  return picture(bitmap)
}

/// What the glass has of a picture.
func turned(_ picture: String, _ rotation: Rotation) -> String {
  turned(picture, quarters: Int(rotation.rawValue))
}

let allRotations: [Rotation] = [.noTurn, .quarterTurn, .halfTurn, .threeQuarterTurn]

/// A display that shows a picture, which is dark at first, and the panel that it drives.
struct Driven: ~Copyable {
  var display: PanelDriver
  var model: PanelModel
  var bitmap: Bitmap

  init(_ kind: PanelKind = .ssd1306x128x64, _ rotation: Rotation = .noTurn) {
    self.init(PanelDriver(kind, rotation: rotation, contrast: 0xCF), kind)
  }

  /// One that is set up otherwise, and the panel that is really there.
  init(_ display: consuming PanelDriver, _ kind: PanelKind) {
    bitmap = Bitmap(display.pictureSize)
    model = PanelModel(kind)
    self.display = display
    show()
  }

  /// Changes the picture and shows it; returns what is sent.
  @discardableResult
  mutating func show(_ change: (inout Bitmap) -> Void = { _ in }) -> [[UInt8]] {
    change(&bitmap)
    display.show(bitmap)
    return deliver()
  }

  /// Sends what waits.
  @discardableResult
  mutating func deliver() -> [[UInt8]] {
    let messages = takeMessages(&display)
    for message in messages { model.receive(message.span) }
    return messages
  }

  /// The rows of what a person sees.
  var rows: [String] { glass(model).split(separator: "\n").map(String.init) }
}

extension PanelKind {
  /// What the makers of such modules set: the argument of `81`.
  var usualContrast: UInt8 {
    switch self {
    case .ssd1306x128x64, .ssd1306x64x48, .sh1106x128x64: 0xCF
    case .ssd1306x128x32: 0x8F
    case .ssd1306x72x40: 0xAF
    case .ssd1309x128x64: 0xBF
    case .sh1107x128x128: 0x80
    }
  }
}
