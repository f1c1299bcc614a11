import BoardFile
import Bytes
import HCI
import Sensors

/// The devices that a terminal shows, the strongest first, redrawn in place.
///
/// Of more devices than there is room for, the one that was silent longest makes way.
struct DeviceTable: ~Copyable {
  private struct Device {
    var address = DeviceAddress(0, .public)
    /// In quarters of a dBm, smoothed over some four advertisements: else the lines would jump; the
    /// least of all numbers where it is not known.
    var quarters = Int32.min
    var lastHeard = Instant(milliseconds: 0)
    var name = Octets<24>()
    var nameCount = 0
    var service: UUID?
    var sensor: SensorKind?
    var isBeacon = false
  }

  /// No more than so often, in milliseconds.
  private static var pause: Int64 { 250 }

  private var devices = InlineArray<96, Device>(repeating: Device())
  private var count = 0
  private var order = InlineArray<96, UInt8>(repeating: 0)
  private var lastDrawn: Instant?
  private var isChanged = true

  /// When the table is to be drawn anew: ages grow even if nobody is heard.
  func deadline(after now: Instant) -> Instant {
    guard let lastDrawn else { return now }
    return lastDrawn + (isChanged ? Self.pause : 1_000)
  }

  /// Whether it is to be drawn now.
  func isDue(at now: Instant) -> Bool { now >= deadline(after: now) }

  mutating func hear(
    _ report: borrowing AdvertisingReport, _ advertisement: borrowing Advertisement,
    at now: Instant
  ) {
    let index = place(of: report.address, at: now)
    isChanged = true
    devices[index].lastHeard = now
    if report.rssi != 127 {
      let quarters = 4 * Int32(report.rssi)
      devices[index].quarters =
        devices[index].quarters == .min ? quarters : (3 * devices[index].quarters + quarters) / 4
    }
    if !advertisement.name.isEmpty {
      let kept = min(24, advertisement.name.count)
      for place in 0..<kept { devices[index].name[place] = advertisement.name[place] }
      devices[index].nameCount = kept
    }
    if let service = advertisement.firstService { devices[index].service = service }
    if let sensor = advertisement.sensor { devices[index].sensor = sensor }
    if advertisement.beacon != nil { devices[index].isBeacon = true }
  }

  private mutating func place(of address: DeviceAddress, at now: Instant) -> Int {
    var oldest = 0
    for index in 0..<count {
      if devices[index].address == address { return index }
      if devices[index].lastHeard < devices[oldest].lastHeard { oldest = index }
    }
    if count < devices.count {
      oldest = count
      count += 1
    }
    devices[oldest] = Device()
    devices[oldest].address = address
    return oldest
  }

  // MARK: - Drawing

  /// Draws the table from where the cursor is, for a terminal of so many rows.
  mutating func draw<Writer: ByteWriter & ~Copyable>(
    rows: Int, at now: Instant, to writer: inout Writer
  ) {
    (lastDrawn, isChanged) = (now, false)
    sort()
    writer.append("ADDRESS")
    writer.append(column: 20, "NAME")
    writer.append(column: 41, "SIGNAL")
    writer.append(column: 58, "SERVICE")
    writer.append(column: 76, "AGE")
    writer.append("\u{1B}[K\r\n")
    let shown = min(count, max(1, rows - 3))
    for place in 0..<shown { draw(devices[Int(order[place])], at: now, to: &writer) }
    if count > shown {
      writer.append("and ")
      writer.append(decimal: Int64(widening: count - shown))
      writer.append(" more; all of them: --json\u{1B}[K\r\n")
    }
  }

  private mutating func sort() {
    for index in 0..<count {
      var place = index
      while place > 0, devices[Int(order[place - 1])].quarters < devices[index].quarters {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = UInt8(truncatingIfNeeded: index)
    }
  }

  private func draw<Writer: ByteWriter & ~Copyable>(
    _ device: Device, at now: Instant, to writer: inout Writer
  ) {
    writer.append(text: device.address)
    writer.append(column: 20, "")
    // A stranger's name must not move the cursor.
    quote(device.name.bytes.extracting(first: device.nameCount), upTo: 20, to: &writer)
    writer.append(column: 41, "")
    writer.append(barOf: device.quarters)
    writer.append(column: 58, "")
    if let sensor = device.sensor {
      writer.append(sensor.name)
    } else if device.isBeacon {
      writer.append("iBeacon")
    } else if let service = device.service {
      // The beginning tells enough of a long one.
      var text = FixedBuffer<36>()
      text.append(shortestText: service)
      writer.append(text.bytes.extracting(first: min(13, text.count)))
      if text.count > 13 { writer.append("...") }
    }
    writer.append(column: 76, "")
    writer.append(decimal: (now - device.lastHeard) / 1_000)
    writer.append(" s\u{1B}[K\r\n")
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Goes on in a column, whatever is in front of it.
  fileprivate mutating func append(column: Int, _ text: String) {
    append("\u{1B}[")
    append(decimal: Int64(widening: column))
    append("G")
    append(text)
  }

  /// Ten marks from -100 to -40 dBm, and the number.
  fileprivate mutating func append(barOf quarters: Int32) {
    guard quarters != .min else { return append("?") }
    let decibels = quarters / 4
    let marks = max(0, min(10, (decibels + 100) / 6))
    for mark in 0..<10 { append(Int32(mark) < marks ? "#" : ".") }
    append(" ")
    append(decimal: Int64(widening: Int(decibels)))
  }
}
