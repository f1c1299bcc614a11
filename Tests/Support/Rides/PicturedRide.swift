import BoardFile
import Bytes
import Foundation
import Graphics
import PanelModel
import TestSupport
import VirtualDevice

/// `Rides pictures FOLDER [KEY=VALUE ...]`: the device rides in virtual time, and leaves what the glass showed.
///
/// Standard input has the ride, a JSON array of objects with `milliseconds`, `direction`, `distance` and `street`.
/// The folder, which is there, gets a `frame-000001.pbm` for each picture and `events.jsonl`, whose events `frame`
/// tell when. An iPhone says it all, with nothing to wait for; the last instruction stays for five seconds.
enum PicturedRide {
  private struct Step: Decodable {
    let milliseconds: Int64
    let direction: UInt8
    let distance: UInt32
    let street: String
  }

  /// Milliseconds from the start to the phone, from there to the ride, and from its last step to the end.
  private static let (alone, ready, end): (Int64, Int64, Int64) = (500, 1_000, 5_000)

  static func play(_ arguments: [String]) throws {
    guard let folder = arguments.first else {
      complain("usage: Rides pictures FOLDER [KEY=VALUE ...] <ride.json\n")
      exit(64)
    }
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let steps = try JSONDecoder().decode([Step].self, from: input)
    do {
      try ride(steps, Array(arguments.dropFirst()), to: URL(filePath: folder))
    } catch let error as BoardError {
      var text = FixedBuffer<1024>()
      error.write(file: Span(), to: &text)
      complain(String(decoding: array(text.bytes), as: UTF8.self))
      exit(64)
    }
  }

  private static func ride(_ steps: [Step], _ settings: [String], to folder: URL) throws {
    let world = try World(settings, boots: false)
    PhoneKind.ios.apply(to: world.phone)
    var pictures: [Data] = []
    world.onPicture = { [unowned world] in pictures.append(glass(of: world)) }
    world.pass(alone)
    world.advertise()
    world.pass(ready)
    try world.ride(
      steps.map {
        RecordedRide.Row(
          time: $0.milliseconds, direction: $0.direction, distance: $0.distance, street: $0.street)
      })
    world.pass(end)
    for (index, picture) in pictures.enumerated() {
      let name = String(format: "frame-%06d.pbm", index + 1)
      try picture.write(to: folder.appending(path: name))
    }
    let lines = world.events.map { $0.line + "\n" }.joined()
    try Data(lines.utf8).write(to: folder.appending(path: "events.jsonl"))
  }

  private static func glass(of world: World) -> Data {
    var bitmap = Bitmap(world.panel.kind.size)
    world.panel.updateGlass(&bitmap)
    var file = FixedBuffer<2059>()
    PBM.append(bitmap, to: &file)
    return Data(array(file.bytes))
  }
}
