import Bytes
import Graphics
import Panel
import PanelModel

/// The bytes that a test can compare and print.
func array(_ bytes: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  for index in bytes.indices { array.append(bytes[index]) }
  return array
}

/// Bytes from hexadecimal text, spaces ignored.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    let start = digits.index(digits.startIndex, offsetBy: $0)
    return UInt8(digits[start...digits.index(after: start)], radix: 16)
  }
}

let allKinds = (0..<PanelKind.count).compactMap { PanelKind(rawValue: UInt8($0)) }

/// Bytes on the wire, the address of each message counted.
func cost(_ messages: [[UInt8]]) -> Int { messages.reduce(0) { $0 + 1 + $1.count } }

/// All messages that wait, each noted as sent.
func takeMessages(_ display: inout Display) -> [[UInt8]] {
  var messages: [[UInt8]] = []
  while !display.message.isEmpty {
    messages.append(array(display.message))
    display.messageWasSent()
  }
  return messages
}

/// The lit pixels of a bitmap as text, one line for each row.
func picture(_ bitmap: borrowing Bitmap) -> String {
  var text = ""
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width { text += bitmap[x, y] ? "#" : "." }
    text += "\n"
  }
  return text
}

/// What a person sees on the model's glass.
func glass(_ model: borrowing PanelModel) -> String {
  var bitmap = Bitmap(model.kind.size)
  model.updateGlass(&bitmap)
  return picture(bitmap)
}

/// The picture that a panel mounted upside down shows to a person who stands upright.
func turned(_ picture: String) -> String {
  String(picture.dropLast().reversed()) + "\n"
}

/// An initialised display that shows a dark picture.
func darkDisplay(_ kind: PanelKind = .ssd1306x128x64) -> Display {
  var display = Display(kind, rotation: .upright, contrast: 0xCF)
  display.show(Bitmap(kind.size))
  _ = takeMessages(&display)
  return display
}
