public import Bytes

// The toolbox of LE legacy pairing: Core Specification, Vol 3, Part H, 2.2.3 and 2.2.4. `Pairing`
// refuses legacy pairing; the sample data of these two prove e.

extension Crypto {
  /// The confirm value of LE legacy pairing, 2.2.3.
  ///
  /// `request` and `response` are the whole commands, `initiator` and `responder` the addresses.
  public func c1(
    k: Octets<16>, r: Octets<16>, request: Octets<7>, response: Octets<7>,
    initiator: DeviceAddress, responder: DeviceAddress
  ) -> Octets<16> {
    let (a, b) = (Octets<6>(initiator), Octets<6>(responder))
    var (p1, p2) = (Octets<16>(), Octets<16>())
    p1[0] = initiator.type.rawValue & 1
    p1[1] = responder.type.rawValue & 1
    for index in 0..<7 {
      p1[2 + index] = request[index]
      p1[9 + index] = response[index]
    }
    for index in 0..<6 {
      p2[index] = b[index]
      p2[6 + index] = a[index]
    }
    return e(key: k, e(key: k, r ^ p1) ^ p2)
  }

  /// The short-term key of LE legacy pairing, 2.2.4: of the lower halves of both numbers.
  public func s1(k: Octets<16>, r1: Octets<16>, r2: Octets<16>) -> Octets<16> {
    var both = Octets<16>()
    for index in 0..<8 {
      both[index] = r2[index]
      both[8 + index] = r1[index]
    }
    return e(key: k, both)
  }
}
