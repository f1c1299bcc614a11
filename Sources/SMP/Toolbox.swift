package import Bytes

// The cryptographic toolbox of LE Secure Connections and of private addresses.
// Core Specification, Vol 3, Part H, 2.2. Each function has the name that it has there.

extension Crypto {
  /// AES-CMAC of `message`, which is in the order of the formulas: most significant octet first.
  ///
  /// RFC 4493; Core Specification, Vol 3, Part H, 2.2.5. The library's own AES-CMAC would bring all its
  /// ciphers with it: 66 KB of a board's program.
  package func cmac(key: Octets<16>, _ message: Span<UInt8>) -> Octets<16> {
    var mac = Octets<16>()
    var rest = message
    while rest.count > 16 {
      for index in 0..<16 { mac[15 - index] ^= rest[index] }
      mac = e(key: key, mac)
      rest = rest.extracting(droppingFirst: 16)
    }
    for index in rest.indices { mac[15 - index] ^= rest[index] }
    var subkey = e(key: key, Octets()).doubled
    if rest.count < 16 {
      mac[15 - rest.count] ^= 0x80
      subkey = subkey.doubled
    }
    return e(key: key, mac ^ subkey)
  }

  /// The random address hash: 24 bits of the 24 bits `r`, 2.2.2.
  package func ah(k: Octets<16>, r: UInt32) -> UInt32 {
    var block = Octets<16>()
    block[0] = UInt8(truncatingIfNeeded: r)
    block[1] = UInt8(truncatingIfNeeded: r >> 8)
    block[2] = UInt8(truncatingIfNeeded: r >> 16)
    return e(key: k, block).low32 & 0xFF_FFFF
  }

  /// The confirm value of LE Secure Connections, 2.2.6.
  package func f4(u: Octets<32>, v: Octets<32>, x: Octets<16>, z: UInt8) -> Octets<16> {
    var message = FixedBuffer<65>()
    message.append(bigEndian: u)
    message.append(bigEndian: v)
    message.append(z)
    return cmac(key: x, message.bytes)
  }

  /// The keys of LE Secure Connections: MacKey and LTK, 2.2.7.
  ///
  /// `w` is the shared secret; `a1` and `a2` are the addresses by which the link was made.
  package func f5(
    w: Octets<32>, n1: Octets<16>, n2: Octets<16>, a1: DeviceAddress, a2: DeviceAddress
  ) -> (macKey: Octets<16>, longTermKey: Octets<16>) {
    var secret = FixedBuffer<32>()
    secret.append(bigEndian: w)
    let t = cmac(key: f5Salt, secret.bytes)
    func key(_ counter: UInt8) -> Octets<16> {
      var message = FixedBuffer<53>()
      message.append(counter)
      message.append("btle")
      message.append(bigEndian: n1)
      message.append(bigEndian: n2)
      message.append(bigEndian: a1)
      message.append(bigEndian: a2)
      message.append(0x01)  // 256 bits, in two octets
      message.append(0x00)
      return cmac(key: t, message.bytes)
    }
    return (key(0), key(1))
  }

  /// The check value of LE Secure Connections, 2.2.8.
  ///
  /// `w` is the MacKey; `ioCapability` the three octets of a Pairing Request or Response.
  package func f6(
    w: Octets<16>, n1: Octets<16>, n2: Octets<16>, r: Octets<16>, ioCapability: Octets<3>,
    a1: DeviceAddress, a2: DeviceAddress
  ) -> Octets<16> {
    var message = FixedBuffer<65>()
    message.append(bigEndian: n1)
    message.append(bigEndian: n2)
    message.append(bigEndian: r)
    message.append(bigEndian: ioCapability)
    message.append(bigEndian: a1)
    message.append(bigEndian: a2)
    return cmac(key: w, message.bytes)
  }

  /// The number that both sides show, 2.2.9: 32 bits, of which the last six digits are shown.
  package func g2(u: Octets<32>, v: Octets<32>, x: Octets<16>, y: Octets<16>) -> UInt32 {
    var message = FixedBuffer<80>()
    message.append(bigEndian: u)
    message.append(bigEndian: v)
    message.append(bigEndian: y)
    return cmac(key: x, message.bytes).low32
  }

  /// Whether the private address `address` was made with the key `irk`.
  ///
  /// Core Specification, Vol 6, Part B, 1.3.2.3.
  package func resolves(irk: Octets<16>, _ address: DeviceAddress) -> Bool {
    guard address.isResolvable else { return false }
    let hash = UInt32(truncatingIfNeeded: address.value) & 0xFF_FFFF
    let prand = UInt32(truncatingIfNeeded: address.value &>> 24)
    return ah(k: irk, r: prand) == hash
  }
}

/// The salt of f5, 2.2.7.
private var f5Salt: Octets<16> {
  Octets(words: [0x6C88_8391, 0xAAF5_A538, 0x6037_0BDB, 0x5A60_83BE])
}

extension Octets<16> {
  /// Twice the number in the field of AES-CMAC.
  ///
  /// RFC 4493, 2.3.
  fileprivate var doubled: Self {
    var result = Self()
    var carry: UInt8 = 0
    for index in 0..<16 {
      result[index] = self[index] << 1 | carry
      carry = self[index] >> 7
    }
    // Takes the same time with and without a carry.
    result[0] ^= carry &* 0x87
    return result
  }

  /// The number modulo 2^32.
  fileprivate var low32: UInt32 {
    UInt32(self[0]) | UInt32(self[1]) << 8 | UInt32(self[2]) << 16 | UInt32(self[3]) << 24
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The 56 bits of an address in the formulas: 1 for a random one, then the address.
  fileprivate mutating func append(bigEndian address: DeviceAddress) {
    append(address.type.rawValue & 1)
    var rest = address.value &<< 16
    for _ in 0..<6 {
      append(UInt8(truncatingIfNeeded: rest &>> 56))
      rest = rest &<< 8
    }
  }
}
