/// The words of a language that OsmAnd's voice has around a street; each text is a list of words.
///
/// Read in the scripts of OsmAnd-resources (`voice/en/en_tts.js` and so on), of 2021 to 2025. Letters of another case
/// are other words: so "Exit Road" is a street, and "exit 12" is none.
struct SpokenLanguage {
  /// The first byte of each text below that may begin a sentence: most streets need no other look.
  let initials: String
  /// What the sentence of a turn begins with.
  let beginnings: String
  /// What of that says the distance, up to one of the others or of `actions`.
  let distances: String
  /// What follows a distance, where that is no beginning.
  let actions: String
  /// The last word before the preposition; without one it ends what is said of the turn.
  let directions: String
  /// Those of these after which the number of an exit was said, or comes.
  let exits: String
  let roundabout: String
  /// What is between a direction and the street.
  let prepositions: String
  /// The beginning of a sentence that says the way to the next turn, and not its direction.
  let ahead: String
  /// The last word before its preposition; empty for any word.
  let aheadDirections: String
  let aheadPrepositions: String
  /// What is between the street and a place.
  let toward: String
  /// Another one, between the number of a road and a place.
  let towardBehindNumber: String
  /// What may be between preposition and street; where there is none, its blank is.
  let articles: String
  /// The beginnings of all that is said of no turn, with `#` for any digit.
  let asides: String

  static var count: Int { 6 }

  static subscript(_ index: Int) -> SpokenLanguage {
    switch index {
    case 0: english
    case 1: german
    case 2: french
    case 3: spanish
    case 4: italian
    default: dutch
    }
  }

  private static var english: SpokenLanguage {
    SpokenLanguage(
      initials: "iatkmGCAsYgTRW,",
      beginnings: "in after turn keep make take Go", distances: "in after", actions: "enter",
      directions: "left right turn exit ahead", exits: "exit", roundabout: "roundabout",
      prepositions: "onto on", ahead: "Continue for ", aheadDirections: "",
      aheadPrepositions: "to on", toward: "toward towards", towardBehindNumber: "", articles: "",
      asides: """
        Attention,|speed limit |You have |You are |g p s signal |The trip is |Route recalculated,|When possible,\
        |and arrive at |and pass |, then
        """)
  }

  private static var german: SpokenLanguage {
    SpokenLanguage(
      initials: "nlrsDwBWATSRGZd,",
      beginnings: "nach links rechts scharf leicht Demnächst nehmen wenden Bitte Weiter",
      distances: "nach Demnächst", actions: "in einbiegen",
      directions: "abbiegen einordnen wenden Ausfahrt raus weiterfahren geradeaus",
      exits: "Ausfahrt", roundabout: "Kreisverkehr", prepositions: "auf",
      ahead: "Dem Strassenverlauf ", aheadDirections: "folgen", aheadPrepositions: "bis auf",
      toward: "Richtung", towardBehindNumber: "", articles: "die den zur zum",
      asides: """
        Achtung,|Tempolimit |Sie weichen |Sie sind |Sie passieren |Die berechnete Strecke |Route neu berechnet,\
        |GPS Signal |Wenn möglich,|Ziel |Zwischenziel |dann haben Sie |dann passieren Sie |links halten\
        |rechts halten|, dann
        """)
  }

  private static var french: SpokenLanguage {
    SpokenLanguage(
      initials: "àdtrpfcalvsie,",
      beginnings: "à dans tournez restez prenez faites continuez", distances: "à dans",
      actions: "entrez", directions: "gauche droite demi-tour sortie droit", exits: "sortie",
      roundabout: "rond-point", prepositions: "sur", ahead: "continuez pendant ",
      aheadDirections: "", aheadPrepositions: "vers sur", toward: "vers", towardBehindNumber: "",
      articles: "",
      asides: """
        attention,|limite de vitesse |vous êtes |vous avez |signal satellite |l'itinéraire |itinéraire recalculé\
        |dès que possible,|préparez vous |et arrivez |serrez à |, puis
        """)
  }

  private static var spanish: SpokenLanguage {
    SpokenLanguage(
      initials: "egmtDCalhsRy,",
      beginnings: "en gira mantente toma Da Continúa", distances: "en", actions: "entra",
      directions: "izquierda derecha vuelta salida recto", exits: "salida dirección",
      roundabout: "rotonda", prepositions: "en", ahead: "Continúa por ", aheadDirections: "",
      aheadPrepositions: "hacia en", toward: "hacia", towardBehindNumber: "", articles: "",
      asides: """
        atención,|límite de velocidad |has llegado |has retomado |te has desviado |estás pasando |señal GPS \
        |Ruta de #|Ruta de aproximadamente |Ruta de una |Ruta recalculada:|Cuando puedas,|y llegarás |y pasarás \
        |, luego
        """)
  }

  private static var italian: SpokenLanguage {
    SpokenLanguage(
      initials: "fgcptSPALIRQea,",
      beginnings: "fra girate continuate prendete tornate Si Proseguite", distances: "fra",
      actions: "entrate", directions: "sinistra destra indietro uscita dritto", exits: "uscita",
      roundabout: "rotonda", prepositions: "su in", ahead: "Seguite la strada per ",
      aheadDirections: "", aheadPrepositions: "a in", toward: "verso", towardBehindNumber: "",
      articles: "",
      asides: """
        Attenzione,|Limite di velocità |Siete tornati |Avete deviato |Segnale g p s |Il percorso calcolato \
        |Ricalcolo percorso |Quando possibile,|e sarete arrivati |e arriveremo |e arriverete |arrivati a\
        |preferito raggiunto|P D I raggiunto|tenetevi sulla |, poi
        """)
  }

  private static var dutch: SpokenLanguage {
    SpokenLanguage(
      initials: "NlrsnkoDmjdeGgAIu,",
      beginnings: "Na links rechts scherpe Neem neem keer omkeren Deze", distances: "Na",
      actions: "de", directions: "afslaan afbuigen links rechts aanhouden omkeren om afslag volgen",
      exits: "afslag", roundabout: "rotonde", prepositions: "naar", ahead: "De weg ",
      aheadDirections: "volgen", aheadPrepositions: "naar", toward: "richting",
      towardBehindNumber: "naar", articles: "",
      asides: """
        let op|maximumsnelheid |je bent |je hebt |dan heb je |en dan heb je |G P S |g p s signaal \
        |De berekende afstand |Nieuwe afstand |Afstand is opnieuw |Indien mogelijk,|undefined |, dan
        """)
  }
}
