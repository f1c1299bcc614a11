import Graphics
import Panel
import PanelModel

/// All panels.
let panelKinds = (0..<UInt8(PanelKind.count)).compactMap(PanelKind.init)

/// Pictures and bus faults: once messages arrive again, the glass is the picture.
func runDisplay(_ feed: inout Feed) {
  let kind = feed.pick(panelKinds)
  let rotation = feed.pick([Rotation.noTurn, .quarterTurn, .halfTurn, .threeQuarterTurn])
  let updates = feed.pick([Updates.changes, .pages, .whole])
  var driver = PanelDriver(kind, rotation: rotation, updates: updates, contrast: 0x7F)
  var model = PanelModel(kind)
  var wanted = Bitmap(kind.pictureSize(rotation))
  reach("\(kind.name) \(updates)")
  while !feed.isEmpty {
    switch feed.u8() % 8 {
    case 0, 1, 2:
      let origin = Point(Int(Int8(bitPattern: feed.u8())), Int(Int8(bitPattern: feed.u8())))
      wanted.fill(origin, Size(Int(feed.u8()), Int(feed.u8())), lit: feed.bool())
    case 3: wanted.invert(wanted.bounds)
    case 4: driver.refresh()
    case 5:
      model = PanelModel(kind)  // the panel loses its power
      driver.invalidate()
    case 6:
      lose(&driver, &model, after: Int(feed.u8()), wanted)
      continue
    default: driver.setDim(feed.bool())
    }
    _ = driver.show(wanted)
    send(&driver, &model)
    compare(model, wanted, rotation)
  }
}

private func send(_ driver: inout PanelDriver, _ model: inout PanelModel) {
  var count = 0
  while !driver.message.isEmpty {
    model.receive(driver.message)
    driver.messageWasSent()
    count += 1
    if count > 500 { finding("a picture of more than 500 messages") }
  }
}

/// Some messages arrive, one is cut, and the caller knows nothing of how far it came.
private func lose(
  _ driver: inout PanelDriver, _ model: inout PanelModel, after count: Int,
  _ wanted: borrowing Bitmap
) {
  _ = driver.show(wanted)
  var left = count % 16
  while !driver.message.isEmpty, left > 0 {
    model.receive(driver.message)
    driver.messageWasSent()
    left -= 1
  }
  if !driver.message.isEmpty {
    let arrived = count % driver.message.count
    model.receive(driver.message.extracting(first: arrived))
  }
  driver.invalidate()
  reach("fault")
}

private func compare(
  _ model: borrowing PanelModel, _ wanted: borrowing Bitmap, _ rotation: Rotation
) {
  var glass = Bitmap(model.kind.size)
  model.updateGlass(&glass)
  let (right, bottom) = (glass.size.width - 1, glass.size.height - 1)
  for y in 0..<wanted.size.height {
    for x in 0..<wanted.size.width {
      let seen =
        switch rotation {
        case .noTurn: glass[x, y]
        case .quarterTurn: glass[right - y, x]
        case .halfTurn: glass[right - x, bottom - y]
        case .threeQuarterTurn: glass[y, bottom - x]
        }
      if seen != wanted[x, y] { finding("pixel \(x) of row \(y) is another one on the glass") }
    }
  }
}
