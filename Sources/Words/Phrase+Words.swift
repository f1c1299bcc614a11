extension Language {
  /// A phrase in this language.
  ///
  /// A phrase without all of its translations does not compile. The words are those of komoot's app
  /// in that language.
  package func text(of phrase: Phrase) -> String {
    switch phrase {
    case .noPhone:
      pick(
        "No phone", "Kein Handy|Kein Tel.", "Aucun téléphone|Aucun tél.", "Sin móvil",
        "Nessun telefono|Nessun tel.|Nessuno", "Geen telefoon|Geen tel.")
    case .aSearch:
      pick(
        "\u{E041} Search", "\u{E041} Suchen", "\u{E041} Chercher", "\u{E041} Buscar",
        "\u{E041} Cerca", "\u{E041} Zoeken")
    case .searching: pick("Searching", "Suche", "Recherche", "Buscando", "Ricerca", "Zoeken")
    case .openKomoot:
      pick(
        "Open komoot on the phone|Open komoot", "Öffne komoot auf dem Handy|Öffne komoot",
        "Ouvre komoot sur le téléphone|Ouvre komoot", "Abre komoot en el móvil|Abre komoot",
        "Apri komoot sul telefono|Apri komoot", "Open komoot op je telefoon|Open komoot")
    case .openKomootOrBluetooth:
      pick(
        "Open komoot or Bluetooth|Open Bluetooth", "Öffne komoot oder Bluetooth|Öffne Bluetooth",
        "Ouvre komoot ou Bluetooth|Ouvre Bluetooth", "Abre komoot o Bluetooth|Abre Bluetooth",
        "Apri komoot o Bluetooth|Apri Bluetooth", "Open komoot of Bluetooth|Open Bluetooth")
    case .found: pick("Found", "Gefunden", "Trouvé", "Encontrado|Visto", "Trovato", "Gevonden")
    case .waiting:
      pick("Waiting", "Warten", "En attente|Attente", "Esperando", "In attesa", "Wachten")
    case .openKomootOn:
      pick(
        "Open komoot on %|Open komoot", "Öffne komoot auf %|Öffne komoot",
        "Ouvre komoot sur %|Ouvre komoot", "Abre komoot en %|Abre komoot",
        "Apri komoot su %|Apri komoot", "Open komoot op %|Open komoot")
    case .openAppOn:
      pick(
        "Open your app on %|Open your app", "Öffne die App auf %|Öffne die App",
        "Ouvre l’appli sur %|Ouvre l’appli", "Abre la app en %|Abre la app",
        "Apri l’app su %|Apri l’app", "Open de app op %|Open de app")
    case .connecting:
      pick(
        "Connecting|Connect", "Verbinden", "Connexion", "Conectando|Conexión",
        "Connessione|Connetto", "Verbinden")
    case .ready: pick("Ready", "Bereit", "Prêt", "Listo", "Pronto", "Klaar")
    case .startATour:
      pick(
        "Start a tour in komoot|Start a tour", "Starte eine Tour in komoot|Tour starten",
        "Lance un Tour dans komoot|Lance un Tour", "Inicia un Tour en komoot|Inicia un Tour",
        "Avvia un Tour in komoot|Avvia un Tour", "Start een tour in komoot|Start een tour")
    case .startARoute:
      pick(
        "Start a route in your app|Start a route", "Starte eine Route in der App|Route starten",
        "Lance un trajet dans l’appli|Lance un trajet", "Inicia una ruta en la app|Inicia una ruta",
        "Avvia un percorso nell’app|Avvia percorso", "Start een route in de app|Start een route")
    case .same:
      pick(
        "Same code on the phone?|Same?", "Gleicher Code auf dem Handy?|Gleich?",
        "Même code sur le téléphone\u{A0}?|Pareil\u{A0}?", "¿Mismo código en el móvil?|¿Igual?",
        "Stesso codice sul telefono?|Uguale?", "Zelfde code op je telefoon?|Zelfde?")
    case .sameOn:
      pick(
        "Same code on %?", "Gleicher Code auf %?", "Même code sur %\u{A0}?", "¿Mismo código en %?",
        "Stesso codice su %?", "Zelfde code op %?")
    case .colon: pick(": ", ": ", "\u{A0}: ", ": ", ": ", ": ")
    case .aSame:
      pick(
        "\u{E041} Same|\u{E041}✓", "\u{E041} Passt|\u{E041}✓", "\u{E041} Pareil|\u{E041}✓",
        "\u{E041} Igual|\u{E041}✓", "\u{E041} Uguale|\u{E041}✓", "\u{E041} Gelijk|\u{E041}✓")
    case .aYes:
      pick(
        "\u{E041} Yes|\u{E041}✓", "\u{E041} Ja|\u{E041}✓", "\u{E041} Oui|\u{E041}✓",
        "\u{E041} Sí|\u{E041}✓", "\u{E041} Sì|\u{E041}✓", "\u{E041} Ja|\u{E041}✓")
    case .bNo:
      pick(
        "\u{E042} No|\u{E042}✗", "\u{E042} Nein|\u{E042}✗", "\u{E042} Non|\u{E042}✗",
        "\u{E042} No|\u{E042}✗", "\u{E042} No|\u{E042}✗", "\u{E042} Nee|\u{E042}✗")
    case .noCode:
      pick("No code", "Kein Code", "Sans code", "Sin código", "Senza codice|Codice?", "Geen code")
    case .pair:
      pick(
        "Pair with the phone anyway?|Pair anyway?",
        "Trotzdem mit dem Handy koppeln?|Trotzdem koppeln?",
        "Associer ce téléphone\u{A0}?|Associer quand même\u{A0}?",
        "¿Vincular el móvil aun así?|¿Vincular aun así?",
        "Abbinare comunque il telefono?|Abbinare comunque?",
        "Toch met de telefoon koppelen?|Toch koppelen?")
    case .pairWith:
      pick(
        "Pair with % anyway?|Pair anyway?", "Trotzdem mit % koppeln?|Trotzdem koppeln?",
        "Associer % quand même\u{A0}?|Associer quand même\u{A0}?",
        "¿Vincular % aun así?|¿Vincular aun así?", "Abbinare % comunque?|Abbinare comunque?",
        "Toch met % koppelen?|Toch koppelen?")
    case .noCodePair:
      pick(
        "Pair without a code?|No code! Pair?", "Ohne Code koppeln?|Ohne Code?",
        "Associer sans code\u{A0}?|Sans code\u{A0}?", "¿Vincular sin código?|¿Sin código?",
        "Abbinare senza codice?|Senza codice?", "Koppelen zonder code?|Zonder code?")
    case .notPaired:
      pick(
        "Not paired", "Nicht gekoppelt|Fehler", "Non associé|Erreur", "No vinculado|Fallo",
        "Non abbinato|Errore", "Niet gekoppeld|Mislukt")
    case .toPair:
      pick(
        "To pair, hold \u{E042}, then press \u{E041}.|Hold \u{E042}",
        "Zum Koppeln \u{E042} halten, dann \u{E041} drücken.|\u{E042} halten",
        "Pour associer, maintiens \u{E042}, puis appuie sur \u{E041}.|Maintiens \u{E042}",
        "Para vincular, mantén \u{E042} y luego pulsa \u{E041}.|Mantén \u{E042}",
        "Per abbinare, tieni premuto \u{E042}, poi premi \u{E041}.|Tieni \u{E042}",
        "Koppelen: houd \u{E042} vast en druk dan op \u{E041}.|Houd \u{E042} vast")
    case .refusedByPhone:
      pick(
        "The phone said no.", "Das Handy sagt Nein.", "Le téléphone a dit non.",
        "El móvil ha dicho no.", "Il telefono ha detto no.", "De telefoon zei nee.")
    case .refusedHere:
      pick(
        "You said no.", "Du hast Nein gesagt.", "Tu as dit non.", "Has dicho no.", "Hai detto no.",
        "Je zei nee.")
    case .timeout:
      pick(
        "Time ran out.", "Die Zeit ist um.", "Temps écoulé.", "Se acabó el tiempo.",
        "Tempo scaduto.", "De tijd is om.")
    case .noAnswer:
      pick(
        "Phone does not answer.", "Handy antwortet nicht.", "Le tél. ne répond pas.",
        "El móvil no responde.", "Nessuna risposta.", "Telefoon reageert niet.")
    case .wrongAnswer:
      pick(
        "Wrong answer.", "Falsche Antwort.", "Mauvaise réponse.", "Código erróneo.",
        "Risposta errata.", "Fout antwoord.")
    case .insecure:
      pick(
        "Not secure.", "Keine sichere Kopplung.", "Liaison non sûre.", "Vínculo no seguro.",
        "Non è sicuro.", "Geen veilige koppeling.")
    case .tooManyAttempts:
      pick(
        "Too many tries. Wait.", "Zu viele Versuche. Warte.", "Trop d’essais. Patiente.",
        "Muchos intentos. Espera.", "Troppi tentativi. Aspetta.", "Te veel pogingen. Wacht.")
    case .linkLost:
      pick(
        "The phone went away.", "Das Handy ist weg.", "Liaison perdue.", "Se perdió el móvil.",
        "Il telefono è sparito.", "Telefoon kwijt.")
    case .notSaved:
      pick(
        "Could not be saved.", "Speichern ging nicht.", "Non mémorisé.", "No se pudo guardar.",
        "Non salvato.", "Opslaan lukte niet.")
    case .tryAgain:
      pick(
        "\u{E041} Try again", "\u{E041} Nochmal", "\u{E041} Réessayer", "\u{E041} Reintentar",
        "\u{E041} Riprova", "\u{E041} Opnieuw")
    case .forgetThere:
      pick(
        "Forget Lenker there.", "Lösche Lenker dort.", "Oublie Lenker là-bas.",
        "Olvida Lenker allí.", "Dimentica Lenker lì.", "Vergeet Lenker daar.")
    case .aPhone:
      pick(
        "A phone", "Ein Handy", "Un téléphone|Un tél.", "Un móvil", "Un telefono|Un tel.",
        "Een telefoon|Een tel.")
    case .paired: pick("Paired.", "Gekoppelt.", "Associé.", "Vinculado.", "Abbinato.", "Gekoppeld.")
    case .knownByAddress:
      pick(
        "Known by address.", "Per Adresse bekannt.", "Connu par adresse.", "Por su dirección.",
        "Noto per indirizzo.", "Bekend via adres.")
    case .forThisRide:
      pick(
        "For this ride only.", "Nur für diese Fahrt.", "Ce trajet seulement.", "Solo este viaje.",
        "Solo questo giro.", "Alleen voor deze rit.")
    case .toForget:
      pick(
        "Hold \u{E042} to forget.|Hold \u{E042}: forget",
        "Vergessen: \u{E042} halten.|\u{E042} lang: weg",
        "Maintiens \u{E042} pour l’oublier.|\u{E042} long\u{A0}: oublier",
        "Mantén \u{E042} para olvidarlo.|\u{E042} largo: olvidar",
        "Tieni \u{E042} per dimenticarlo.|Tieni \u{E042}: via",
        "Houd \u{E042} vast om te vergeten.|\u{E042} lang: wissen")
    case .forget:
      pick(
        "Forget?", "Vergessen?|Weg?", "Oublier\u{A0}?", "¿Olvidar?", "Dimenticare?|Dimentica?|Via?",
        "Vergeten?")
    case .keepHolding:
      pick(
        "Keep holding to forget the phone|the phone",
        "Weiter halten, um das Handy zu vergessen|das Handy",
        "Maintiens pour oublier le téléphone|le téléphone",
        "Sigue pulsando para olvidar el móvil|el móvil",
        "Continua a premere per dimenticare il telefono|il telefono",
        "Houd vast om de telefoon te vergeten|de telefoon")
    case .keepHoldingToForget:
      pick(
        "Keep holding to forget %|%", "Weiter halten, um % zu vergessen|%",
        "Maintiens pour oublier %|%", "Sigue pulsando para olvidar %|%",
        "Continua a premere per dimenticare %|%", "Houd vast om % te vergeten|%")
    case .unpaired:
      pick(
        "Unpaired", "Entkoppelt|Gelöst", "Oublié", "Olvidado", "Dimenticato|Via",
        "Ontkoppeld|Vergeten")
    case .stillPaired:
      pick(
        "Still paired|Failed", "Noch gekoppelt|Fehler", "Encore associé|Erreur",
        "Aún vinculado|Fallo", "Ancora abbinato|Errore", "Nog gekoppeld|Mislukt")
    case .memoryCannotBeWritten:
      pick(
        "The memory cannot be written.", "Der Speicher ist nicht beschreibbar.",
        "La mémoire refuse l’écriture.", "No se puede escribir en la memoria.",
        "La memoria non è scrivibile.", "Het geheugen is niet te beschrijven.")
    case .pairAgain:
      pick(
        "Pair again", "Neu koppeln|Koppeln", "Réassocier|Associer", "Vincular de nuevo|Vincular",
        "Abbina di nuovo|Riabbina", "Koppel opnieuw|Koppelen")
    case .forgotten:
      pick(
        "The phone forgot this display. Press \u{E041}.|Press \u{E041}",
        "Das Handy kennt dieses Display nicht mehr. Drück \u{E041}.|Drück \u{E041}",
        "Le téléphone a oublié cet écran. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        "El móvil olvidó esta pantalla. Pulsa \u{E041}.|Pulsa \u{E041}",
        "Il telefono ha dimenticato il display. Premi \u{E041}.|Premi \u{E041}",
        "De telefoon is dit display vergeten. Druk op \u{E041}.|Druk op \u{E041}")
    case .forgottenBy:
      pick(
        "% forgot this display. Press \u{E041}.|Press \u{E041}",
        "% kennt dieses Display nicht mehr. Drück \u{E041}.|Drück \u{E041}",
        "% a oublié cet écran. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        "% olvidó esta pantalla. Pulsa \u{E041}.|Pulsa \u{E041}",
        "% ha dimenticato il display. Premi \u{E041}.|Premi \u{E041}",
        "% is dit display vergeten. Druk op \u{E041}.|Druk op \u{E041}")
    case .unrecognised:
      pick(
        "This phone is not recognised. Press \u{E041}.|Press \u{E041}",
        "Das Handy ist nicht zu erkennen. Drück \u{E041}.|Drück \u{E041}",
        "Téléphone non reconnu. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        "No se reconoce el móvil. Pulsa \u{E041}.|Pulsa \u{E041}",
        "Telefono non riconosciuto. Premi \u{E041}.|Premi \u{E041}",
        "De telefoon wordt niet herkend. Druk op \u{E041}.|Druk op \u{E041}")
    case .pairedWithoutCode:
      pick(
        "Paired without a code. Press \u{E041}.|Press \u{E041}",
        "Ohne Code gekoppelt. Drück \u{E041}.|Drück \u{E041}",
        "Associé sans code. Appuie sur \u{E041}.|Appuie sur \u{E041}",
        "Vinculado sin código. Pulsa \u{E041}.|Pulsa \u{E041}",
        "Abbinato senza codice. Premi \u{E041}.|Premi \u{E041}",
        "Gekoppeld zonder code. Druk op \u{E041}.|Druk op \u{E041}")
    case .report: pick("Report", "Bericht", "Rapport", "Informe", "Rapporto", "Rapport")
    case .saved:
      pick(
        "saved", "gespeichert|gesichert", "enregistré", "guardado", "salvato", "opgeslagen|bewaard")
    case .noReport:
      pick(
        "No report", "Kein Bericht|Fehler", "Pas de rapport|Erreur", "Sin informe|Fallo",
        "Nessun rapporto|Errore", "Geen rapport|Mislukt")
    case .settings:
      pick(
        "Settings error|Settings", "Einstellung falsch|Einstellung", "Erreur de réglage|Réglages",
        "Error de ajustes|Ajustes", "Errore impostazioni|Impostazioni|Opzioni",
        "Fout in instellingen|Instellingen|Opties")
    case .line: pick("Line %", "Zeile %", "Ligne %", "Línea %", "Riga %", "Regel %")
    case .seeErrorFile:
      pick(
        "See lenker\u{2011}error.txt.", "Siehe lenker\u{2011}error.txt.",
        "Voir lenker\u{2011}error.txt.", "Ver lenker\u{2011}error.txt.",
        "Vedi lenker\u{2011}error.txt.", "Zie lenker\u{2011}error.txt.")
    case .memory:
      pick(
        "Memory error|Memory", "Speicherfehler|Speicher", "Erreur mémoire|Mémoire",
        "Error de memoria|Memoria", "Errore memoria|Memoria", "Geheugenfout|Geheugen")
    case .noRadio:
      pick(
        "No Bluetooth|No BT", "Kein Bluetooth|Kein BT", "Bluetooth coupé|BT coupé",
        "Sin Bluetooth|Sin BT", "Niente Bluetooth|Niente BT", "Geen Bluetooth|Geen BT")
    case .updated:
      pick(
        "Updated|New", "Aktualisiert|Neu", "Mis à jour", "Actualizado|Nueva", "Aggiornato|Nuova",
        "Bijgewerkt|Nieuw")
    case .boardRestarts:
      pick(
        "Lenker restarts", "Lenker startet neu", "Lenker redémarre", "Lenker se reinicia",
        "Lenker si riavvia", "Lenker start opnieuw")
    case .bluetoothRestarts:
      pick(
        "Restarting Bluetooth", "Bluetooth startet neu", "Bluetooth redémarre",
        "Bluetooth se reinicia", "Bluetooth si riavvia", "Bluetooth start opnieuw")
    case .bluetoothReconnects:
      pick(
        "Reconnecting Bluetooth", "Bluetooth wird neu verbunden", "Bluetooth se reconnecte",
        "Bluetooth se reconecta", "Bluetooth si riconnette", "Bluetooth maakt opnieuw verbinding")
    case .yourTurn: pick("Confirm", "Bestätigen", "Confirme", "Confirma", "Conferma", "Bevestig")
    case .tapPair:
      pick(
        "Phone: tap Pair or swipe down|Tap Pair, or swipe down|Tap Pair",
        "Koppeln tippen, sonst runterwischen|Koppeln, oder wisch runter|Wähle Koppeln",
        "Accepte, ou balaye l’écran vers le bas|Accepte, ou balaye vers le bas|Accepte",
        "Acepta en el móvil o desliza abajo|Acepta o desliza abajo|Acepta",
        "Accetta sul telefono o scorri in basso|Accetta o scorri in basso|Accetta",
        "Tik op Koppel of veeg omlaag|Koppel, of veeg omlaag|Tik op Koppel")
    case .tapPairOn:
      pick(
        "Tap Pair on %, or swipe down|Tap Pair, or swipe down|Tap Pair",
        "%: Koppeln, sonst runterwischen|Koppeln, oder wisch runter|Wähle Koppeln",
        "Accepte sur % ou balaye vers le bas|Accepte, ou balaye vers le bas|Accepte",
        "Acepta en % o desliza abajo|Acepta o desliza abajo|Acepta",
        "Accetta su % o scorri in basso|Accetta o scorri in basso|Accetta",
        "%: tik op Koppel of veeg omlaag|Koppel, of veeg omlaag|Tik op Koppel")
    case .isPaired: pick("Paired", "Gekoppelt", "Associé", "Vinculado", "Abbinato", "Gekoppeld")
    case .withPhone:
      pick(
        "with % only|%", "nur mit %|%", "avec % seulement|%", "solo con %|%", "solo con %|%",
        "alleen met %|%")
    case .withThisPhone:
      pick(
        "with this phone only|this phone only", "nur mit diesem Handy|nur hiermit",
        "avec ce téléphone seul|ce tél. seul", "solo con este móvil|solo este",
        "solo con questo telefono|solo questo", "alleen met deze telefoon|alleen deze")
    case .switchOffAndOn:
      pick(
        "Switch Lenker off and on|Switch off and on", "Schalte Lenker aus und ein|Aus und ein",
        "Éteins et rallume Lenker|Éteins, rallume", "Apaga y enciende Lenker|Apaga, enciende",
        "Spegni e riaccendi Lenker|Spegni, riaccendi", "Zet Lenker uit en aan|Uit en aan")
    case .switchBluetooth:
      pick(
        "On the phone, switch Bluetooth off and on|Bluetooth off and on",
        "Schalte am Handy Bluetooth aus und wieder an|Bluetooth aus, an",
        "Sur le téléphone, éteins et rallume Bluetooth|Rallume Bluetooth",
        "En el móvil, apaga y enciende el Bluetooth|Reinicia Bluetooth",
        "Sul telefono spegni e riaccendi il Bluetooth|Riavvia Bluetooth",
        "Zet Bluetooth op je telefoon uit en weer aan|Bluetooth uit en aan")
    case .oneMoment: pick("One moment", "Moment", "Un instant", "Un momento", "Un attimo", "Moment")
    case .fileIsMissing:
      pick(
        "Its file is missing|No file", "Die Datei fehlt|Datei fehlt", "Fichier absent",
        "Falta el archivo", "Manca il file", "Bestand ontbreekt|Geen bestand")
    case .arrived: pick("Arrived", "Am Ziel", "Arrivé", "Llegada", "Arrivato", "Je bent er")
    case .noRide:
      pick(
        "No ride yet|No ride", "Noch keine Fahrt|Keine Fahrt", "Pas encore de trajet|Aucun trajet",
        "Aún sin tour|Sin tour", "Ancora nessun giro|Nessun giro", "Nog geen rit|Geen rit")
    case .pause: pick("Pause", "Pause", "Pause", "Pausa", "Pausa", "Pauze")
    case .average: pick("avg", "Ø", "moy.", "med.", "med.", "gem.")
    case .atHome:
      pick(
        "At home|Home", "Zu Hause", "À la maison|Chez toi", "En casa|Casa", "A casa|Casa", "Thuis")
    case .ownBattery:
      pick(
        "Lenker’s battery|Battery", "Lenkers Akku|Akku", "Batterie de Lenker|Batterie",
        "Batería de Lenker|Batería", "Batteria di Lenker|Batteria", "Accu van Lenker|Accu")
    case .music: pick("Music", "Musik", "Musique", "Música", "Musica", "Muziek")
    case .nothingPlays:
      pick(
        "Nothing playing|Nothing", "Es läuft nichts|Nichts", "Aucune lecture|Rien",
        "No suena nada|Nada", "Nessun brano|Niente", "Er speelt niets|Niets")
    case .nextOrPause:
      pick(
        "\u{E042} Next, 1\u{A0}s: pause|\u{E042} Next",
        "\u{E042} Weiter, 1\u{A0}s: Pause|\u{E042} Weiter",
        "\u{E042} Suite, 1\u{A0}s\u{A0}: pause|\u{E042} Suite",
        "\u{E042} Otro, 1\u{A0}s: pausa|\u{E042} Otro",
        "\u{E042} Altro, 1\u{A0}s: pausa|\u{E042} Altro",
        "\u{E042} Ander, 1\u{A0}s: pauze|\u{E042} Ander")
    case .call: pick("Call", "Anruf", "Appel", "Llamada", "Chiamata", "Oproep")
    case .now: pick("Now", "Jetzt", "Ici", "Ya", "Ora", "Nu")
    case .hours: pick("h", "h", "h", "h", "h", "u")
    case .start: pick("Start", "Start", "Départ", "Salida", "Partenza", "Start")
    case .finish: pick("Finish", "Ziel", "Arrivée", "Meta", "Arrivo", "Finish")
    case .noLink:
      pick(
        "No link|Lost", "Getrennt|Weg", "Déconnecté|Coupé", "Sin señal|Sin BT",
        "Scollegato|Offline", "Verbroken|Kwijt")
    case .noNews:
      pick(
        "No news|% old", "Nichts Neues|Keine Info|% alt", "Sans info|Il y a",
        "Sin noticias|Sin info|Hace", "Nessuna info|Niente info|% fa",
        "Geen nieuws|Geen info|% oud")
    case .offRoute:
      pick(
        "Off route", "Route verlassen|Abseits", "Hors parcours|Hors route|Perdu",
        "Fuera de ruta|Fuera", "Fuori percorso|Deviato", "Buiten route|Van route")
    case .goBack:
      pick(
        "Go back to the route|Back to route|Go back", "Zurück zur Route|Zurück",
        "Reviens au parcours|Reviens", "Vuelve a la ruta|Vuelve", "Torna sul percorso|Torna",
        "Ga terug naar de route|Terug naar route|Ga terug")
    }
  }
}
