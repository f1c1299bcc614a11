import Bytes
import Link
import Testing

/// The rows of `LinkMachine` for a link that the phone has made, and for turns by our own server.
@Suite struct VisitMachineTests {
  private static func link(_ happenings: [LinkMachine.Happening]) -> LinkMachine {
    var machine = LinkMachine(isPeripheral: true)
    for happening in happenings { _ = machine.note(happening) }
    return machine
  }

  /// Anybody can come with an address that was recorded: that is no reason to say that the phone's key is wrong.
  @Test(
    arguments: [
      ([], .awaited, .requestSecurity),
      ([.securityRequested], .requested, .end(.remoteUserTerminatedConnection)),
      ([.encryptionBegan(.bond)], .begun(.bond), .end(.remoteUserTerminatedConnection)),
      (
        [.securityRequested, .encryptionBegan(.bond)], .begun(.bond),
        .end(.remoteUserTerminatedConnection)
      ),
      (
        [.encryptionBegan(.bond), .securityRequested], .begun(.bond),
        .end(.remoteUserTerminatedConnection)
      ),
      ([.encryptionBegan(.pairing)], .begun(.pairing), .search),
      ([.encrypted], .awaited, .requestSecurity),
      ([.encryptionBegan(.bond), .encrypted], .on, .search),
      ([.encryptionBegan(.bond), .encrypted, .securityRequested], .on, .search),
      ([.encryptionBegan(.bond), .keyFailed], .off, .search),
      (
        [.securityRequested, .left(.authenticationFailure)], .requested,
        .end(.authenticationFailure)
      ),
    ] as [([LinkMachine.Happening], LinkMachine.Encryption, LinkMachine.Overdue)])
  func peripheralBehaviour16_theEncryptionOfALinkThatThePhoneMadeIsItsOwnToBegin(
    _ happenings: [LinkMachine.Happening], _ encryption: LinkMachine.Encryption,
    _ overdue: LinkMachine.Overdue
  ) {
    let machine = Self.link(happenings)
    #expect(machine.encryption == encryption)
    #expect(machine.overdue(isPairing: false) == overdue)
    #expect(machine.overdue(isPairing: true) == .nothing)
  }

  /// Until it is left, or let go, which ends what it was of use for.
  @Test(arguments: [LinkMachine.Happening.left(.authenticationFailure), .letGo])
  func turnsMakeALinkOfUseAndTheFirstOneIsNews(_ end: LinkMachine.Happening) {
    var machine = Self.link([.encryptionBegan(.bond), .encrypted])
    let wasOfUse = machine.isOfUse
    let news = [machine.note(.guided), machine.note(.guided)]
    #expect(!wasOfUse && news == [true, false])
    #expect(machine.isOfUse && !machine.isFound)
    _ = machine.note(end)
    #expect(!machine.isOfUse)
  }
}
