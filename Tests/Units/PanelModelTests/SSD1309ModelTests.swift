import Graphics
import Panel
import PanelModel
import TestSupport
import Testing

/// Where the SSD1309 differs from the SSD1306.
@Suite struct SSD1309ModelTests {
  private func send(_ text: String, _ model: inout PanelModel) {
    let message = bytes(text)
    model.receive(message.span)
  }

  /// Its module makes the voltage of the pixels.
  @Test func itShowsWithoutAChargePump() {
    var model = PanelModel(.ssd1309x128x64)
    send("00 AF", &model)
    let isOn = model.isOn
    #expect(isOn)
  }

  @Test(arguments: ["00 8D 14", "00 AD 30"])
  func itKnowsNeitherAChargePumpNorAReference(_ message: String) {
    var model = PanelModel(.ssd1309x128x64)
    send(message, &model)
    let faults = model.faults
    #expect(faults > 0)
  }

  @Test func whileItIsLockedItTakesNoCommandButTheOneThatUnlocksIt() {
    var model = PanelModel(.ssd1309x128x64)
    send("00 FD 16 AF 81 05", &model)
    let (isOn, contrast) = (model.isOn, model.contrast)
    #expect(!isOn && contrast == 0x7F)
    send("00 FD 12 AF 81 05", &model)
    let (isOnThen, contrastThen) = (model.isOn, model.contrast)
    #expect(isOnThen && contrastThen == 5)
    let faults = model.faults
    #expect(faults == 0)
  }
}
