import Beacons
import Bytes
import Places
import TestSupport

/// The UUID of the beacons, and its text.
let groupUUID = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
let groupText = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"

func beacon(_ minor: Int, of uuid: UUID = groupUUID) -> IBeacon {
  IBeacon(uuid, major: 1, minor: UInt16(minor))
}

func name(_ text: String) -> PlaceName { PlaceName { $0.append(text) } }

/// The file of these readings of the beacons with minor numbers from 1 on.
func file(_ readings: [[Int]], seconds: Int, uuid: String = groupText) -> String {
  let beacons = readings.enumerated().map { index, values in
    "\"\(uuid).Maj:1.Min:\(index + 1)\":[\(values.map(String.init).joined(separator: ","))]"
  }
  return "{" + beacons.joined(separator: ",") + ",\"seconds\":\(seconds)}"
}

/// What is read from a file, or what is wrong with it.
func read(_ text: String) -> Result<Fingerprint, FingerprintError> {
  let bytes = Array(text.utf8)
  do throws(FingerprintError) {
    return .success(try Fingerprint(file: bytes.span))
  } catch {
    return .failure(error)
  }
}

/// The fingerprint of a file that is one.
func fingerprint(_ text: String) -> Fingerprint {
  switch read(text) {
  case .success(let fingerprint): return fingerprint
  case .failure(let error): giveUp("\(error) in \(text)")
  }
}

/// The fingerprint of a room where these beacons were heard with one signal each, in each of 20 seconds.
func room(_ signals: [Int], uuid: String = groupText) -> Fingerprint {
  fingerprint(file(signals.map { Array(repeating: $0, count: 20) }, seconds: 20, uuid: uuid))
}
