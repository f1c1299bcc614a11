import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// Objects in lines of JavaScript.
struct ScriptObjectTests {
  /// The same as JavaScript has it.
  @Test(arguments: [
    #"GB({t:"nav",distance:"7m"})"#, #"GB({$_aZz9:1,_:2,$:3,t:"nav",distance:"7m"})"#,
    #"GB( { "t" : "nav" , "distance" : "7m" } ) ; "#,
    #"GB({"distance":"7m","t":"nav"})"#,
    #"GB({"t":"x","distance":"9m","t":"nav","distance":"7m"})"#,
    #"GB({"\x74":"nav","distanc\u0065":"7m"})"#, #"GB({"t":"nav","distance":"7m","$_a1":1,a2:2})"#,
    #"GB({"t":atob("bmF2"),"distance":atob("N20=")})"#, "GB({\"t\":\"nav\",\"distance\":\"7m\"})\r",
    #"GB({"t":"nav","distance":"7m","x":{"t":"find","distance":"9m","y":[[1],{},"]})"]},"z":[]})"#,
    #"GB({"t":"nav","distance":7,"instr":null,"a":[null,true,false,-1.5e3,NaN,Infinity,-Infinity]})"#,
  ])
  func oneObjectMayBeWrittenInManyWays(_ line: String) {
    expect(Heard(line), .turn(.unknown(255), 7, ""))
  }

  @Test(arguments: [
    "GB(", "GB()", "GB({", "GB({})x", "GB({}", "GB({}))", "GB({},{})", "GB([])", "GB(1)",
    #"GB({"t"})"#,
    #"GB({"t":})"#, #"GB({"t":"nav",})"#, #"GB({,"t":"nav"})"#, #"GB({"t":"nav""a":1})"#,
    #"GB({"t" "nav"})"#,
    #"GB({"t":"nav"]) "#, #"GB({"t":"nav","a":[1,]})"#, #"GB({"t":"nav","a":[,1]})"#, #"GB({1:2})"#,
    #"GB({t-:1})"#, #"GB({t`:1})"#, #"GB({t#:1})"#, #"GB({9a:1})"#, #"GB({t@:1})"#, #"GB({[:1})"#,
    #"GB({t{:1})"#, #"GB({"t":"nav"});GB({})"#, #"GB({["t"]:"nav"})"#, #"GB({...a})"#,
    #"GB({"a":[1 2]})"#,
    "GB({\"t\":\"nav\"}\0)", #"GB({"t":"nav"});;"#,
  ])
  func whatIsNoObjectOfLiteralsIsUnreadable(_ line: String) { expect(Heard(line), .unreadable) }

  @Test(arguments: 1...200) func objectsAndListsAreFourDeepAtMost(_ depth: Int) {
    let inner = depth - 1
    let lists = String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
    let objects =
      String(repeating: #"{"a":"#, count: inner) + "1" + String(repeating: "}", count: inner)
    let expected = depth <= 4 ? Heard.over : .unreadable
    expect(Heard("GB({\"t\":\"nav\",\"x\":\(inner == 0 ? "1" : lists)})"), expected)
    expect(Heard("GB({\"t\":\"nav\",\"x\":\(objects)})"), expected)
  }

  /// Brackets that are never closed, and others alone.
  @Test(arguments: ["[", "{\"a\":", "]", "}", "(", ")", "[[{", "}])"])
  func bracketsAloneAreUnreadable(_ bracket: String) {
    for prefix in ["GB(", "GB({\"a\":", "GB({\"t\":\"nav\",\"a\":"] {
      let line = prefix + String(repeating: bracket, count: 1_000 / bracket.utf8.count)
      expect(Heard(String(line.prefix(1_024))), .unreadable)
    }
  }

  @Test(arguments: everyKind.indices) func noPrefixOfALineIsTakenForTheWhole(_ index: Int) {
    let line = everyKind[index].0
    for count in 0..<line.unicodeScalars.count {
      let meaning = Heard(String(line.prefix(count)))
      // What follows the zone is for watches.
      let isOther = count < 8 && meaning == .other
      expect(
        isOther || meaning == .unreadable || meaning == everyKind[index].1 && count > 30, "\(count)"
      )
      if line.hasPrefix("GB(") { expect(isOther || meaning == .unreadable, "\(count)") }
    }
  }

  @Test(arguments: everyKind.indices) func aFlippedBitIsReadOrNot(_ index: Int) {
    let line = latin1(everyKind[index].0)
    for bit in 0..<line.count * 8 {
      var flipped = line
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = Heard(flipped.span)
    }
  }
}
