import Panel
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device
@testable import DeviceState

/// A ride with an Android phone on which Gadgetbridge runs, too; its texts are invented.
extension World {
  /// A paired phone whose komoot has no turn, and whose Gadgetbridge has subscribed.
  static func bridged(_ settings: [String] = [], hearing komoot: Bool = false) throws -> World {
    let world = try World(["pairing=preferred"] + settings, pairs: true)
    world.phone.notice = .value
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    if !komoot { world.tell(0, 0, "") }
    world.subscribe()
    return world
  }

  /// Gadgetbridge subscribes, as it does on each link before it writes.
  func subscribe() {
    notify(bytes("12 0f 00 01 00"))
    forgetWhatCameOut()
  }

  /// It writes a value, in pieces of 20 bytes as it does.
  func write(_ value: [UInt8], pieces: Int = 20) {
    for start in stride(from: 0, to: value.count, by: pieces) {
      notify(bytes("12 0c 00") + value[start..<min(start + pieces, value.count)])
    }
  }

  /// It writes a line of `GB(…)`, in ISO 8859-1.
  func bridge(_ json: String) { write(line("GB(\(json))")) }

  /// The next turn by Gadgetbridge.
  func bridge(_ action: String, _ distance: String, _ text: String) {
    bridge(#"{"t":"nav","instr":"\#(text)","distance":"\#(distance)","action":"\#(action)"}"#)
  }

  /// What Gadgetbridge was told since the link came up: the notifications of the UART, put together.
  var bridged: String {
    String(decoding: bridgedPieces.flatMap { $0 }, as: UTF8.self)
  }

  /// The values of these notifications.
  var bridgedPieces: [[UInt8]] {
    phone.answers.filter { $0.starts(with: [0x04, 0x1B, 0x0E, 0x00]) }.map {
      Array($0.dropFirst(4))
    }
  }
}

extension World {
  var hasTurn: Bool { device.ride.hasTurn }

  /// The way of the ride so far, in millimetres.
  var ridden: Int64 { device.ride.guidance.trip.millimetres }

  var light: PanelPower.Level { device.display.output.level }

  /// The minutes since midnight that the clock has.
  var minutes: Int? { device.phone.clock.minutes(at: now) }
}

/// A line as Gadgetbridge writes it; the text must be of ISO 8859-1.
func line(_ text: String) -> [UInt8] {
  [0x10] + text.unicodeScalars.map { UInt8($0.value) } + [0x0A]
}
