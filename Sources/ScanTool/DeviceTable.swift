import BoardFile
import Bytes
import HCI
import Sensors

/// The devices that a terminal shows, the strongest first, redrawn in place.
///
/// Without room for another device, the one that was silent longest makes way.
struct DeviceTable: ~Copyable {
  fileprivate struct Device {
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

  /// The shortest time between two drawings, in milliseconds.
  private static var pause: Int64 { 250 }

  private var devices = InlineArray<96, Device>(repeating: Device())
  private var count = 0
  private var order = InlineArray<96, UInt8>(repeating: 0)
  private var lastDrawn: Instant?
  private var isChanged = true

  var isEmpty: Bool { count == 0 }

  /// When the table is to be drawn again: ages grow even if nothing is heard.
  func deadline(after now: Instant) -> Instant {
    guard let lastDrawn else { return now }
    return lastDrawn + (isChanged ? Self.pause : 1_000)
  }

  func isDue(at now: Instant) -> Bool { now >= deadline(after: now) }

  mutating func hear(
    _ report: borrowing AdvertisingReport, _ advertisement: borrowing Advertisement,
    at now: Instant
  ) {
    let index = place(of: report.address, at: now)
    isChanged = true
    devices[index].lastHeard = now
    if let rssi = report.rssi {
      let quarters = 4 * Int32(rssi)
      devices[index].quarters =
        devices[index].quarters == .min ? quarters : (3 * devices[index].quarters + quarters) / 4
    }
    if !advertisement.name.isEmpty {
      var kept = FixedBuffer<24>()
      kept.assign(text: advertisement.name)
      for place in 0..<kept.count { devices[index].name[place] = kept[place] }
      devices[index].nameCount = kept.count
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

  /// Draws the table from where the cursor is, for a terminal of this size.
  mutating func draw(
    rows: Int, columns: Int, at now: Instant, to writer: inout some ByteWriter & ~Copyable
  ) {
    (lastDrawn, isChanged) = (now, false)
    sort()
    let layout = Layout(columns)
    writer.append("ADDRESS\u{1B}[K")
    writer.append(layout.name, "NAME")
    writer.append(layout.signal, layout.hasBar ? "SIGNAL" : "dBm")
    writer.append(layout.service, "SERVICE")
    writer.append(layout.age, "AGE")
    writer.append("\r\n")
    let shown = min(count, max(1, rows - 3))
    for place in 0..<shown { draw(devices[Int(order[place])], layout, at: now, to: &writer) }
    if count > shown {
      writer.append("and ", count - shown)
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

  private func draw(
    _ device: Device, _ layout: Layout, at now: Instant,
    to writer: inout some ByteWriter & ~Copyable
  ) {
    writer.append(text: device.address)
    // Of what stood there nothing stays between the cells.
    writer.append("\u{1B}[K")
    writer.append(layout.name, "")
    // A stranger's name must not move the cursor; one that is cut has room for the dots.
    if layout.name.width > 3 {
      let name = device.name.bytes.extracting(first: device.nameCount)
      quote(name, upTo: layout.name.width - 3, to: &writer)
    }
    writer.append(layout.signal, "")
    writer.append(signal: device.quarters, hasBar: layout.hasBar)
    writer.append(layout.service, "")
    if layout.service.width > 0 { writer.append(serviceOf: device) }
    writer.append(layout.age, "")
    writer.append(age: (now - device.lastHeard) / 1_000)
    writer.append("\r\n")
  }
}

/// Where a column begins, and how wide it is; 0 is none at all.
private struct Column {
  var start: Int
  var width: Int
}

/// What a terminal has room for: without 80 columns there is neither a bar nor a service.
private struct Layout {
  private static var wide: Int { 80 }

  var name = Column(start: 20, width: 20)
  var signal = Column(start: 41, width: 15)
  var service = Column(start: 58, width: 16)
  var age = Column(start: 76, width: 5)
  var hasBar = true

  init(_ columns: Int) {
    guard columns < Self.wide else { return }
    hasBar = false
    // An address has 17.
    let start = max(19, columns - 10)
    name = Column(start: 19, width: start - 19 - 1)
    signal = Column(start: start, width: 4)
    service.width = 0
    age = Column(start: start + 5, width: 5)
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Goes on in a column, if there is such a one.
  fileprivate mutating func append(_ column: Column, _ text: String) {
    guard column.width > 0 else { return }
    append("\u{1B}[")
    append(decimal: Int64(widening: column.start))
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
