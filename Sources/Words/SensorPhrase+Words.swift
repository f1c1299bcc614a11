import Bytes

extension Language {
  /// A phrase about sensors in this language, as bytes that can be drawn.
  package subscript(phrase: SensorPhrase) -> Wording {
    @inline(never)  // else a board's file has a copy for each screen
    get {
      var wording = Wording()
      wording.append(text(of: phrase))
      return wording
    }
  }

  /// A phrase about sensors in this language.
  package func text(of phrase: SensorPhrase) -> String {
    switch phrase {
    case .sensors:
      pick("Sensors", de: "Sensoren", fr: "Capteurs", es: "Sensores", it: "Sensori", nl: "Sensoren")
    case .heart:
      pick("Heart", de: "Puls", fr: "Cardio", es: "Pulso", it: "Cardio", nl: "Hartslag|Hart")
    case .cadence:
      pick(
        "Cadence", de: "Kadenz", fr: "Cadence|Cad.", es: "Cadencia|Cad.", it: "Cadenza|Cad.",
        nl: "Cadans")
    case .speed:
      pick(
        "Speed", de: "Tempo", fr: "Vitesse", es: "Velocidad|Vel.", it: "Velocità|Vel.",
        nl: "Snelheid|Snelh.")
    case .power:
      pick(
        "Power", de: "Leistung|Watt", fr: "Puissance|Watts", es: "Potencia|Pot.",
        it: "Potenza|Watt", nl: "Vermogen|Watt")
    case .radar: pick("Radar", de: "Radar", fr: "Radar", es: "Radar", it: "Radar", nl: "Radar")
    case .beats: pick("bpm", de: "bpm", fr: "bpm", es: "ppm", it: "bpm", nl: "bpm")
    case .turns: pick("rpm", de: "U/min|rpm", fr: "tr/min|rpm", es: "rpm", it: "rpm", nl: "rpm")
    case .looking:
      pick(
        "looking…|…", de: "suche…|…", fr: "recherche…|…", es: "buscando…|…", it: "cerco…|…",
        nl: "zoeken…|…")
    case .isReady:
      pick(
        "ready|ok", de: "bereit|ok", fr: "actif|ok", es: "listo|ok", it: "pronto|ok",
        nl: "klaar|ok")
    case .changesAddress:
      pick(
        "changes its address|new address|!", de: "wechselt die Adresse|neue Adresse|!",
        fr: "change d’adresse|adresse\u{A0}?|!", es: "cambia de dirección|cambia dir.|!",
        it: "cambia indirizzo|cambia ind.|!", nl: "wisselt van adres|nieuw adres|!")
    case .noLinkFree:
      pick(
        "no link free|busy|!", de: "kein Platz frei|besetzt|!", fr: "plus de place|pris|!",
        es: "sin sitio libre|ocupado|!", it: "nessun posto|occupato|!",
        nl: "geen plek vrij|bezet|!")
    case .bAddSensor:
      pick(
        "\u{E042} Add a sensor", de: "\u{E042} Sensor hinzufügen",
        fr: "\u{E042} Ajouter un capteur", es: "\u{E042} Añadir un sensor",
        it: "\u{E042} Aggiungi un sensore", nl: "\u{E042} Sensor toevoegen")
    case .bAdd:
      pick(
        "\u{E042} Add|\u{E042} +", de: "\u{E042} Neu|\u{E042} +", fr: "\u{E042} Ajout|\u{E042} +",
        es: "\u{E042} Nuevo|\u{E042} +", it: "\u{E042} Nuovo|\u{E042} +",
        nl: "\u{E042} Nieuw|\u{E042} +")
    case .holdDelete:
      pick(
        "hold: delete|hold: –", de: "lang: löschen|lang: –",
        fr: "long\u{A0}: effacer|long\u{A0}: –", es: "largo: quitar|largo: –",
        it: "lungo: dimentica|lungo: –", nl: "lang: wissen|lang: –")
    case .wearAndSpin:
      pick(
        "Strap on, spin the wheel, radar on|Strap on, spin the wheel",
        de: "Gurt anlegen, Rad drehen, Radar an|Gurt anlegen, Rad drehen",
        fr: "Mets la ceinture cardio, tourne la roue, allume le radar|Ceinture cardio, roue, radar",
        es: "Ponte la banda, gira la rueda, enciende el radar|Banda, rueda, radar",
        it: "Metti la fascia, gira la ruota, accendi il radar|Fascia, ruota, radar",
        nl: "Doe de band om, draai het wiel, zet de radar aan|Band, wiel, radar")
    case .nothingFound:
      pick(
        "Nothing found|Nothing", de: "Nichts gefunden|Nichts da", fr: "Rien trouvé|Rien",
        es: "Nada cerca|Nada", it: "Non trovato|Niente", nl: "Niets gevonden|Niets")
    case .howToWake:
      pick(
        "Moisten the strap, spin the wheel, switch the radar on",
        de: "Gurt anfeuchten, Rad drehen, Radar einschalten",
        fr: "Humidifie la ceinture, tourne la roue, allume le radar",
        es: "Humedece la banda, gira la rueda, enciende el radar",
        it: "Bagna la fascia, gira la ruota, accendi il radar",
        nl: "Maak de band nat, draai het wiel, zet de radar aan")
    case .wakeSensor:
      pick(
        "Wake the sensor", de: "Weck den Sensor", fr: "Active le capteur|Active-le",
        es: "Activa el sensor", it: "Attiva il sensore", nl: "Activeer de sensor")
    case .putStrapOn:
      pick(
        "Put the strap on", de: "Leg den Gurt an", fr: "Mets la ceinture cardio|Mets la ceinture",
        es: "Ponte la banda", it: "Metti la fascia", nl: "Doe de band om")
    case .spinWheel:
      pick(
        "Spin the wheel or the crank|Spin the wheel", de: "Dreh Rad oder Kurbel|Dreh das Rad",
        fr: "Tourne la roue ou les pédales|Tourne la roue",
        es: "Gira la rueda o mueve los pedales|Gira la rueda",
        it: "Gira la ruota o i pedali|Gira la ruota",
        nl: "Draai het wiel of de trappers|Draai het wiel")
    case .turnCrank:
      pick(
        "Turn the crank", de: "Dreh die Kurbel", fr: "Tourne les pédales", es: "Mueve los pedales",
        it: "Gira i pedali", nl: "Draai de trappers")
    case .isYours:
      pick(
        "Is % yours?|Yours?", de: "Gehört dir %?|Deins?", fr: "% est à toi\u{A0}?|À toi\u{A0}?",
        es: "¿Es tuyo %?|¿Tuyo?", it: "% è tuo?|Tuo?", nl: "Is % van jou?|Van jou?")
    case .wantsToPairAgain:
      pick(
        "% wants to pair again|Pair again?|Pair?",
        de: "% will sich neu koppeln|Neu koppeln?|Koppeln?",
        fr: "% veut s’associer à nouveau|Réassocier\u{A0}?|Lier\u{A0}?",
        es: "% quiere vincularse de nuevo|¿Vincular de nuevo?|¿Vincular?",
        it: "% vuole abbinarsi di nuovo|Abbinare di nuovo?|Abbinare?",
        nl: "% wil opnieuw koppelen|Opnieuw koppelen?|Koppelen?")
    case .aKeep:
      pick(
        "\u{E041} Keep|\u{E041}✓", de: "\u{E041} Nimm|\u{E041}✓",
        fr: "\u{E041} Garder|\u{E041}✓", es: "\u{E041} Elegir|\u{E041}✓",
        it: "\u{E041} Tieni|\u{E041}✓", nl: "\u{E041} Neem|\u{E041}✓")
    case .bNext:
      pick(
        "\u{E042} Next|\u{E042}›", de: "\u{E042} Weiter|\u{E042}›",
        fr: "\u{E042} Suite|\u{E042}›", es: "\u{E042} Otro|\u{E042}›",
        it: "\u{E042} Altro|\u{E042}›", nl: "\u{E042} Ander|\u{E042}›")
    case .oneVehicle:
      pick("1 car", de: "1 Auto", fr: "1 voiture|1 auto", es: "1 coche", it: "1 auto", nl: "1 auto")
    case .vehicles:
      pick(
        "% cars", de: "% Autos", fr: "% voitures|% autos", es: "% coches", it: "% auto",
        nl: "% auto’s")
    case .noVehicles:
      pick(
        "0 cars", de: "0 Autos", fr: "0 voiture|0 auto", es: "0 coches", it: "0 auto",
        nl: "0 auto’s")
    case .keepHoldingToForgetAll:
      pick(
        "Keep holding to forget the sensors|the sensors|sensors",
        de: "Weiter halten, um die Sensoren zu vergessen|die Sensoren|Sensoren",
        fr: "Maintiens pour oublier les capteurs|les capteurs|capteurs",
        es: "Sigue pulsando para olvidar los sensores|los sensores|sensores",
        it: "Continua a premere per dimenticare i sensori|i sensori|sensori",
        nl: "Houd vast om de sensoren te vergeten|de sensoren|sensoren")
    case .areForgotten:
      pick(
        "forgotten", de: "vergessen|gelöscht", fr: "oubliés", es: "olvidados",
        it: "dimenticati|via", nl: "vergeten|gewist")
    case .battery:
      pick("Battery", de: "Batterie", fr: "Pile", es: "Pila", it: "Batteria", nl: "Batterij")
    }
  }
}

/// A text of the panel about sensors; `Language` has it in each language, as it has a `Phrase`.
///
/// `%` is the place of a sensor's name or of a number.
package enum SensorPhrase: UInt8, Sendable {
  /// All of them, and each kind.
  case sensors, heart, cadence, speed, power, radar
  /// Units: beats and turns a minute.
  case beats, turns
  /// How a sensor is.
  case looking, isReady, changesAddress, noLinkFree
  /// The buttons on the page of the sensors.
  case bAddSensor, bAdd, holdDelete
  /// Looking for a sensor.
  case wearAndSpin, nothingFound, howToWake, wakeSensor
  /// How to make a sensor send something.
  case putStrapOn, spinWheel, turnCrank
  /// Whether a sensor is the rider's.
  case isYours, wantsToPairAgain, aKeep, bNext, oneVehicle, vehicles, noVehicles
  /// Forgetting, and the battery.
  case keepHoldingToForgetAll, areForgotten, battery

  /// How many phrases there are; their raw values are 0..<count.
  package static var count: UInt8 { battery.rawValue + 1 }
}
