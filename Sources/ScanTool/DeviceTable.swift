import BoardFile
package import Bytes
import HCI
import Sensors

/// The devices that a terminal shows, the strongest first, redrawn in place.
///
/// In a full table a new device replaces the one that was silent longest.
package struct DeviceTable: ~Copyable {
  fileprivate struct Device {
    var address: DeviceAddress
    /// The signal in quarters of a dBm, smoothed over about four advertisements, so that lines do not jump;
    /// the smallest number if it is unknown.
    var quarters = Int32.min
    var lastHeard = Instant(milliseconds: 0)
    var name = ShortBytes<24> { _ in }
    var service: UUID?
    var sensor: SensorKind?
    var isBeacon = false
  }

  /// The shortest time between two drawings, in milliseconds.
  private static var pause: Int64 { 250 }

  private var devices = FixedList<96, Device>(filler: Device(address: DeviceAddress(0, .public)))
  private var lastDrawn: Instant?
  private var isChanged = true

  package var isEmpty: Bool { devices.isEmpty }

  /// When the table is to be drawn again: ages grow even if nothing is heard.
  func deadline(after now: Instant) -> Instant {
    guard let lastDrawn else { return now }
    return lastDrawn + (isChanged ? Self.pause : 1_000)
  }

  mutating func receive(
    _ report: borrowing AdvertisingReport, _ advertisement: borrowing Advertisement,
    at now: Instant
  ) {
    isChanged = true
    let index = place(of: report.address)
    var device = devices[index]
    device.lastHeard = now
    if let rssi = report.rssi {
      let quarters = 4 * Int32(rssi)
      device.quarters =
        device.quarters == .min ? quarters : (3 * device.quarters + quarters) / 4
    }
    let name = advertisement.name
    if !name.isEmpty { device.name = ShortBytes { $0.assign(text: name) } }
    device.service = advertisement.firstService ?? device.service
    device.sensor = advertisement.sensor ?? device.sensor
    if advertisement.beacon != nil { device.isBeacon = true }
    devices[index] = device
  }

  private mutating func place(of address: DeviceAddress) -> Int {
    var oldest = 0
    for index in 0..<devices.count {
      if devices[index].address == address { return index }
      if devices[index].lastHeard < devices[oldest].lastHeard { oldest = index }
    }
    let device = Device(address: address)
    if devices.isFull {
      devices[oldest] = device
    } else {
      oldest = devices.count
      devices.append(device)
    }
    return oldest
  }

  // MARK: - Drawing

  /// Draws the table from where the cursor is, for a terminal of this size.
  package mutating func draw(
    rows: Int, columns: Int, at now: Instant, to writer: inout some ByteWriter & ~Copyable
  ) {
    (lastDrawn, isChanged) = (now, false)
    sort()
    let layout = Layout(columns)
    writer.append("ADDRESS\u{1B}[K")
    if layout.nameWidth > 0 { writer.append(column: layout.name, "NAME") }
    writer.append(column: layout.signal, layout.isWide ? "SIGNAL" : "dBm")
    if layout.isWide { writer.append(column: layout.service, "SERVICE") }
    writer.append(column: layout.age, "AGE\r\n")
    let shown = min(devices.count, max(1, rows - 3))
    for index in 0..<shown { draw(devices[index], layout, at: now, to: &writer) }
    if devices.count > shown {
      writer.append("and ", devices.count - shown)
      writer.append(" more; all of them: --json\u{1B}[K\r\n")
    }
  }

  private mutating func sort() {
    for index in 0..<devices.count {
      let device = devices[index]
      var place = index
      while place > 0, devices[place - 1].quarters < device.quarters {
        devices[place] = devices[place - 1]
        place -= 1
      }
      devices[place] = device
    }
  }

  private func draw(
    _ device: Device, _ layout: Layout, at now: Instant,
    to writer: inout some ByteWriter & ~Copyable
  ) {
    writer.append(text: device.address)
    // Nothing old must stay between the cells.
    writer.append("\u{1B}[K")
    if layout.nameWidth > 0 { writer.append(column: layout.name, "") }
    // A stranger's name must not move the cursor; a cut name needs room for the dots.
    if layout.nameWidth > 3 { quote(device.name.bytes, upTo: layout.nameWidth - 3, to: &writer) }
    writer.append(column: layout.signal, "")
    writer.append(signal: device.quarters, hasBar: layout.isWide)
    if layout.isWide {
      writer.append(column: layout.service, "")
      writer.append(serviceOf: device)
    }
    writer.append(column: layout.age, "")
    writer.append(age: (now - device.lastHeard) / 1_000)
    writer.append("\r\n")
  }
}

/// Where each column begins.
private struct Layout {
  /// Whether there are 80 columns: with fewer, there is neither a bar nor a service.
  let isWide: Bool
  /// An address has 17 columns.
  let name: Int
  /// How many columns the name has; with 0 or less it is not shown.
  let nameWidth: Int
  let signal: Int
  let service = 58
  let age: Int

  init(_ columns: Int) {
    isWide = columns >= 80
    name = isWide ? 20 : 19
    signal = isWide ? 41 : max(19, columns - 10)
    nameWidth = isWide ? 20 : signal - 20
    age = isWide ? 76 : signal + 5
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Writes a text from this column on.
  fileprivate mutating func append(column: Int, _ text: String) {
    append("\u{1B}[", column)
    append("G")
    append(text)
  }

  /// The number, behind ten marks from -100 to -40 dBm.
  fileprivate mutating func append(signal quarters: Int32, hasBar: Bool) {
    guard quarters != .min else { return append("?") }
    let decibels = quarters / 4
    if hasBar {
      let marks = max(0, min(10, (decibels + 100) / 6))
      for mark in 0..<10 { append(Int32(mark) < marks ? "#" : ".") }
      append(" ")
    }
    append(decimal: Int64(widening: Int(decibels)))
  }

  fileprivate mutating func append(serviceOf device: borrowing DeviceTable.Device) {
    if let sensor = device.sensor {
      append(sensor.name)
    } else if device.isBeacon {
      append("iBeacon")
    } else if let service = device.service {
      // The beginning of a long one is enough.
      var text = FixedBuffer<36>()
      text.append(shortestText: service)
      append(text.bytes.extracting(first: min(13, text.count)))
      if text.count > 13 { append("...") }
    }
  }

  /// Seconds, in five columns at most.
  fileprivate mutating func append(age seconds: Int64) {
    let (value, unit) =
      seconds < 1_000
      ? (seconds, " s") : seconds < 36_000 ? (seconds / 60, " m") : (seconds / 3_600, " h")
    append(decimal: value)
    append(unit)
  }
}
