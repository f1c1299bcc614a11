/// The words that OsmAnd's voice puts around a street in one language; each text is a list of words.
///
/// Read in the scripts of OsmAnd-resources (`voice/en/en_tts.js` and so on), of 2021 to 2025. Case
/// matters: "Exit Road" is a street, "exit 12" is not.
struct SpokenLanguage {
  /// The first letters of all texts below that may begin a sentence: most streets need no further check.
  let initials: String
  /// The words that begin the sentence of a turn.
  let beginnings: String
  /// Those of `beginnings` that precede a distance, which ends before another beginning or one of `actions`.
  let distances: String
  /// The other words that may follow a distance.
  let actions: String
  /// The last word before the preposition; without a preposition it ends the sentence.
  let directions: String
  /// Those of `directions` that have the number of an exit before or after them.
  let exits: String
  let roundabout: String
  /// The words between a direction and the street.
  let prepositions: String
  /// The beginning of a sentence that says the way to the next turn, but not its direction.
  let ahead: String
  /// The last word before the preposition of such a sentence; empty for any word.
  let aheadDirections: String
  let aheadPrepositions: String
  /// The words between the street and a place.
  let toward: String
  /// Another such word, which counts only after the number of a road.
  let towardBehindNumber: String
  /// The articles between preposition and street; a missing article leaves its blank.
  let articles: String
  /// The beginnings of sentences about anything but a turn, `|` between them, with `#` for any digit.
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
