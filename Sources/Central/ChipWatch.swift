import Bytes
import Controller
import HCI
import Link
import SensorLinks

/// Whether a controller that answers also works: makes links and hears devices.
///
/// It says when to reset a controller that does not. A working link is never given up for that: beside one, a lack of
/// links means that there is no room, and a link that fails at once means that its peer went away.
///
/// | what happens in a row | Reset |
/// |---|---|
/// | an attempt is disallowed though none is pending | at the second one |
/// | attempts at any device end with an error that says nothing of the device | at the fifth one |
/// | nothing is heard for a minute | at the third minute, and then every ten minutes |
///
/// At least two minutes pass between two Resets for want of links.
struct ChipWatch {
  private static var mostRefusals: UInt8 { 2 }
  private static var mostFailures: UInt8 { 5 }
  private static var mostDeafMinutes: UInt8 { 3 }
  private static var linkPause: Int64 { 120_000 }
  private static var deafPause: Int64 { 600_000 }

  private var refusals: UInt8 = 0
  private var failures: UInt8 = 0
  private var deafMinutes: UInt8 = 0
  /// How many Resets for want of links have not helped.
  private var resets: UInt8 = 0
  private var linkPauseEnd: Instant?
  private var deafPauseEnd: Instant?

  /// Something came over a link.
  mutating func linkHolds() { (refusals, failures, resets, deafMinutes) = (0, 0, 0, 0) }

  /// A device is heard.
  mutating func deviceWasHeard() { deafMinutes = 0 }

  /// An attempt has ended with this status; returns the number of the Reset that is now necessary, from 1, if one is.
  mutating func attemptEnded(_ status: ErrorCode, hasNoLink: Bool, at now: Instant) -> UInt8? {
    guard hasNoLink else {
      (refusals, failures) = (0, 0)
      return nil
    }
    switch status {
    case .commandDisallowed: refusals = min(refusals + 1, Self.mostRefusals)
    case .limitedResources, .advertisingTimeout, .connectionFailedToBeEstablished:
      failures = min(failures + 1, Self.mostFailures)
    default: return nil
    }
    guard refusals == Self.mostRefusals || failures == Self.mostFailures else { return nil }
    if let end = linkPauseEnd, now < end { return nil }
    (refusals, failures) = (0, 0)
    linkPauseEnd = now + Self.linkPause
    resets = min(resets + 1, .max - 1)
    return resets
  }

  /// Nothing was heard for a minute; returns whether a Reset is necessary.
  mutating func heardNothing(hasNoLink: Bool, at now: Instant) -> Bool {
    deafMinutes = hasNoLink ? min(deafMinutes + 1, Self.mostDeafMinutes) : 0
    guard deafMinutes == Self.mostDeafMinutes else { return false }
    if let end = deafPauseEnd, now < end { return false }
    deafPauseEnd = now + Self.deafPause
    return true
  }
}

extension Host {
  /// Whether there is no link at all; `mutating`: no copy.
  private mutating func hasNoLink() -> Bool {
    sensors.hasNoLink && lingering.isEmpty && !link.channels.isThere
  }

  /// Resets the controller if this attempt shows that it makes no links; returns whether it does.
  mutating func failForWantOfLinks(_ status: ErrorCode, at now: Instant) -> Bool {
    let hasNoLink = hasNoLink()
    guard let times = updateWatch({ $0.attemptEnded(status, hasNoLink: hasNoLink, at: now) }) else {
      return false
    }
    fail(.noLinks(status, times: times), at: now)
    return true
  }

  /// Whether to reset the controller, which has heard nothing for another minute.
  mutating func isResetDueToDeafness(at now: Instant) -> Bool {
    let hasNoLink = hasNoLink()
    return updateWatch { $0.heardNothing(hasNoLink: hasNoLink, at: now) }
  }
}
