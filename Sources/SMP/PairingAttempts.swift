package import Bytes

/// How long each device has to wait after a pairing that failed.
///
/// Core Specification, Vol 3, Part H, 2.3.6.
///
/// A stranger with endless attempts guesses right in the end. So each failure doubles the wait before the
/// next attempt, a success ends it, and each minute without a failure halves it. One device's failures do
/// not make another one wait. The last eight devices that failed have a place; the next device gets the
/// place with the oldest failure. The places outlive the links.
package struct PairingAttempts: Sendable {
  private struct Device {
    var address = DeviceAddress(0, .public)
    var wait: Int64 = 0
    var end = Instant(milliseconds: .min)

    var lastFailure: Instant { Instant(milliseconds: end.milliseconds - wait) }
  }

  private static var firstWait: Int64 { 1_000 }
  private static var lastWait: Int64 { 64_000 }

  private var devices = InlineArray<8, Device>(repeating: Device())

  /// Nobody has failed so far.
  package init() {}

  /// When a pairing with this device may begin, whichever side wants it; `nil` if it may now.
  package func nextAttempt(with address: DeviceAddress, at now: Instant) -> Instant? {
    guard let index = index(of: address), now < devices[index].end else { return nil }
    return devices[index].end
  }

  /// A pairing with this device failed, for whatever reason.
  package mutating func failed(with address: DeviceAddress, at now: Instant) {
    let index = place(of: address)
    let wait = forgivenWait(of: devices[index], at: now)
    devices[index].wait = wait == 0 ? Self.firstWait : min(wait * 2, Self.lastWait)
    devices[index].end = now + devices[index].wait
  }

  /// A pairing with this device succeeded.
  package mutating func succeeded(with address: DeviceAddress) {
    if let index = index(of: address) { devices[index] = Device() }
  }

  /// The last wait, halved for each time of the longest wait since its end.
  private func forgivenWait(of device: Device, at now: Instant) -> Int64 {
    var (wait, end) = (device.wait, device.end)
    while wait > 0, now >= end + Self.lastWait {
      wait = wait > Self.firstWait ? wait / 2 : 0
      end = end + Self.lastWait
    }
    return wait
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in devices.indices where devices[index].address == address { return index }
    return nil
  }

  private mutating func place(of address: DeviceAddress) -> Int {
    if let index = index(of: address) { return index }
    var oldest = 0
    for index in devices.indices where devices[index].lastFailure < devices[oldest].lastFailure {
      oldest = index
    }
    devices[oldest] = Device(address: address)
    return oldest
  }
}
