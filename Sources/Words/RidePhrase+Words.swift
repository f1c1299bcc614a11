extension Language {
  /// A phrase about the whole ride, music or a call in this language; empty for all others.
  func rideText(of phrase: Phrase) -> String {
    switch phrase {
    case .arrived:
      pick("Arrived", de: "Am Ziel", fr: "Arrivé", es: "Llegada", it: "Arrivato", nl: "Je bent er")
    case .noRide:
      pick(
        "No ride yet|No ride", de: "Noch keine Fahrt|Keine Fahrt",
        fr: "Pas encore de trajet|Aucun trajet", es: "Aún sin tour|Sin tour",
        it: "Ancora nessun giro|Nessun giro", nl: "Nog geen rit|Geen rit")
    case .pause: pick("Pause", de: "Pause", fr: "Pause", es: "Pausa", it: "Pausa", nl: "Pauze")
    case .average: pick("avg", de: "Ø", fr: "moy.", es: "med.", it: "med.", nl: "gem.")
    case .atHome:
      pick(
        "At home|Home", de: "Zu Hause", fr: "À la maison|Chez toi", es: "En casa|Casa",
        it: "A casa|Casa", nl: "Thuis")
    case .ownBattery:
      pick(
        "Lenker’s battery|Battery", de: "Lenkers Akku|Akku", fr: "Batterie de Lenker|Batterie",
        es: "Batería de Lenker|Batería", it: "Batteria di Lenker|Batteria",
        nl: "Accu van Lenker|Accu")
    case .music: pick("Music", de: "Musik", fr: "Musique", es: "Música", it: "Musica", nl: "Muziek")
    case .nothingPlays:
      pick(
        "Nothing playing|Nothing", de: "Es läuft nichts|Nichts", fr: "Aucune lecture|Rien",
        es: "No suena nada|Nada", it: "Nessun brano|Niente", nl: "Er speelt niets|Niets")
    case .nextOrPause:
      pick(
        "\u{E042} Next, 1\u{A0}s: pause|\u{E042} Next",
        de: "\u{E042} Weiter, 1\u{A0}s: Pause|\u{E042} Weiter",
        fr: "\u{E042} Suite, 1\u{A0}s\u{A0}: pause|\u{E042} Suite",
        es: "\u{E042} Otro, 1\u{A0}s: pausa|\u{E042} Otro",
        it: "\u{E042} Altro, 1\u{A0}s: pausa|\u{E042} Altro",
        nl: "\u{E042} Ander, 1\u{A0}s: pauze|\u{E042} Ander")
    case .call: pick("Call", de: "Anruf", fr: "Appel", es: "Llamada", it: "Chiamata", nl: "Oproep")
    default: ""
    }
  }
}
