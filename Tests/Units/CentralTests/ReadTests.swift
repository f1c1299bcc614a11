import ATT
import Central
import Expecting
import VirtualAir

/// Reading a value to its end, however the phone cuts and changes it.
@Suite struct ReadTests {
  /// A value of this many bytes; the first ones tell it from the next.
  private static func value(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) &+ seed }
  }

  /// MTU 23 carries 22 bytes in an answer, so 22, 44 and 66 are exact multiples.
  @Test(arguments: [0, 1, 9, 21, 22, 23, 43, 44, 45, 66, 100, 511, 512])
  func centralBehaviour27_aValueOfAnyLengthIsReadWhole(_ count: Int) {
    for blobErrorAtEnd in [nil, 0x07, 0x0B] as [UInt8?] {
      let (central, phone) = LinkTests.connected {
        $0.mtu = 23
        $0.blobErrorAtEnd = blobErrorAtEnd
      }
      phone.value = Self.value(count)
      central.read()
      expect(central.values, [Self.value(count)], "error \(String(describing: blobErrorAtEnd))")
    }
  }

  /// An answer that is full says nothing of more, where no value can be longer.
  @Test(arguments: [513, 517] as [UInt16])
  func centralBehaviour27_aLargeMTUNeedsOneReadOnly(_ mtu: UInt16) {
    let (central, phone) = LinkTests.connected { $0.mtu = mtu }
    phone.value = Self.value(512)
    let count = phone.requests.count
    central.read()
    expect(Array(phone.requests[count...]), [0x0A])
    expect(central.values, [Self.value(512)])
  }

  /// An app that thinks of the smallest MTU cuts what is read, and hands the rest out by Read Blob.
  @Test(arguments: [20, 22], [0, 1, 60])
  func centralBehaviour56_aFirstPartOfTheLengthOfASmallPacketIsReadOn(_ cut: Int, _ more: Int) {
    for blobErrorAtEnd in [nil, 0x07, 0x0B] as [UInt8?] {
      let (central, phone) = LinkTests.connected {
        $0.mtu = 185
        $0.cut = cut
        $0.blobErrorAtEnd = blobErrorAtEnd
      }
      phone.value = Self.value(cut + more)
      central.read()
      expect(central.values, [Self.value(cut + more)])
      if more == 0 { expect(phone.requests.count { $0 == 0x0C }, 1) }
    }
  }

  @Test func centralBehaviour27_aValueThatChangesBetweenItsPartsIsReadAgain() {
    let (central, phone) = LinkTests.connected { $0.mtu = 23 }
    phone.value = Self.value(40)
    phone.onRequest = { opcode in
      if opcode == 0x0C, phone.value == Self.value(40) { phone.value = Self.value(40, seed: 100) }
    }
    central.read()
    expect(central.values, [Self.value(40, seed: 100)], "never a mixture of both")
  }

  /// While the second part is on its way, and while it is made sure of that the first one still holds.
  @Test(arguments: [(0x0C, 1), (0x0A, 2)] as [(UInt8, Int)])
  func centralBehaviour27_aNotificationBetweenThePartsIsNotMixedIntoTheValue(
    _ opcode: UInt8, _ number: Int
  ) {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.mtu = 23 }
    phone.value = Self.value(40)
    var count = 0
    phone.onRequest = {
      if $0 == opcode { count += 1 }
      guard $0 == opcode, count == number else { return }
      controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), central)
    }
    central.read()
    // What it says is read instead, as soon as that is possible.
    expect(central.values, [[1, 2, 3, 4], Self.value(40)])
    expect(phone.requests.suffix(3), [0x0A, 0x0C, 0x0A])
  }

  /// It is repeated each two seconds.
  @Test func centralBehaviour137_aNotificationOfTheValueThatIsBeingReadDoesNotHoldItUp() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.mtu = 23 }
    phone.value = Self.value(40)
    phone.onRequest = {
      let notification = VirtualPhone.notification(Array(Self.value(4)))
      if $0 == 0x0C { controller.send(channel: 0x04, notification, central) }
    }
    let count = phone.requests.count
    central.read()
    expect(central.values, [Self.value(4), Self.value(40)])
    expect(phone.requests[count...], [0x0A, 0x0C, 0x0A])
  }

  /// Each is refused or empty where the new value, which is shorter, has nothing more.
  @Test(arguments: [nil, 0x07] as [UInt8?], [9, 15, 22, 30, 44])
  func centralBehaviour137_ofAValueThatBecomesShorterBetweenItsPartsNothingIsCut(
    _ blobErrorAtEnd: UInt8?, _ count: Int
  ) {
    let (central, phone) = LinkTests.connected {
      $0.mtu = 23
      $0.blobErrorAtEnd = blobErrorAtEnd
    }
    phone.value = Self.value(60)
    phone.onRequest = { if $0 == 0x0C { phone.value = Self.value(count, seed: 50) } }
    central.read()
    expect(central.values, [Self.value(count, seed: 50)])
  }

  @Test func centralBehaviour137_ofAValueThatNeverStopsChangingTheFirstPartIsGiven() {
    let (central, phone) = LinkTests.connected { $0.mtu = 23 }
    var seed: UInt8 = 0
    phone.onRequest = { opcode in
      guard opcode == 0x0A || opcode == 0x0C else { return }
      seed &+= 1
      phone.value = Self.value(40, seed: seed)
    }
    phone.value = Self.value(40)
    let count = phone.requests.count
    central.read()
    // Between two letters.
    expect(central.values, [Array(Self.value(40, seed: seed).prefix(22))])
    // Each of three attempts ends with the first part of the next one.
    expect(phone.requests[count...], [0x0A, 0x0C, 0x0A, 0x0C, 0x0A, 0x0C, 0x0A])
    // The next read has as many attempts.
    phone.value = Self.value(40)
    phone.onRequest = { opcode in
      if opcode == 0x0C, phone.value == Self.value(40) { phone.value = Self.value(40, seed: 200) }
    }
    central.read()
    expect(central.values.last, Self.value(40, seed: 200))
  }

  @Test func aValueThatNeverEndsIsCutAt512Bytes() {
    let (central, phone) = LinkTests.connected { $0.mtu = 23 }
    phone.value = Self.value(5_000)
    central.read()
    expect(central.values, [Self.value(512)])
  }

  @Test(arguments: [UInt8(0x0A), 0x01, 0x02, 0x80])
  func centralBehaviour27_aRefusedReadIsReportedAndTheNextOneWorks(_ code: UInt8) {
    let (central, phone) = LinkTests.connected { _ in }
    _ = central.takeEvents()
    phone.readError = code
    central.read()
    expect(central.takeEvents().first, .readRefused(AttributeError(rawValue: code)))
    phone.readError = nil
    central.pass(2_000)  // an invalid handle means a new search
    phone.value = Self.value(9)
    central.read()
    expect(central.values, [Self.value(9)])
  }

  @Test func readsThatOverlapBecomeOneMoreRead() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.withheld = [0x0A] }
    phone.value = Self.value(9)
    for _ in 0..<5 { central.read() }
    phone.withheld = []
    controller.send(channel: 0x04, [0x0B] + Self.value(10), central)
    expect(central.values, [Self.value(10), Self.value(9)])
  }
}
