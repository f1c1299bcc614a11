import Bytes

extension Language {
  /// A phrase about sensors in this language, as bytes that can be drawn.
  package subscript(phrase: SensorPhrase) -> Wording {
    @inline(never)  // one copy
    get {
      var wording = Wording()
      wording.append(text(of: phrase))
      return wording
    }
  }

  /// A phrase about sensors in this language.
  package func text(of phrase: SensorPhrase) -> String {
    switch phrase {
    case .sensors: pick("Sensors", "Sensoren", "Capteurs", "Sensores", "Sensori", "Sensoren")
    case .heart: pick("Heart", "Puls", "Cardio", "Pulso", "Cardio", "Hartslag|Hart")
    case .cadence:
      pick("Cadence", "Kadenz", "Cadence|Cad.", "Cadencia|Cad.", "Cadenza|Cad.", "Cadans")
    case .speed:
      pick("Speed", "Tempo", "Vitesse", "Velocidad|Vel.", "Velocità|Vel.", "Snelheid|Snelh.")
    case .power:
      pick(
        "Power", "Leistung|Watt", "Puissance|Watts", "Potencia|Pot.", "Potenza|Watt",
        "Vermogen|Watt")
    case .radar: pick("Radar", "Radar", "Radar", "Radar", "Radar", "Radar")
    case .beats: pick("bpm", "bpm", "bpm", "ppm", "bpm", "bpm")
    case .turns: pick("rpm", "U/min|rpm", "tr/min|rpm", "rpm", "rpm", "rpm")
    case .looking:
      pick("looking…|…", "suche…|…", "recherche…|…", "buscando…|…", "cerco…|…", "zoeken…|…")
    case .isReady: pick("ready|ok", "bereit|ok", "actif|ok", "listo|ok", "pronto|ok", "klaar|ok")
    case .changesAddress:
      pick(
        "changes its address|new address|!", "wechselt die Adresse|neue Adresse|!",
        "change d’adresse|adresse\u{A0}?|!", "cambia de dirección|cambia dir.|!",
        "cambia indirizzo|cambia ind.|!", "wisselt van adres|nieuw adres|!")
    case .noLinkFree:
      pick(
        "no link free|busy|!", "kein Platz frei|besetzt|!", "plus de place|pris|!",
        "sin sitio libre|ocupado|!", "nessun posto|occupato|!", "geen plek vrij|bezet|!")
    case .bAddSensor:
      pick(
        "\u{E042} Add a sensor", "\u{E042} Sensor hinzufügen", "\u{E042} Ajouter un capteur",
        "\u{E042} Añadir un sensor", "\u{E042} Aggiungi un sensore", "\u{E042} Sensor toevoegen")
    case .bAdd:
      pick(
        "\u{E042} Add|\u{E042} +", "\u{E042} Neu|\u{E042} +", "\u{E042} Ajout|\u{E042} +",
        "\u{E042} Nuevo|\u{E042} +", "\u{E042} Nuovo|\u{E042} +", "\u{E042} Nieuw|\u{E042} +")
    case .holdDelete:
      pick(
        "hold: delete|hold: –", "lang: löschen|lang: –", "long\u{A0}: effacer|long\u{A0}: –",
        "largo: quitar|largo: –", "lungo: dimentica|lungo: –", "lang: wissen|lang: –")
    case .wearAndSpin:
      pick(
        "Strap on, spin the wheel, radar on|Strap on, spin the wheel",
        "Gurt anlegen, Rad drehen, Radar an|Gurt anlegen, Rad drehen",
        "Mets la ceinture cardio, tourne la roue, allume le radar|Ceinture cardio, roue, radar",
        "Ponte la banda, gira la rueda, enciende el radar|Banda, rueda, radar",
        "Metti la fascia, gira la ruota, accendi il radar|Fascia, ruota, radar",
        "Doe de band om, draai het wiel, zet de radar aan|Band, wiel, radar")
    case .nothingFound:
      pick(
        "Nothing found|Nothing", "Nichts gefunden|Nichts da", "Rien trouvé|Rien", "Nada cerca|Nada",
        "Non trovato|Niente", "Niets gevonden|Niets")
    case .howToWake:
      pick(
        "Moisten the strap, spin the wheel, switch the radar on",
        "Gurt anfeuchten, Rad drehen, Radar einschalten",
        "Humidifie la ceinture, tourne la roue, allume le radar",
        "Humedece la banda, gira la rueda, enciende el radar",
        "Bagna la fascia, gira la ruota, accendi il radar",
        "Maak de band nat, draai het wiel, zet de radar aan")
    case .wakeSensor:
      pick(
        "Wake the sensor", "Weck den Sensor", "Active le capteur|Active-le", "Activa el sensor",
        "Attiva il sensore", "Activeer de sensor")
    case .putStrapOn:
      pick(
        "Put the strap on", "Leg den Gurt an", "Mets la ceinture cardio|Mets la ceinture",
        "Ponte la banda", "Metti la fascia", "Doe de band om")
    case .spinWheel:
      pick(
        "Spin the wheel or the crank|Spin the wheel", "Dreh Rad oder Kurbel|Dreh das Rad",
        "Tourne la roue ou les pédales|Tourne la roue",
        "Gira la rueda o mueve los pedales|Gira la rueda", "Gira la ruota o i pedali|Gira la ruota",
        "Draai het wiel of de trappers|Draai het wiel")
    case .turnCrank:
      pick(
        "Turn the crank", "Dreh die Kurbel", "Tourne les pédales", "Mueve los pedales",
        "Gira i pedali", "Draai de trappers")
    case .isYours:
      pick(
        "Is % yours?|Yours?", "Gehört dir %?|Deins?", "% est à toi\u{A0}?|À toi\u{A0}?",
        "¿Es tuyo %?|¿Tuyo?", "% è tuo?|Tuo?", "Is % van jou?|Van jou?")
    case .wantsToPairAgain:
      pick(
        "% wants to pair again|Pair again?|Pair?", "% will sich neu koppeln|Neu koppeln?|Koppeln?",
        "% veut s’associer à nouveau|Réassocier\u{A0}?|Lier\u{A0}?",
        "% quiere vincularse de nuevo|¿Vincular de nuevo?|¿Vincular?",
        "% vuole abbinarsi di nuovo|Abbinare di nuovo?|Abbinare?",
        "% wil opnieuw koppelen|Opnieuw koppelen?|Koppelen?")
    case .aKeep:
      pick(
        "\u{E041} Keep|\u{E041}✓", "\u{E041} Nimm|\u{E041}✓", "\u{E041} Garder|\u{E041}✓",
        "\u{E041} Elegir|\u{E041}✓", "\u{E041} Tieni|\u{E041}✓", "\u{E041} Neem|\u{E041}✓")
    case .bNext:
      pick(
        "\u{E042} Next|\u{E042}›", "\u{E042} Weiter|\u{E042}›", "\u{E042} Suite|\u{E042}›",
        "\u{E042} Otro|\u{E042}›", "\u{E042} Altro|\u{E042}›", "\u{E042} Ander|\u{E042}›")
    case .oneVehicle: pick("1 car", "1 Auto", "1 voiture|1 auto", "1 coche", "1 auto", "1 auto")
    case .vehicles:
      pick("% cars", "% Autos", "% voitures|% autos", "% coches", "% auto", "% auto’s")
    case .noVehicles:
      pick("0 cars", "0 Autos", "0 voiture|0 auto", "0 coches", "0 auto", "0 auto’s")
    case .keepHoldingToForgetAll:
      pick(
        "Keep holding to forget the sensors|the sensors|sensors",
        "Weiter halten, um die Sensoren zu vergessen|die Sensoren|Sensoren",
        "Maintiens pour oublier les capteurs|les capteurs|capteurs",
        "Sigue pulsando para olvidar los sensores|los sensores|sensores",
        "Continua a premere per dimenticare i sensori|i sensori|sensori",
        "Houd vast om de sensoren te vergeten|de sensoren|sensoren")
    case .areForgotten:
      pick(
        "forgotten", "vergessen|gelöscht", "oubliés", "olvidados", "dimenticati|via",
        "vergeten|gewist")
    case .battery: pick("Battery", "Batterie", "Pile", "Pila", "Batteria", "Batterij")
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
  /// The state of a sensor.
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
}
