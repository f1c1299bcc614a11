/// The rules of UAX #9 that give each character of an isolating run sequence its direction.
extension BidiLine {
  /// Rules W1 to N2 for the sequence that starts at a character.
  mutating func resolveSequence(from start: Int) {
    let embedding = Self.direction(levels[start])
    let (before, after) = borders(of: start)
    resolveMarks(from: start, before)
    resolveSeparators(from: start)
    resolveTerminators(from: start, before)
    resolveBrackets(from: start, before, embedding)
    resolveNeutrals(from: start, before, after, embedding)
  }

  private static func direction(_ level: UInt8) -> BidiClass { level & 1 == 0 ? .left : .right }

  /// The next character of the sequence.
  ///
  /// `mutating`, like others here: Swift 6.3.1 would copy an array out of a borrowed value.
  private mutating func link(_ index: Int) -> Int? {
    let next = links[index]
    return next == Self.nowhere ? nil : Int(next)
  }

  /// The directions before and after a sequence (X10): those of the higher level at each border.
  private mutating func borders(of start: Int) -> (before: BidiClass, after: BidiClass) {
    var previous = start - 1
    while previous >= 0, classes[previous].isRemoved { previous -= 1 }
    let outer = previous >= 0 ? levels[previous] : level
    var last = start
    while let next = link(last) { last = next }
    var following = last + 1
    while following < count, classes[following].isRemoved { following += 1 }
    // An isolate that nothing ends reaches to the end of the line.
    let isOpen = classes[last].isInitiator
    let beyond = following < count && !isOpen ? levels[following] : level
    let own = levels[start]
    return (Self.direction(max(own, outer)), Self.direction(max(own, beyond)))
  }

  /// Rules W1 to W3: marks, digits after Arabic letters, and Arabic letters.
  private mutating func resolveMarks(from start: Int, _ before: BidiClass) {
    var (previous, strong) = (before, before)
    var next: Int? = start
    while let index = next {
      next = link(index)
      if types[index] == .mark { types[index] = previous }
      let isIsolate = classes[index].isInitiator || classes[index] == .popIsolate
      previous = isIsolate && types[index].isNeutral ? .otherNeutral : types[index]
      switch types[index] {
      case .left, .right: strong = types[index]
      case .arabicLetter:
        strong = .arabicLetter
        types[index] = .right
      case .europeanNumber where strong == .arabicLetter:
        types[index] = .arabicNumber
      default: break
      }
    }
  }

  /// Rule W4: one separator between numbers of one kind.
  private mutating func resolveSeparators(from start: Int) {
    var previous: BidiClass = .otherNeutral
    var next: Int? = start
    while let index = next {
      next = link(index)
      let isSeparator = types[index] == .europeanSeparator || types[index] == .commonSeparator
      if isSeparator, let next, types[next] == previous {
        if previous == .europeanNumber
          || previous == .arabicNumber && types[index] == .commonSeparator
        {
          types[index] = previous
        }
      }
      previous = types[index]
    }
  }

  /// Rules W5 to W7: terminators beside numbers, what separates nothing, and numbers after Latin.
  private mutating func resolveTerminators(from start: Int, _ before: BidiClass) {
    var (previous, strong) = (BidiClass.otherNeutral, before)
    var next: Int? = start
    while let index = next {
      next = link(index)
      if types[index] == .europeanTerminator {
        var end = next
        while let place = end, types[place] == .europeanTerminator { end = link(place) }
        let isNumber =
          previous == .europeanNumber || end.map { types[$0] == .europeanNumber } ?? false
        var place: Int? = index
        while let each = place, types[each] == .europeanTerminator {
          types[each] = isNumber ? .europeanNumber : .otherNeutral
          place = link(each)
        }
      }
      if types[index] == .europeanSeparator || types[index] == .commonSeparator {
        types[index] = .otherNeutral
      }
      previous = types[index]
      if types[index] == .europeanNumber, strong == .left { types[index] = .left }
      if types[index] == .left || types[index] == .right { strong = types[index] }
    }
  }

  // MARK: Brackets

  /// Rule N0.
  private mutating func resolveBrackets(
    from start: Int, _ before: BidiClass, _ embedding: BidiClass
  ) {
    guard pairBrackets(from: start) else { return }
    var context = before
    var next: Int? = start
    while let index = next {
      next = link(index)
      if pairs[index] != Self.nowhere {
        let closing = Int(pairs[index])
        let inside = direction(between: index, and: closing, embedding)
        if let inside {
          let direction = inside == embedding || context == inside ? inside : embedding
          setBracket(index, direction)
          setBracket(closing, direction)
        }
      }
      if let strong = Self.strong(types[index]) { context = strong }
    }
  }

  /// The direction that a character has for the rules of neutral ones.
  private static func strong(_ type: BidiClass) -> BidiClass? {
    switch type {
    case .left: .left
    case .right, .europeanNumber, .arabicNumber: .right
    default: nil
    }
  }

  /// Finds the pairs of brackets (BD16) and returns whether there are any.
  private mutating func pairBrackets(from start: Int) -> Bool {
    var openings = InlineArray<63, UInt16>(repeating: 0)
    var (depth, isFound) = (0, false)
    var next: Int? = start
    while let index = next {
      next = link(index)
      guard types[index] == .otherNeutral, classes[index] == .otherNeutral,
        let mirror = Mirror(of: codes[index])
      else {
        continue
      }
      if mirror.isOpening {
        guard depth < openings.count else { return isFound }
        openings[depth] = UInt16(truncatingIfNeeded: index)
        depth += 1
      } else if mirror.isClosing {
        var place = depth - 1
        while place >= 0, !isPair(codes[Int(openings[place])], codes[index]) { place -= 1 }
        guard place >= 0 else { continue }
        pairs[Int(openings[place])] = UInt16(truncatingIfNeeded: index)
        (depth, isFound) = (place, true)
      }
    }
    return isFound
  }

  /// Whether two brackets are of one pair; the angle brackets of two blocks are the same ones.
  private mutating func isPair(_ opening: UInt32, _ closing: UInt32) -> Bool {
    guard let image = Mirror(of: opening)?.image else { return false }
    return image == closing || image == 0x232A && closing == 0x3009
      || image == 0x3009 && closing == 0x232A
  }

  /// The direction inside brackets: the embedding's if it occurs there, else the other one; `nil` without any.
  private mutating func direction(
    between opening: Int, and closing: Int, _ embedding: BidiClass
  ) -> BidiClass? {
    var found: BidiClass?
    var next = link(opening)
    while let index = next, index != closing {
      next = link(index)
      guard let strong = Self.strong(types[index]) else { continue }
      if strong == embedding { return embedding }
      found = strong
    }
    return found
  }

  /// Gives a bracket and the marks on it a direction.
  private mutating func setBracket(_ index: Int, _ direction: BidiClass) {
    types[index] = direction
    var next = link(index)
    while let mark = next, classes[mark] == .mark {
      types[mark] = direction
      next = link(mark)
    }
  }

  // MARK: Neutral characters

  /// Rules N1 and N2: between equal directions their direction, else the embedding's.
  private mutating func resolveNeutrals(
    from start: Int, _ before: BidiClass, _ after: BidiClass, _ embedding: BidiClass
  ) {
    var leading = before
    var next: Int? = start
    while let index = next {
      next = link(index)
      guard types[index].isNeutral else {
        leading = Self.strong(types[index]) ?? leading
        continue
      }
      var end = next
      while let place = end, types[place].isNeutral { end = link(place) }
      let trailing = end.map { Self.strong(types[$0]) ?? after } ?? after
      let direction = leading == trailing ? leading : embedding
      var place: Int? = index
      while let each = place, types[each].isNeutral {
        types[each] = direction
        place = link(each)
      }
      leading = direction
    }
  }
}
