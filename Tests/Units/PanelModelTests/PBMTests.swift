import Bytes
import Expecting
import Graphics
import PanelModel
import TestSupport

struct PBMTests {
  private func file(_ bitmap: borrowing Bitmap) -> [UInt8] {
    var file = FixedBuffer<3_000>()
    PBM.append(bitmap, to: &file)
    return array(file.bytes)
  }

  @Test func aPictureIsAHeaderAndRowsFromTheTop() {
    var bitmap = Bitmap(Size(16, 8))
    for (x, y) in [(0, 0), (9, 0), (15, 7)] { bitmap[x, y] = true }
    var rows = [UInt8](repeating: 0, count: 16)
    (rows[0], rows[1], rows[15]) = (0x80, 0x40, 0x01)
    expect(file(bitmap), Array("P4\n16 8\n".utf8) + rows)
    expect(file(Bitmap(Size(128, 128))).count, 2_059, "the largest")
  }

  @Test func aWidthThatIsNoMultipleOfEightIsPadded() {
    var bitmap = Bitmap(Size(9, 1))
    bitmap[8, 0] = true
    expect(file(bitmap), Array("P4\n9 1\n".utf8) + [0x00, 0x80])
  }
}
