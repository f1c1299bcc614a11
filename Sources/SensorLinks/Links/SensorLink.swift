import ATT
import Bond
import Bytes
import HCI
import Link
import Sensors

/// A link to a sensor: the sensor is ready, or found in the words of `LinkStage`, once its values may come.
///
/// Then it is subscribed to, or has notified unasked.
///
/// Its table is as long as the phone's, and ends with lines of nothing: so a board has one `GATTClient`. The longest
/// frame is a command of the Security Manager, of 65 octets.
typealias SensorLink = Link<11, 128, 69>

extension SensorKind {
  /// What a sensor of this kind is asked for: its measurement, its battery and its name, and news of its battery.
  ///
  /// A sensor that refuses the subscription may notify all the same.
  var wanted: SensorLink.Table {
    var table = SensorLink.Table(repeating: .nothing)
    table[0] = Wanted(
      characteristic, by: .discovery(in: service, .notifications), need: .notified,
      security: .demanded, keptAs: .value)
    table[1] = Wanted(.batteryLevel, by: .type, isRead: true, security: .preferred)
    table[2] = Wanted(.deviceName, by: .type, isRead: true)
    // One in ten seconds counts, as each is an event.
    table[3] = Wanted(.batteryLevel, by: .typed(.notifications), pause: 10_000)
    return table
  }

  /// The client of a link to such a sensor, whose value was `known` to be at these handles.
  func client(known: SubscribedHandles) -> SensorLink.Client {
    // More than any value has, and its header.
    SensorLink.Client(wanted, known: known, mtu: 60)
  }
}

/// How the link to a sensor is secured: by its stored key, or by Just Works if the sensor asks for security.
///
/// A sensor asks by a Security Request, or by refusing a request on an open link. No requests are sent while a link is
/// being secured. Each way is tried once per link. A device that denies the stored key may be another one with the
/// sensor's address: its link ends, unless the rider has agreed to a new key.
///
/// | stage | what happens | next |
/// |---|---|---|
/// | any other | the sensor asks, and the link is not encrypted | `pairing`, if none has failed on this link |
/// | | the encryption is taken away | `ending` |
/// | `encrypting` | the link is encrypted | `discovering` |
/// | | the sensor asks | the same, and it `hasAsked` |
/// | | it lacks the key | `ending`; with the rider's permission `discovering`, or `pairing` if it `hasAsked` |
/// | | nothing comes in time | `ending`, and the key has failed |
/// | | it ends the link for such a reason | the link is over, and the key has failed |
/// | `pairing` | it has led to an encrypted link | as before the pairing |
/// | | it fails, or takes too long | as before the pairing, and `staysOpen`; `ending` if what is needed was refused |
struct SensorTrust {
  enum Pairing {
    case untried
    /// The sensor has asked for security while the stored key was tried.
    case hasAsked
    /// It has failed.
    case staysOpen
  }

  private(set) var pairing = Pairing.untried
  /// Whether a new key may replace the stored one.
  let mayReplace: Bool
  /// The key that was made on this link, if both sides keep it.
  private(set) var newKey: Bond.Key?

  init(mayReplace: Bool = false) { self.mayReplace = mayReplace }

  mutating func asked() { pairing = .hasAsked }

  mutating func failed() { pairing = .staysOpen }

  mutating func paired(_ key: Bond.Key?) { newKey = key }
}
