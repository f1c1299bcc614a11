import Bytes
import Central
import Link
import PlainBonds
import TestSupport
import Testing
import VirtualAir

/// A phone that was remembered without a code, where one is required now.
@Suite struct MissingCodeTests {
  /// By its key, or by its address.
  enum Kind: CaseIterable { case key, address }

  /// Its bond was read from the disk, and the phone still has its half.
  private func scene(_ kind: Kind, _ policy: PairingPolicy) throws -> Encounter {
    let scene = Encounter(policy)
    let first = Encounter(manner: kind == .key ? .justWorks : .refusal(0x05))
    if kind == .address { first.phone.address = bytes("01 01 02 03 04 05 c6") }
    _ = first.meet()
    first.central.confirm(true)
    first.central.adoptBond()
    #expect(first.central.memory == (kind == .key ? .keys : .address))
    var bond = scene.bond
    if kind == .key {
      scene.security.longTermKey = first.security.longTermKey
      bond.ltk = first.security.longTermKey.map { array($0.bytes) }
    } else {
      scene.phone.address = first.phone.address
      scene.security.manner = .refusal(0x05)
      bond.address = DeviceAddress(0xC605_0403_0201, .random)
      (bond.irk, bond.ltk) = (nil, nil)
    }
    bond.isAuthenticated = false
    try scene.central.remember(bond)
    return scene
  }

  private func isCodeMissing(_ scene: Encounter) -> Bool {
    scene.central.ask { $0.isCodeMissing }
  }

  @Test(arguments: Kind.allCases)
  func centralBehaviour71_whereACodeIsAMustABondWithoutOneIsNotFollowed(_ kind: Kind) throws {
    let scene = try scene(kind, .required)
    #expect(isCodeMissing(scene) && scene.central.memory == .nothing)
    #expect(scene.central.stage == .idle, "the rider is told first")
    for _ in 0..<100 {
      scene.controller.advertise(scene.central)
      scene.central.pass(1_000)
    }
    #expect(scene.central.values == [] && scene.central.stage == .idle)
    scene.central.searchFast()
    _ = scene.central.takeSaid()
    let events = scene.meet()
    #expect(!scene.central.takeSaid().contains { $0.hasPrefix("01 19 20") }, "its key is not used")
    #expect(!events.contains(.encrypted) && scene.central.values == [])
  }

  @Test(arguments: Kind.allCases)
  func centralBehaviour71_whereNoneIsRequiredAnyMoreItIsFollowedAgain(_ kind: Kind) throws {
    let scene = try scene(kind, .preferred)
    #expect(!isCodeMissing(scene))
    #expect(scene.central.memory == (kind == .key ? .keys : .address))
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    #expect(scene.requests == 0)
  }

  @Test func centralBehaviour71_afterAPressItIsPairedWithByACodeAndFollowed() throws {
    let scene = try scene(.key, .required)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
    #expect(isCodeMissing(scene), "until the new one is on the disk")
    scene.central.confirm(true)
    scene.central.adoptBond()
    #expect(!isCodeMissing(scene) && scene.central.memory == .keys)
    scene.lose()
    #expect(scene.meet().contains(.encrypted))
  }

  /// The old bond stays: a pairing that comes to nothing is as if there had been none.
  @Test func centralBehaviour71_aPairingThatFailsLeavesTheBondWhereItIs() throws {
    let scene = try scene(.key, .required)
    scene.central.searchFast()
    _ = scene.meet()
    scene.central.confirm(false)
    #expect(isCodeMissing(scene) && scene.central.stage == .idle)
  }

  @Test func centralBehaviour71_aBondWithACodeIsFollowedWhereOneIsRequired() throws {
    let scene = Encounter(.required)
    scene.pair()
    var bond = scene.bond
    bond.ltk = scene.security.longTermKey.map { array($0.bytes) }
    bond.isAuthenticated = true
    let again = Encounter(.required)
    again.security.longTermKey = scene.security.longTermKey
    try again.central.remember(bond)
    #expect(!isCodeMissing(again) && again.meet().contains(.encrypted))
  }

  @Test func centralBehaviour71_whoIsForgottenIsMissingNoCode() throws {
    let scene = try scene(.key, .required)
    scene.central.forget()
    #expect(!isCodeMissing(scene))
  }
}
