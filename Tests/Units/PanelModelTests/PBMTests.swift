import Bytes
import Expecting
import Graphics
import PanelModel
import TestSupport

@Suite struct PBMTests {
  @Test func aPictureIsAHeaderAndRowsFromTheTop() {
    var bitmap = Bitmap(Size(16, 8))
    bitmap[0, 0] = true
    bitmap[9, 0] = true
    bitmap[15, 7] = true
    var file = FixedBuffer<64>()
    PBM.append(bitmap, to: &file)
    let bytes = array(file.bytes)
    var rows = [UInt8](repeating: 0, count: 16)
    (rows[0], rows[1], rows[15]) = (0x80, 0x40, 0x01)
    expect(bytes, Array("P4\n16 8\n".utf8) + rows)
  }

  @Test func aWidthThatIsNoMultipleOfEightIsPadded() {
    var bitmap = Bitmap(Size(9, 1))
    bitmap[8, 0] = true
    var file = FixedBuffer<64>()
    PBM.append(bitmap, to: &file)
    expect(array(file.bytes), Array("P4\n9 1\n".utf8) + [0x00, 0x80])
  }

  @Test func theLargestPictureHas2059Bytes() {
    var file = FixedBuffer<3_000>()
    PBM.append(Bitmap(Size(128, 128)), to: &file)
    expect(file.count, 2_059)
  }
}
