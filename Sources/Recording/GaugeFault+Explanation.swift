package import Battery
package import Bytes

extension GaugeKind {
  /// Which gauge it is, as the beginning of a sentence.
  package func describe<Writer: ByteWriter & ~Copyable>(into text: inout Writer) {
    text.append("battery ")
    text.append(name)
    text.append(" at ")
    text.append(hexByte: address)
    text.append(": ")
  }
}

extension GaugeFault {
  /// What a gauge says that cannot be, and what to do about it.
  package func explain<Writer: ByteWriter & ~Copyable>(
    _ gauge: GaugeKind, into text: inout Writer
  ) {
    switch self {
    case .otherDevice:
      text.append("what answers there is another device: correct battery, or look at its wires")
    case .notMeasuring:
      text.append("it is switched off by its configuration: switch its power off and on")
    case .impossible(let millivolts, let percent):
      text.append(milliseconds: Int64(widening: millivolts))
      text.append(" V")
      if let percent {
        text.append(" and ")
        text.append(decimal: Int64(widening: percent))
        text.append("%")
      }
      text.append(" cannot be one lithium cell: is the gauge wired to it?")
    }
  }
}
