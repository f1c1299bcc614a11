package import Bytes

/// How long each device has to wait after a pairing that failed with it.
///
/// Core Specification, Vol 3, Part H, 2.3.6.
///
/// The failures of one device keep no other one waiting. It has a place as long as it is among the last
/// eight that failed; the place of the one whose last failure is the oldest is used for the next.
package struct PairingAttempts: Sendable {
  private struct Device {
    var address = DeviceAddress(0, .public)
    var attempts = RepeatedAttempts()
    var lastFailure = Instant(milliseconds: .min)
  }

  private var devices = InlineArray<8, Device>(repeating: Device())

  /// Nobody has failed so far.
  package init() {}

  /// When a pairing with this device may begin; `nil` if it may now.
  package func nextAttempt(with address: DeviceAddress, at now: Instant) -> Instant? {
    guard let index = index(of: address) else { return nil }
    return devices[index].attempts.nextAttempt(at: now)
  }

  /// A pairing with this device failed, for whatever reason.
  package mutating func failed(with address: DeviceAddress, at now: Instant) {
    let index = place(of: address)
    devices[index].attempts.failed(at: now)
    devices[index].lastFailure = now
  }

  /// A pairing with this device succeeded.
  package mutating func succeeded(with address: DeviceAddress) {
    if let index = index(of: address) { devices[index] = Device() }
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
