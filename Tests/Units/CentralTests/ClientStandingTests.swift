import ATT
import Testing

@testable import Link

/// The table in the comment of `GATTClient.Standing`.
@Suite struct ClientStandingTests {
  @Test(
    arguments: [
      (.silent, false), (.open, true), (.held(3, .insufficientEncryption), false), (.secure, true),
      (.insecure, true),
    ] as [(GATTClient.Standing, Bool)])
  func onlyAClientThatIsNeitherSilentNorHeldMayAskForTheTable(
    _ standing: GATTClient.Standing, mayAsk: Bool
  ) {
    #expect(standing.mayAsk == mayAsk)
  }

  @Test(arguments: [GATTClient.Standing.secure, .insecure])
  func aLineThatWasHeldIsGivenBackOnceItIsKnownWhetherTheLinkIsSecure(
    _ next: GATTClient.Standing
  ) {
    var standing = GATTClient.Standing.held(3, .insufficientEncryption)
    let held = standing.become(next)
    #expect(held?.line == 3 && held?.refusal == .insufficientEncryption)
    let heldNext = standing.become(next)
    #expect(heldNext == nil && standing == next)
  }
}
