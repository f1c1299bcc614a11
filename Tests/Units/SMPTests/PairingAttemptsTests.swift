import Bytes
import Expecting
import SMP

/// Core Specification, Vol 3, Part H, 2.3.6.
struct PairingAttemptsTests {
  private static let start = Instant(milliseconds: 5_000)

  private func device(_ number: UInt64) -> DeviceAddress {
    DeviceAddress(0x4000_0000_0000 + number, .random)
  }

  @Test func eachFailureDoublesTheWait() {
    var attempts = PairingAttempts()
    var now = Self.start
    expect(attempts.nextAttempt(with: device(1), at: now), nil)
    for wait: Int64 in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000] {
      attempts.failed(with: device(1), at: now)
      expect(attempts.nextAttempt(with: device(1), at: now + (wait - 1)), now + wait)
      now = now + wait
      expect(attempts.nextAttempt(with: device(1), at: now), nil)
    }
    attempts.succeeded(with: device(1))
    attempts.failed(with: device(1), at: now)
    expect(attempts.nextAttempt(with: device(1), at: now), now + 1_000)
  }

  /// Of 8 s, in steps of 64 s behind its end.
  @Test(
    arguments: [
      (63_999, 16_000), (64_000, 8_000), (128_000, 4_000), (191_999, 4_000), (192_000, 2_000),
      (256_000, 1_000), (86_400_000, 1_000),
    ] as [(Int64, Int64)])
  func centralBehaviour73_aMinuteWithoutAFailureHalvesTheWait(_ pause: Int64, _ wait: Int64) {
    var attempts = PairingAttempts()
    for _ in 0..<4 { attempts.failed(with: device(1), at: Self.start) }
    let now = Self.start + 8_000 + pause
    attempts.failed(with: device(1), at: now)
    expect(attempts.nextAttempt(with: device(1), at: now), now + wait)
  }

  @Test func centralBehaviour73_theFailuresOfOneDeviceKeepNoOtherOneWaiting() {
    var attempts = PairingAttempts()
    for _ in 0..<5 { attempts.failed(with: device(1), at: Self.start) }
    expect(attempts.nextAttempt(with: device(1), at: Self.start), Self.start + 16_000)
    expect(attempts.nextAttempt(with: device(2), at: Self.start), nil)
    attempts.failed(with: device(2), at: Self.start)
    expect(attempts.nextAttempt(with: device(2), at: Self.start), Self.start + 1_000)
    attempts.succeeded(with: device(1))
    expect(attempts.nextAttempt(with: device(1), at: Self.start), nil)
    expect(attempts.nextAttempt(with: device(2), at: Self.start), Self.start + 1_000)
  }

  /// The first one has failed once more meanwhile, so that the second one is the oldest.
  @Test func centralBehaviour73_ofNineDevicesTheOneIsForgottenWhoseFailureIsTheOldest() {
    var attempts = PairingAttempts()
    for number in UInt64(1)...8 {
      attempts.failed(with: device(number), at: Self.start + Int64(number))
    }
    let now = Self.start + 9
    attempts.failed(with: device(1), at: now)
    attempts.failed(with: device(9), at: now)
    let waiting = (UInt64(1)...9).filter { attempts.nextAttempt(with: device($0), at: now) != nil }
    expect(waiting, [1, 3, 4, 5, 6, 7, 8, 9])
    expect(attempts.nextAttempt(with: device(1), at: now), now + 2_000)
  }

  @Test func centralBehaviour73_theSameNumberOfTheOtherKindOfAddressIsAnotherDevice() {
    var attempts = PairingAttempts()
    attempts.failed(with: DeviceAddress(7, .public), at: Self.start)
    expect(attempts.nextAttempt(with: DeviceAddress(7, .random), at: Self.start), nil)
  }
}
