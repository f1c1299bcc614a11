import Bytes
import VirtualAir
import VirtualDevice

/// Somebody recorded addresses of the phone and sends them by turns, each 20 ms one, beside the phone itself.
package struct Replay: Sendable {
  /// What becomes of a link to one of them.
  package enum Manner: String, CaseIterable, Sendable {
    /// None comes about.
    case silent
    /// It comes about, and the key is refused.
    case refusing
  }

  private static let interval: Int64 = 20

  package let addresses: Int
  package let manner: Manner
  package let isInRide: Bool

  package init(addresses: Int, manner: Manner, isInRide: Bool) {
    (self.addresses, self.manner, self.isInRide) = (addresses, manner, isInRide)
  }

  /// How long the phone takes to be back, over several phases of its advertising to the stranger's.
  package func measure(phases: Int) throws -> Measured {
    Measured(try (0..<phases).map { try time(phase: $0, of: phases) })
  }

  private func time(phase: Int, of phases: Int) throws -> Int64 {
    let air = try Air(isInRide: isInRide)
    let strangers = (0..<addresses).map { stranger(UInt8($0), air) }
    air.controller.others = strangers
    // Windows of a slow search are elsewhere in each phase, too.
    air.world.pass(Int64(phase * 137 % 640))
    let start = air.world.now
    var next = start
    var phone = Beats(
      from: start + Air.foreground * Int64(phase) / Int64(phases), each: Air.foreground)
    var number = 0
    while !air.isBack, air.world.now - start < Air.patience {
      if addresses > 0, next <= phone.next {
        air.pass(to: next)
        let address = strangers[number % addresses].address
        if !air.isBack { air.advertise(address, answers: manner == .refusing) }
        next = next + Self.interval
        number += 1
      } else {
        air.pass(to: phone.next)
        if !air.isBack { air.advertisePhone(air.own) }
        phone.beat()
      }
    }
    return air.time(since: start)
  }

  /// A device with an address of the phone's, and without its key.
  private func stranger(_ number: UInt8, _ air: Air) -> VirtualPhone {
    let stranger = VirtualPhone()
    stranger.address = air.world.security.privateAddress(number + 2)
    stranger.security = VirtualSecurity(number: 9)
    return stranger
  }
}

/// How long the phone was away in each of many phases, in milliseconds.
package struct Measured: Sendable {
  /// From the shortest to the longest.
  package let times: [Int64]

  package init(_ times: [Int64]) { self.times = times.sorted() }

  package var median: Int64 { times[times.count / 2] }
  /// Of a hundred times ninety-five are no longer.
  package var late: Int64 { times[min(times.count - 1, times.count * 95 / 100)] }
  package var longest: Int64 { times[times.count - 1] }
}
