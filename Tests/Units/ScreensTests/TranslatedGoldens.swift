import TestSupport
import Words

extension Golden {
  /// In which languages the large panel has a picture of this screen, too.
  ///
  /// Those of which a text is so much longer or shorter than the English one that it stands there in
  /// another of its forms, in another font, on another number of lines, or not at all. That each word
  /// of each language is seen whole on each panel is what `LanguageTests` and `SensorLanguageTests`
  /// find.
  var languagesLaidOutOtherwise: [Language] {
    let english = draw(on: .large)
    let said = PanelText.said(in: WordGlass(english))
    let pixels = Pixels(english)
    return languages.dropFirst().filter { language in
      let translated = draw(on: .large, in: language)
      let glass = WordGlass(translated)
      let texts = PanelText.all[Int(language.rawValue)]
      return Pixels(translated) != pixels
        && said.contains { number, layout in
          texts[number].hasWords && layout != WordLayout(of: texts[number], in: glass)
        }
    }
  }
}
