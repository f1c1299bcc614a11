import Beacons
import Bytes
import Expecting
import Places
import TestSupport

/// The file of a fingerprint: readings by beacon, in JSON (RFC 8259).
@Suite struct FingerprintReaderTests {
  private func result(_ text: String) -> String {
    switch read(text) {
    case .failure(let error): words(error)
    case .success(let fingerprint): words(fingerprint)
    }
  }

  private func words(_ error: FingerprintError) -> String {
    var text = FixedBuffer<300>()
    error.write(to: &text)
    return text.isOverflown ? "too long" : string(text.bytes)
  }

  private func words(_ fingerprint: Fingerprint) -> String {
    let beacons = (0..<fingerprint.count).map { "\(fingerprint.beacon(at: $0).minor)" }
    return "\(fingerprint.seconds) s: \(beacons.joined(separator: " "))"
  }

  @Test func aFingerprintIsRead() {
    let text =
      "{\"\(groupText).Maj:1.Min:2\":[-61,-63], \"\(groupText).Maj:1.Min:3\":[-80], \"seconds\":60}"
    expect(result(text), "60 s: 2 3")
    expect(fingerprint(text).uuid, groupUUID)
  }

  @Test func theMembersMayHaveAnyOrderAndSpace() {
    let text = """
      \t{ "seconds" : 2 ,\r
        "\(groupText.lowercased()).Maj:1.Min:1" : [ -128 , -2 ] }

      """
    expect(result(text), "2 s: 1")
  }

  @Test func aFileThatIsCutAnywhereIsRefusedThere() {
    let text = file([[-61, -63], [-70]], seconds: 60)
    for count in 0..<text.utf8.count {
      let cut = result(String(text.prefix(count)))
      expect(cut, "1:\(count + 1): the file ends too early; copy it again, or train again")
    }
  }

  @Test func whatIsTooMuchIsRefusedWhereItIs() {
    let many = Array(repeating: [-60], count: 33)
    #expect(result(file(Array(many.dropLast()), seconds: 60)).hasPrefix("60 s: 1 2 3"))
    #expect(
      result(file(many, seconds: 60)).hasSuffix(
        ": more than 32 beacons; remove those with the fewest readings"))
    let long = Array(repeating: -60, count: 241)
    expect(result(file([Array(long.dropLast())], seconds: 240)), "240 s: 1")
    // 53 bytes stand before the first of the 240 readings, each of which has 4 with its comma.
    expect(
      result(file([long], seconds: 240)),
      "1:1014: more than 240 readings of a beacon; train for fewer seconds")
  }

  @Test func moreReadingsThanSecondsAreRefused() {
    #expect(
      result(file([[-60], [-60, -61, -62]], seconds: 2)).hasSuffix(
        ": \(groupText).Maj:1.Min:2 has more readings than there are seconds, it has one a second at"
          + " most; train again"))
    #expect(result("{\"seconds\":2," + file([[-1]], seconds: 2).dropFirst()).contains("-128 to -2"))
  }

  /// KEY stands for a beacon, OTHER for one of another group, and § marks where it is wrong.
  @Test(
    arguments: [
      ("§", "the file ends too early"),
      ("§[]", #"expected "{""#),
      ("§\u{FEFF}{KEY:[-61],\"seconds\":60}", #"expected "{""#),
      (#"{§{KEY:[-61],"seconds":60}"#, #"expected a key or "}""#),
      ("{§}", "no beacon"),
      (#"{"seconds":60§}"#, "no beacon"),
      ("{KEY:[-61]§}", #""seconds" is missing"#),
      (#"{§"KEY:[-61],"seconds":60}"#, "unknown key"),
      (#"{KEY:[-61],§"second\u0073":60}"#, "unknown key"),
      (#"{KEY:[-61],§"LONG":60}"#, "unknown key"),
      (#"{KEY:[-61],§"name":"x","seconds":60}"#, "unknown key"),
      ("{KEY:[-61],§seconds:60}", "expected a key;"),
      (#"{KEY:[-61],§KEY:[-60],"seconds":60}"#, "a beacon is there twice"),
      (#"{KEY:[-61],§OTHER:[-60],"seconds":60}"#, "another UUID"),
      (#"{KEY:[-61],"seconds":60,§"seconds":60}"#, #""seconds" is there twice"#),
      (#"{KEY:[-61],"seconds"§60}"#, #"expected ":""#),
      (#"{KEY:[-61],"seconds":§"60"}"#, "expected a number of seconds"),
      (#"{KEY:[-61],"seconds":§+60}"#, "expected a number of seconds"),
      (#"{KEY:[-61],"seconds":§0}"#, "no time that a training lasts; allowed: 1 to 240"),
      (#"{KEY:[-61],"seconds":§241}"#, "no time"),
      (#"{KEY:[-61],"seconds":§4294967356}"#, "no time"),
      (#"{KEY:[-61],"seconds":§060}"#, "not a number as JSON"),
      (#"{KEY:[-61],"seconds":§60.0}"#, "not a whole number"),
      (#"{KEY:[-61],"seconds":§6e1}"#, "not a whole number"),
      (#"{KEY:[-61],"seconds":60§]}"#, #"expected "," and another key, or "}""#),
      (#"{KEY:[-61],"seconds":60,§}"#, "expected a key;"),
      (#"{KEY:[-61],"seconds":60}§}"#, "something follows the end"),
      ("{KEY:[-61],\"seconds\":60}\n\n §{", "something follows the end"),
      ("{KEY:[-61],\"seconds\":60}§\0", "something follows the end"),
      (#"{KEY§[-61],"seconds":60}"#, #"expected ":""#),
      (#"{KEY:§-61,"seconds":60}"#, #"expected "[""#),
      (#"{KEY:[§],"seconds":60}"#, "a beacon without readings"),
      (#"{KEY:[§[-61]],"seconds":60}"#, "expected a reading"),
      (#"{KEY:[-61,§],"seconds":60}"#, "expected a reading"),
      ("{KEY:[-61,\n-70 §-80],\"seconds\":60}", #"expected "," and another reading, or "]""#),
      ("{KEY:[-61§}", #"expected "," and another reading, or "]""#),
      (#"{KEY:[§-6E1],"seconds":60}"#, "not a whole number"),
      (#"{KEY:[§-],"seconds":60}"#, "not a number as JSON"),
      (#"{KEY:[§--6],"seconds":60}"#, "not a number as JSON"),
      (#"{KEY:[§-061],"seconds":60}"#, "not a number as JSON"),
      (#"{KEY:[§-00],"seconds":60}"#, "not a number as JSON"),
      (#"{KEY:[-6§-1],"seconds":60}"#, #"expected "," and another reading"#),
      (#"{KEY:[§-1],"seconds":60}"#, "not a reading; allowed: -128 to -2 dBm"),
      (#"{KEY:[-61,§0],"seconds":60}"#, "not a reading"),
      (#"{KEY:[§-129],"seconds":60}"#, "not a reading"),
      (#"{KEY:[§-4294967357],"seconds":60}"#, "not a reading"),
      (#"{KEY:[§-99999999999999999999999999],"seconds":60}"#, "not a reading"),
    ] as [(String, String)])
  func anythingElseIsRefusedWhereItIs(_ marked: String, _ expected: String) {
    let key = "\(groupText).Maj:1.Min:1"
    let parts = marked.replacing("KEY", with: "\"\(key)\"")
      .replacing("OTHER", with: "\"F\(key.dropFirst())\"")
      .replacing("LONG", with: String(repeating: "s", count: 57))
      .split(separator: "§", omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let place = "\(lines.count):\((lines.last?.utf8.count ?? 0) + 1): "
    let found = result(parts.joined())
    #expect(found.hasPrefix(place + expected), "\(found) in \(marked)")
  }
}
