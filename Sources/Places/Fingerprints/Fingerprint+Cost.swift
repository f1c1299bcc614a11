import Bytes

/// How badly what is heard now suits a location, in 1/256 nat: the negative logarithm of a probability.
///
/// The signals of a beacon are taken for normally distributed, and those of different beacons for
/// independent. A silent beacon counts, too, unlike in a naive Bayes classifier over what is heard: it
/// speaks against the locations where it used to be heard.
extension Fingerprint {
  /// The cost of all that is heard, and of all that is silent.
  func cost(of heard: borrowing BeaconTable) -> Int32 {
    // 64 costs of at most 226,000 each do not overflow.
    var (cost, known): (Int32, UInt32) = (0, 0)
    for number in 0..<heard.count {
      guard let signal = heard.signal(at: number) else { continue }
      if let index = index(of: heard.beacon(at: number)) {
        known |= 1 << UInt32(index)
        cost += self[index].cost(of: signal)
      } else {
        cost += Readings.unknownCost(of: signal)
      }
    }
    for index in 0..<count where known & 1 << UInt32(index) == 0 {
      cost += self[index].silenceCost(inSeconds: seconds)
    }
    return cost
  }
}

extension Fingerprint.Readings {
  /// The mean, in sixteenths of a dBm.
  var mean16: Int32 { (16 * sum - count / 2) / count }

  /// The variance, in 1/256 dB²: at least that of a deviation of 3 dB, however few readings there are.
  var variance256: Int32 {
    // 240 readings of -128 dBm have less than 2^30 in each of the products.
    let scatter = Int64(widening: Int(count * squares - sum * sum))
    let variance = 256 * scatter / Int64(widening: Int(count * count))
    return max(256 * 9, Int32(truncatingIfNeeded: variance))
  }

  /// That the beacon is heard with this signal, in sixteenths of a dBm.
  func cost(of signal: Int32) -> Int32 {
    Self.cost(of: signal, mean16: mean16, variance256: variance256)
  }

  /// That one is heard which never was there: as if it had been at the edge of silence, -95 ± 6 dBm.
  static func unknownCost(of signal: Int32) -> Int32 {
    cost(of: signal, mean16: -95 * 16, variance256: 36 * 256)
  }

  /// -ln of the normal distribution, but for what all of them have in common.
  private static func cost(of signal: Int32, mean16: Int32, variance256: Int32) -> Int32 {
    let difference = signal - mean16
    let half = (128 * difference * difference + variance256 / 2) / variance256
    return half + (logarithm(variance256) - logarithm(256) + 0x100) >> 9
  }

  /// That the beacon is silent, though it was heard in `count` of these seconds.
  ///
  /// A silence is never less probable than 1 in 50: a beacon may have lost its battery.
  func silenceCost(inSeconds seconds: Int32) -> Int32 {
    let silent = seconds - count
    let ratio = 50 * silent > seconds ? logarithm(seconds) - logarithm(silent) : logarithm(50)
    return (ratio + 0x80) >> 8
  }
}
