import Expecting
import Graphics
import Panel
import PanelModel
import TestSupport

/// Where the SSD1309 differs from the SSD1306.
@Suite struct SSD1309ModelTests {
  /// Its module makes the voltage of the pixels.
  @Test func itShowsWithoutAChargePump() {
    var model = PanelModel(.ssd1309x128x64)
    model.receive("00 AF")
    expect(model.isOn, true)
  }

  @Test func whileItIsLockedItTakesNoCommandButTheOneThatUnlocksIt() {
    var model = PanelModel(.ssd1309x128x64)
    model.receive("00 FD 16 AF 81 05")
    let (isOn, contrast) = (model.isOn, model.contrast)
    expect(!isOn && contrast == 0x7F)
    model.receive("00 FD 12 AF 81 05")
    let (isOnThen, contrastThen) = (model.isOn, model.contrast)
    expect(isOnThen && contrastThen == 5)
    expect(model.faults, 0)
  }
}
