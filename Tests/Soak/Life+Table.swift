import Crypto
import Device
import Glibc
import Graphics
import VirtualDevice

/// What was measured, with its bounds.
extension Life {
  var counterRows: [Row] {
    let clock = zip(["2^31", "2^32", "2^53"], clockPassings).map {
      Row("clock past \($0) ms", "goes on", "\($1) times", $1 > 0)
    }
    return [sequences, phoneIDs].map(\.row) + clock
  }

  func figureRows(hours: Int) -> [Row] {
    return happenings(hours) + reconnections + memory + wear(days: max(1, hours / 24))
  }

  /// 10,000 in 30 days; a few days may be quieter.
  private func lossesBound(_ hours: Int) -> Int {
    hours < 720 ? 8 * hours : 10_000 * hours / 720
  }

  private func happenings(_ hours: Int) -> [Row] {
    let days = max(1, hours / 24)
    return [
      Row("findings", atMost: 0, figures.findings.count),
      Row("virtual hours", atLeast: hours, Int(elapsed / Self.hour)),
      Row("losses of the link", atLeast: lossesBound(hours), figures.losses),
      Row("links", atLeast: figures.losses, figures.links),
      Row("private addresses of the phone", atLeast: 30 * days, addresses.count),
      Row("pairings", atLeast: 1 + days, figures.pairings),
      Row(
        "Service Changed, or services that come and go", atLeast: 5 * days, figures.serviceChanges),
      Row("starts after the power was cut", atLeast: 3 * days, figures.restarts),
      Row("of them in the middle of a write", atLeast: days / 2, figures.tornWrites),
      Row("losses of the radio", atLeast: 2 * days, figures.radioLosses),
      Row("power cuts of the panel", atLeast: 2 * days, figures.panelCuts),
      Row("strangers that came by", atLeast: 2 * days, figures.strangers),
      Row(
        "links to one who replays an address", atMost: 20 * figures.strangers,
        figures.impostorsLinks),
    ] + (isVisited ? visits(days) : []) + [
      Row("jumps of the phone's identifiers", atLeast: 10 * days, figures.idJumps),
      Row("instructions said", atLeast: 5_000 * days, figures.told),
      Row("instructions told", atLeast: figures.told * 8 / 10, figures.heard),
      Row("pictures", atLeast: figures.heard / 4, figures.pictures),
    ]
  }

  private func visits(_ days: Int) -> [Row] {
    [
      Row("links that the phone made by itself", atLeast: 100 * days, figures.visits),
      Row(
        "lines that Gadgetbridge wrote over them", atLeast: kind == .android ? 2_000 * days : 0,
        figures.lines),
      Row("links of strangers", atLeast: days, figures.knocks),
    ]
  }

  private var reconnections: [Row] {
    let times = figures.returns.sorted()
    let helped = figures.helpedReturns.sorted()
    func share(_ times: [Int64], _ percent: Int) -> Int {
      times.isEmpty ? 0 : Int(times[(times.count - 1) * percent / 100])
    }
    return [
      Row("return to the first turn, median", atMost: 1_000, share(times, 50), " ms"),
      Row("95 %", atMost: 5_000, share(times, 95), " ms"),
      Row("longest of \(times.count)", atMost: 120_000, share(times, 100), " ms"),
      Row(
        "from the press where one is needed, longest of \(helped.count)",
        atMost: 120_000, share(helped, 100), " ms"),
    ]
  }

  var residentPages: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private var memory: [Row] {
    let (first, last) = (figures.firstResidentPages * 4, residentPages * 4)
    return [
      Row(
        "the device with its queues, ring, rests and names, all of it", atMost: 81_920,
        MemoryLayout<Device<SoftwareCrypto>>.size, " bytes"),
      Row(
        "memory of this program at the end, \(first) KB after the first ride",
        atMost: first + 8_192, last, " KB"),
    ]
  }

  private func wear(days: Int) -> [Row] {
    let writes = figures.storeWrites
    let most = Int(figures.litSamples.max() ?? 0)
    let lit = figures.litSamples.reduce(0) { $0 + Int($1) }
    let (shown, all) = (max(1, figures.shownSamples), max(1, figures.samples))
    return [
      Row(
        "writes of the bond, of \(figures.pairings) pairings and \(figures.serviceChanges) changes",
        // A phone that comes by itself also sets our two configurations, after each pairing.
        atMost: (isVisited ? 7 : 5) * figures.pairings + figures.serviceChanges,
        writes[0] + writes[1]),
      Row(
        "of them to the same block of flash", atMost: 60,
        100 * (writes.max() ?? 0) / max(1, writes[0] + writes[1]), " %"),
      Row(
        "reports, of which the rider wished \(figures.wishedReports)",
        atMost: figures.wishedReports + 5 * (figures.restarts + days), figures.reports),
      Row(
        "bytes that a report writes", atMost: 102_400,
        figures.reportBytes / max(1, figures.reports)),
      Row("panel shows something, of all time", atMost: 75, 100 * shown / all, " %"),
      Row(
        "picture stands a row higher or lower, of that time", atLeast: 25,
        100 * figures.movedSamples / shown, " %"),
      Row("most lit pixel, of all time", atMost: 75, 100 * most / all, " %"),
      Row(
        "pixels are lit, in the mean, of the time that something is shown", atMost: 33,
        lit / (8_192 * shown / 100), " %"),
      Row("rounds of the loop in an idle hour", atMost: 1_800, figures.idleTurns.max() ?? 0),
    ]
  }

  // MARK: - The glass

  func sampleGlass() {
    figures.samples += 1
    var glass = Bitmap(Size(128, 64))
    guard world.panel.isOn, world.panel.updateGlass(&glass) else { return }
    figures.shownSamples += 1
    if world.panel.startLine != 0 { figures.movedSamples += 1 }
    for y in 0..<64 {
      for x in 0..<128 where glass[x, y] { figures.litSamples[y * 128 + x] += 1 }
    }
  }
}
