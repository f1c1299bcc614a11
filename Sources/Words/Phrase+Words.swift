extension Language {
  /// A phrase in this language.
  ///
  /// A phrase without all of its translations does not compile. The words are those of komoot's app
  /// in that language.
  package func text(of phrase: Phrase) -> String {
    switch phrase {
    case .noPhone:
      pick(
        "No phone", de: "Kein Handy|Kein Tel.", fr: "Aucun téléphone|Aucun tél.", es: "Sin móvil",
        it: "Nessun telefono|Nessun tel.|Nessuno", nl: "Geen telefoon|Geen tel.")
    case .aSearch:
      pick(
        "\u{E041} Search", de: "\u{E041} Suchen", fr: "\u{E041} Chercher", es: "\u{E041} Buscar",
        it: "\u{E041} Cerca", nl: "\u{E041} Zoeken")
    case .searching:
      pick("Searching", de: "Suche", fr: "Recherche", es: "Buscando", it: "Ricerca", nl: "Zoeken")
    case .openKomoot:
      pick(
        "Open komoot on the phone|Open komoot", de: "Öffne komoot auf dem Handy|Öffne komoot",
        fr: "Ouvre komoot sur le téléphone|Ouvre komoot", es: "Abre komoot en el móvil|Abre komoot",
        it: "Apri komoot sul telefono|Apri komoot", nl: "Open komoot op je telefoon|Open komoot")
    case .openKomootOrBluetooth:
      pick(
        "Open komoot or Bluetooth|Open Bluetooth",
        de: "Öffne komoot oder Bluetooth|Öffne Bluetooth",
        fr: "Ouvre komoot ou Bluetooth|Ouvre Bluetooth",
        es: "Abre komoot o Bluetooth|Abre Bluetooth", it: "Apri komoot o Bluetooth|Apri Bluetooth",
        nl: "Open komoot of Bluetooth|Open Bluetooth")
    case .found:
      pick(
        "Found", de: "Gefunden", fr: "Trouvé", es: "Encontrado|Visto", it: "Trovato", nl: "Gevonden"
      )
    case .waiting:
      pick(
        "Waiting", de: "Warten", fr: "En attente|Attente", es: "Esperando", it: "In attesa",
        nl: "Wachten")
    case .openKomootOn:
      pick(
        "Open komoot on %|Open komoot", de: "Öffne komoot auf %|Öffne komoot",
        fr: "Ouvre komoot sur %|Ouvre komoot", es: "Abre komoot en %|Abre komoot",
        it: "Apri komoot su %|Apri komoot", nl: "Open komoot op %|Open komoot")
    case .openAppOn:
      pick(
        "Open your app on %|Open your app", de: "Öffne die App auf %|Öffne die App",
        fr: "Ouvre l’appli sur %|Ouvre l’appli", es: "Abre la app en %|Abre la app",
        it: "Apri l’app su %|Apri l’app", nl: "Open de app op %|Open de app")
    case .connecting:
      pick(
        "Connecting|Connect", de: "Verbinden", fr: "Connexion", es: "Conectando|Conexión",
        it: "Connessione|Connetto", nl: "Verbinden")
    case .ready: pick("Ready", de: "Bereit", fr: "Prêt", es: "Listo", it: "Pronto", nl: "Klaar")
    case .startATour:
      pick(
        "Start a tour in komoot|Start a tour", de: "Starte eine Tour in komoot|Tour starten",
        fr: "Lance un Tour dans komoot|Lance un Tour",
        es: "Inicia un Tour en komoot|Inicia un Tour", it: "Avvia un Tour in komoot|Avvia un Tour",
        nl: "Start een tour in komoot|Start een tour")
    case .startARoute:
      pick(
        "Start a route in your app|Start a route", de: "Starte eine Route in der App|Route starten",
        fr: "Lance un trajet dans l’appli|Lance un trajet",
        es: "Inicia una ruta en la app|Inicia una ruta",
        it: "Avvia un percorso nell’app|Avvia percorso",
        nl: "Start een route in de app|Start een route")
    case .same:
      pick(
        "Same code on the phone?|Same?", de: "Gleicher Code auf dem Handy?|Gleich?",
        fr: "Même code sur le téléphone\u{A0}?|Pareil\u{A0}?",
        es: "¿Mismo código en el móvil?|¿Igual?", it: "Stesso codice sul telefono?|Uguale?",
        nl: "Zelfde code op je telefoon?|Zelfde?")
    case .sameOn:
      pick(
        "Same code on %?", de: "Gleicher Code auf %?", fr: "Même code sur %\u{A0}?",
        es: "¿Mismo código en %?", it: "Stesso codice su %?", nl: "Zelfde code op %?")
    case .colon: pick(": ", de: ": ", fr: "\u{A0}: ", es: ": ", it: ": ", nl: ": ")
    case .aSame:
      pick(
        "\u{E041} Same|\u{E041}✓", de: "\u{E041} Passt|\u{E041}✓", fr: "\u{E041} Pareil|\u{E041}✓",
        es: "\u{E041} Igual|\u{E041}✓", it: "\u{E041} Uguale|\u{E041}✓",
        nl: "\u{E041} Gelijk|\u{E041}✓")
    case .aYes:
      pick(
        "\u{E041} Yes|\u{E041}✓", de: "\u{E041} Ja|\u{E041}✓", fr: "\u{E041} Oui|\u{E041}✓",
        es: "\u{E041} Sí|\u{E041}✓", it: "\u{E041} Sì|\u{E041}✓", nl: "\u{E041} Ja|\u{E041}✓")
    case .bNo:
      pick(
        "\u{E042} No|\u{E042}✗", de: "\u{E042} Nein|\u{E042}✗", fr: "\u{E042} Non|\u{E042}✗",
        es: "\u{E042} No|\u{E042}✗", it: "\u{E042} No|\u{E042}✗", nl: "\u{E042} Nee|\u{E042}✗")
    case .noCode:
      pick(
        "No code", de: "Kein Code", fr: "Sans code", es: "Sin código",
        it: "Senza codice|Codice?", nl: "Geen code")
    case .pair:
      pick(
        "Pair with the phone anyway?|Pair anyway?",
        de: "Trotzdem mit dem Handy koppeln?|Trotzdem koppeln?",
        fr: "Associer ce téléphone\u{A0}?|Associer quand même\u{A0}?",
        es: "¿Vincular el móvil aun así?|¿Vincular aun así?",
        it: "Abbinare comunque il telefono?|Abbinare comunque?",
        nl: "Toch met de telefoon koppelen?|Toch koppelen?")
    case .pairWith:
      pick(
        "Pair with % anyway?|Pair anyway?", de: "Trotzdem mit % koppeln?|Trotzdem koppeln?",
        fr: "Associer % quand même\u{A0}?|Associer quand même\u{A0}?",
        es: "¿Vincular % aun así?|¿Vincular aun así?",
        it: "Abbinare % comunque?|Abbinare comunque?", nl: "Toch met % koppelen?|Toch koppelen?")
    case .noCodePair:
      pick(
        "Pair without a code?|No code! Pair?", de: "Ohne Code koppeln?|Ohne Code?",
        fr: "Associer sans code\u{A0}?|Sans code\u{A0}?", es: "¿Vincular sin código?|¿Sin código?",
        it: "Abbinare senza codice?|Senza codice?", nl: "Koppelen zonder code?|Zonder code?")
    case .notPaired:
      pick(
        "Not paired", de: "Nicht gekoppelt|Fehler", fr: "Non associé|Erreur",
        es: "No vinculado|Fallo", it: "Non abbinato|Errore", nl: "Niet gekoppeld|Mislukt")
    case .toPair:
      pick(
        "To pair, hold \u{E042}, then press \u{E041}.|Hold \u{E042}",
        de: "Zum Koppeln \u{E042} halten, dann \u{E041} drücken.|\u{E042} halten",
        fr: "Pour associer, maintiens \u{E042}, puis appuie sur \u{E041}.|Maintiens \u{E042}",
        es: "Para vincular, mantén \u{E042} y luego pulsa \u{E041}.|Mantén \u{E042}",
        it: "Per abbinare, tieni premuto \u{E042}, poi premi \u{E041}.|Tieni \u{E042}",
        nl: "Koppelen: houd \u{E042} vast en druk dan op \u{E041}.|Houd \u{E042} vast")
    case .refusedByPhone:
      pick(
        "The phone said no.", de: "Das Handy sagt Nein.", fr: "Le téléphone a dit non.",
        es: "El móvil ha dicho no.", it: "Il telefono ha detto no.", nl: "De telefoon zei nee.")
    case .refusedHere:
      pick(
        "You said no.", de: "Du hast Nein gesagt.", fr: "Tu as dit non.", es: "Has dicho no.",
        it: "Hai detto no.", nl: "Je zei nee.")
    case .timeout:
      pick(
        "Time ran out.", de: "Die Zeit ist um.", fr: "Temps écoulé.", es: "Se acabó el tiempo.",
        it: "Tempo scaduto.", nl: "De tijd is om.")
    case .noAnswer:
      pick(
        "Phone does not answer.", de: "Handy antwortet nicht.", fr: "Le tél. ne répond pas.",
        es: "El móvil no responde.", it: "Nessuna risposta.", nl: "Telefoon reageert niet.")
    case .wrongAnswer:
      pick(
        "Wrong answer.", de: "Falsche Antwort.", fr: "Mauvaise réponse.", es: "Código erróneo.",
        it: "Risposta errata.", nl: "Fout antwoord.")
    case .insecure:
      pick(
        "Not secure.", de: "Keine sichere Kopplung.", fr: "Liaison non sûre.",
        es: "Vínculo no seguro.", it: "Non è sicuro.", nl: "Geen veilige koppeling.")
    case .tooManyAttempts:
      pick(
        "Too many tries. Wait.", de: "Zu viele Versuche. Warte.", fr: "Trop d’essais. Patiente.",
        es: "Muchos intentos. Espera.", it: "Troppi tentativi. Aspetta.",
        nl: "Te veel pogingen. Wacht.")
    case .linkLost:
      pick(
        "The phone went away.", de: "Das Handy ist weg.", fr: "Liaison perdue.",
        es: "Se perdió el móvil.", it: "Il telefono è sparito.", nl: "Telefoon kwijt.")
    case .notSaved:
      pick(
        "Could not be saved.", de: "Speichern ging nicht.", fr: "Non mémorisé.",
        es: "No se pudo guardar.", it: "Non salvato.", nl: "Opslaan lukte niet.")
    case .tryAgain:
      pick(
        "\u{E041} Try again", de: "\u{E041} Nochmal", fr: "\u{E041} Réessayer",
        es: "\u{E041} Reintentar", it: "\u{E041} Riprova", nl: "\u{E041} Opnieuw")
    case .forgetThere:
      pick(
        "Forget Lenker there.", de: "Lösche Lenker dort.", fr: "Oublie Lenker là-bas.",
        es: "Olvida Lenker allí.", it: "Dimentica Lenker lì.", nl: "Vergeet Lenker daar.")
    case .aPhone:
      pick(
        "A phone", de: "Ein Handy", fr: "Un téléphone|Un tél.", es: "Un móvil",
        it: "Un telefono|Un tel.", nl: "Een telefoon|Een tel.")
    case .paired:
      pick(
        "Paired.", de: "Gekoppelt.", fr: "Associé.", es: "Vinculado.", it: "Abbinato.",
        nl: "Gekoppeld.")
    case .knownByAddress:
      pick(
        "Known by address.", de: "Per Adresse bekannt.", fr: "Connu par adresse.",
        es: "Por su dirección.", it: "Noto per indirizzo.", nl: "Bekend via adres.")
    case .forThisRide:
      pick(
        "For this ride only.", de: "Nur für diese Fahrt.", fr: "Ce trajet seulement.",
        es: "Solo este viaje.", it: "Solo questo giro.", nl: "Alleen voor deze rit.")
    case .toForget:
      pick(
        "Hold \u{E042} to forget.|Hold \u{E042}: forget",
        de: "Vergessen: \u{E042} halten.|\u{E042} lang: weg",
        fr: "Maintiens \u{E042} pour l’oublier.|\u{E042} long\u{A0}: oublier",
        es: "Mantén \u{E042} para olvidarlo.|\u{E042} largo: olvidar",
        it: "Tieni \u{E042} per dimenticarlo.|Tieni \u{E042}: via",
        nl: "Houd \u{E042} vast om te vergeten.|\u{E042} lang: wissen")
    case .forget:
      pick(
        "Forget?", de: "Vergessen?|Weg?", fr: "Oublier\u{A0}?", es: "¿Olvidar?",
        it: "Dimenticare?|Dimentica?|Via?", nl: "Vergeten?")
    case .keepHolding:
      pick(
        "Keep holding to forget the phone|the phone",
        de: "Weiter halten, um das Handy zu vergessen|das Handy",
        fr: "Maintiens pour oublier le téléphone|le téléphone",
        es: "Sigue pulsando para olvidar el móvil|el móvil",
        it: "Continua a premere per dimenticare il telefono|il telefono",
        nl: "Houd vast om de telefoon te vergeten|de telefoon")
    case .keepHoldingToForget:
      pick(
        "Keep holding to forget %|%", de: "Weiter halten, um % zu vergessen|%",
        fr: "Maintiens pour oublier %|%", es: "Sigue pulsando para olvidar %|%",
        it: "Continua a premere per dimenticare %|%", nl: "Houd vast om % te vergeten|%")
    case .unpaired:
      pick(
        "Unpaired", de: "Entkoppelt|Gelöst", fr: "Oublié", es: "Olvidado",
        it: "Dimenticato|Via", nl: "Ontkoppeld|Vergeten")
    case .stillPaired:
      pick(
        "Still paired|Failed", de: "Noch gekoppelt|Fehler", fr: "Encore associé|Erreur",
        es: "Aún vinculado|Fallo", it: "Ancora abbinato|Errore", nl: "Nog gekoppeld|Mislukt")
    case .memoryCannotBeWritten:
      pick(
        "The memory cannot be written.", de: "Der Speicher ist nicht beschreibbar.",
        fr: "La mémoire refuse l’écriture.", es: "No se puede escribir en la memoria.",
        it: "La memoria non è scrivibile.", nl: "Het geheugen is niet te beschrijven.")
    case .pairAgain:
      pick(
        "Pair again", de: "Neu koppeln|Koppeln", fr: "Réassocier|Associer",
        es: "Vincular de nuevo|Vincular", it: "Abbina di nuovo|Riabbina",
        nl: "Koppel opnieuw|Koppelen")
    case .forgotten:
      pick(
        "The phone forgot this display. Press \u{E041}.|Press \u{E041}",
        de: "Das Handy kennt dieses Display nicht mehr. Drück \u{E041}.|Drück \u{E041}",
        fr: "Le téléphone a oublié cet écran. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        es: "El móvil olvidó esta pantalla. Pulsa \u{E041}.|Pulsa \u{E041}",
        it: "Il telefono ha dimenticato il display. Premi \u{E041}.|Premi \u{E041}",
        nl: "De telefoon is dit display vergeten. Druk op \u{E041}.|Druk op \u{E041}")
    case .forgottenBy:
      pick(
        "% forgot this display. Press \u{E041}.|Press \u{E041}",
        de: "% kennt dieses Display nicht mehr. Drück \u{E041}.|Drück \u{E041}",
        fr: "% a oublié cet écran. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        es: "% olvidó esta pantalla. Pulsa \u{E041}.|Pulsa \u{E041}",
        it: "% ha dimenticato il display. Premi \u{E041}.|Premi \u{E041}",
        nl: "% is dit display vergeten. Druk op \u{E041}.|Druk op \u{E041}")
    case .unrecognised:
      pick(
        "This phone is not recognised. Press \u{E041}.|Press \u{E041}",
        de: "Das Handy ist nicht zu erkennen. Drück \u{E041}.|Drück \u{E041}",
        fr: "Téléphone non reconnu. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        es: "No se reconoce el móvil. Pulsa \u{E041}.|Pulsa \u{E041}",
        it: "Telefono non riconosciuto. Premi \u{E041}.|Premi \u{E041}",
        nl: "De telefoon wordt niet herkend. Druk op \u{E041}.|Druk op \u{E041}")
    case .pairedWithoutCode:
      pick(
        "Paired without a code. Press \u{E041}.|Press \u{E041}",
        de: "Ohne Code gekoppelt. Drück \u{E041}.|Drück \u{E041}",
        fr: "Associé sans code. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        es: "Vinculado sin código. Pulsa \u{E041}.|Pulsa \u{E041}",
        it: "Abbinato senza codice. Premi \u{E041}.|Premi \u{E041}",
        nl: "Gekoppeld zonder code. Druk op \u{E041}.|Druk op \u{E041}")
    case .report:
      pick("Report", de: "Bericht", fr: "Rapport", es: "Informe", it: "Rapporto", nl: "Rapport")
    case .saved:
      pick(
        "saved", de: "gespeichert|gesichert", fr: "enregistré", es: "guardado", it: "salvato",
        nl: "opgeslagen|bewaard")
    case .noReport:
      pick(
        "No report", de: "Kein Bericht|Fehler", fr: "Pas de rapport|Erreur",
        es: "Sin informe|Fallo", it: "Nessun rapporto|Errore", nl: "Geen rapport|Mislukt")
    case .settings:
      pick(
        "Settings error|Settings", de: "Einstellung falsch|Einstellung",
        fr: "Erreur de réglage|Réglages", es: "Error de ajustes|Ajustes",
        it: "Errore impostazioni|Impostazioni|Opzioni",
        nl: "Fout in instellingen|Instellingen|Opties")
    case .line:
      pick("Line %", de: "Zeile %", fr: "Ligne %", es: "Línea %", it: "Riga %", nl: "Regel %")
    case .seeErrorFile:
      pick(
        "See lenker\u{2011}error.txt.", de: "Siehe lenker\u{2011}error.txt.",
        fr: "Voir lenker\u{2011}error.txt.",
        es: "Ver lenker\u{2011}error.txt.", it: "Vedi lenker\u{2011}error.txt.",
        nl: "Zie lenker\u{2011}error.txt.")
    case .memory:
      pick(
        "Memory error|Memory", de: "Speicherfehler|Speicher", fr: "Erreur mémoire|Mémoire",
        es: "Error de memoria|Memoria", it: "Errore memoria|Memoria", nl: "Geheugenfout|Geheugen")
    case .noRadio:
      pick(
        "No Bluetooth|No BT", de: "Kein Bluetooth|Kein BT", fr: "Bluetooth coupé|BT coupé",
        es: "Sin Bluetooth|Sin BT", it: "Niente Bluetooth|Niente BT", nl: "Geen Bluetooth|Geen BT")
    case .updated:
      pick(
        "Updated|New", de: "Aktualisiert|Neu", fr: "Mis à jour", es: "Actualizado|Nueva",
        it: "Aggiornato|Nuova", nl: "Bijgewerkt|Nieuw")
    case .boardRestarts:
      pick(
        "Lenker restarts", de: "Lenker startet neu", fr: "Lenker redémarre",
        es: "Lenker se reinicia", it: "Lenker si riavvia", nl: "Lenker start opnieuw")
    case .bluetoothRestarts:
      pick(
        "Restarting Bluetooth", de: "Bluetooth startet neu", fr: "Bluetooth redémarre",
        es: "Bluetooth se reinicia", it: "Bluetooth si riavvia", nl: "Bluetooth start opnieuw")
    case .bluetoothReconnects:
      pick(
        "Reconnecting Bluetooth", de: "Bluetooth wird neu verbunden", fr: "Bluetooth se reconnecte",
        es: "Bluetooth se reconecta", it: "Bluetooth si riconnette",
        nl: "Bluetooth maakt opnieuw verbinding")
    case .yourTurn:
      pick(
        "Confirm", de: "Bestätigen", fr: "Confirme", es: "Confirma", it: "Conferma", nl: "Bevestig")
    case .tapPair:
      pick(
        "Phone: tap Pair or swipe down|Tap Pair, or swipe down|Tap Pair",
        de: "Koppeln tippen, sonst runterwischen|Koppeln, oder wisch runter|Wähle Koppeln",
        fr: "Accepte, ou balaye l’écran vers le bas|Accepte, ou balaye vers le bas|Accepte",
        es: "Acepta en el móvil o desliza abajo|Acepta o desliza abajo|Acepta",
        it: "Accetta sul telefono o scorri in basso|Accetta o scorri in basso|Accetta",
        nl: "Tik op Koppel of veeg omlaag|Koppel, of veeg omlaag|Tik op Koppel")
    case .tapPairOn:
      pick(
        "Tap Pair on %, or swipe down|Tap Pair, or swipe down|Tap Pair",
        de: "%: Koppeln, sonst runterwischen|Koppeln, oder wisch runter|Wähle Koppeln",
        fr: "Accepte sur % ou balaye vers le bas|Accepte, ou balaye vers le bas|Accepte",
        es: "Acepta en % o desliza abajo|Acepta o desliza abajo|Acepta",
        it: "Accetta su % o scorri in basso|Accetta o scorri in basso|Accetta",
        nl: "%: tik op Koppel of veeg omlaag|Koppel, of veeg omlaag|Tik op Koppel")
    case .isPaired:
      pick(
        "Paired", de: "Gekoppelt", fr: "Associé", es: "Vinculado", it: "Abbinato", nl: "Gekoppeld")
    case .withPhone:
      pick(
        "with % only|%", de: "nur mit %|%", fr: "avec % seulement|%", es: "solo con %|%",
        it: "solo con %|%", nl: "alleen met %|%")
    case .withThisPhone:
      pick(
        "with this phone only|this phone only", de: "nur mit diesem Handy|nur hiermit",
        fr: "avec ce téléphone seul|ce tél. seul", es: "solo con este móvil|solo este",
        it: "solo con questo telefono|solo questo", nl: "alleen met deze telefoon|alleen deze")
    case .switchOffAndOn:
      pick(
        "Switch Lenker off and on|Switch off and on", de: "Schalte Lenker aus und ein|Aus und ein",
        fr: "Éteins et rallume Lenker|Éteins, rallume",
        es: "Apaga y enciende Lenker|Apaga, enciende",
        it: "Spegni e riaccendi Lenker|Spegni, riaccendi", nl: "Zet Lenker uit en aan|Uit en aan")
    case .switchBluetooth:
      pick(
        "On the phone, switch Bluetooth off and on|Bluetooth off and on",
        de: "Schalte am Handy Bluetooth aus und wieder an|Bluetooth aus, an",
        fr: "Sur le téléphone, éteins et rallume Bluetooth|Rallume Bluetooth",
        es: "En el móvil, apaga y enciende el Bluetooth|Reinicia Bluetooth",
        it: "Sul telefono spegni e riaccendi il Bluetooth|Riavvia Bluetooth",
        nl: "Zet Bluetooth op je telefoon uit en weer aan|Bluetooth uit en aan")
    case .oneMoment:
      pick(
        "One moment", de: "Moment", fr: "Un instant", es: "Un momento", it: "Un attimo",
        nl: "Moment")
    case .fileIsMissing:
      pick(
        "Its file is missing|No file", de: "Die Datei fehlt|Datei fehlt", fr: "Fichier absent",
        es: "Falta el archivo", it: "Manca il file", nl: "Bestand ontbreekt|Geen bestand")
    case .arrived, .noRide, .pause, .average, .atHome, .ownBattery, .music, .nothingPlays,
      .nextOrPause, .call:
      rideText(of: phrase)
    case .now: pick("Now", de: "Jetzt", fr: "Ici", es: "Ya", it: "Ora", nl: "Nu")
    case .hours: pick("h", de: "h", fr: "h", es: "h", it: "h", nl: "u")
    case .start: pick("Start", de: "Start", fr: "Départ", es: "Salida", it: "Partenza", nl: "Start")
    case .finish: pick("Finish", de: "Ziel", fr: "Arrivée", es: "Meta", it: "Arrivo", nl: "Finish")
    case .noLink:
      pick(
        "No link|Lost", de: "Getrennt|Weg", fr: "Déconnecté|Coupé", es: "Sin señal|Sin BT",
        it: "Scollegato|Offline", nl: "Verbroken|Kwijt")
    case .noNews:
      pick(
        "No news|% old", de: "Nichts Neues|Keine Info|% alt", fr: "Sans info|Il y a",
        es: "Sin noticias|Sin info|Hace", it: "Nessuna info|Niente info|% fa",
        nl: "Geen nieuws|Geen info|% oud")
    case .offRoute:
      pick(
        "Off route", de: "Route verlassen|Abseits", fr: "Hors parcours|Hors route|Perdu",
        es: "Fuera de ruta|Fuera", it: "Fuori percorso|Deviato",
        nl: "Buiten route|Van route")
    case .goBack:
      pick(
        "Go back to the route|Back to route|Go back", de: "Zurück zur Route|Zurück",
        fr: "Reviens au parcours|Reviens", es: "Vuelve a la ruta|Vuelve",
        it: "Torna sul percorso|Torna", nl: "Ga terug naar de route|Terug naar route|Ga terug")
    }
  }
}
