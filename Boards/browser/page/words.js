// The page's own texts. What the panel says comes from the device, in more languages than these.

const texts = {
  en: {
    lead: "A bicycle navigation display, riding in your browser: the firmware itself, without a bicycle.",
    hint: "A: the next page; held for 1 s: the brightness. B: which phone it is; held for 3 s: forgets it.",
    phoneShows: "The phone shows", sameDigits: "If the panel shows the same, press A, else B.",
    alert: "Alert",
    ride: "Ride", whichRide: "Ride", tour: "A tour", short: "Two turns", ownRide: "Your file", speed: "Speed",
    pause: "Pause", arrive: "Arrive", again: "Ride again", open: "Open a ride …",
    drop: "A ride of your own is a CSV file: milliseconds, direction, distance, street. Drop it anywhere on the page.",
    phone: "Phone", lose: "Lose the phone", find: "Bring it back", tunnel: "Tunnel",
    whichPhone: "App", komoot: "komoot", gadgetbridge: "OsmAnd by Gadgetbridge",
    gadgetbridgeNote: "With Gadgetbridge the phone connects by itself, and writes what OsmAnd says last, in English.",
    loseNote: "Without the phone the last turn stays, with its age; the search goes on by itself.",
    tunnelNote: "In a tunnel the phone rides on, but has nothing new to say.",
    pauseNote: "In a pause it says the same again.",
    board: "Board", panel: "Panel", rotation: "Mounting", level: "level", upright: "upright, right edge up",
    upsideDown: "upside down", uprightLeft: "upright, left edge up", colour: "Colour", blue: "blue", white: "white",
    language: "Language", units: "Units", metric: "metric", imperial: "imperial", save: "Save the picture",
    extra: "Extra figure", extraAuto: "automatic", extraNone: "nothing", extraSpeed: "speed", extraHeart: "pulse", extraCadence: "cadence",
    extraPower: "power", extraSeconds: "seconds to the turn", extraClock: "time of day",
    notifications: "Notifications", notificationsOff: "none", notificationsCalls: "calls", notificationsAll: "all",
    music: "Music", off: "off", on: "on",
    sensorsTitle: "Sensors", strap: "Heart rate strap", wheel: "Sensor at the wheel", crank: "Sensor at the crank", radar: "Rear radar",
    pulse: "Pulse", wheelSpeed: "Speed of the wheel", cadence: "Cadence", vehicle: "A vehicle comes",
    figures: { strap: "bpm", wheel: "km/h", crank: "rpm" }, sensorOff: "off", sensorNear: "not connected",
    sensorsNote: "Switch one on and press A until the panel shows the sensors. There B searches for it, and A keeps what is offered. A turn that is due takes the panel, so pause the ride first.",
    standNote: "In a pause wheel and crank stand until you move their sliders. A vehicle takes 14 seconds to catch up with you. Three sensors at a time have a link; the pulse comes last.",
    iphone: "iPhone", iphoneNote: "With komoot in front. Clock, calls, notifications and music come by Apple’s own services.",
    android: "Android with Gadgetbridge", androidNote: "With OsmAnd. Time, calls, notifications and music come as lines, as the turns do.",
    otherPhone: "The ride has the other phone.", choosePhone: "Ride with this one",
    callTitle: "A call", caller: "Caller", callerName: "Anna Invented", ring: "Call", hangUp: "Hang up",
    calls: ["", "It rings: A takes the call, B refuses it.", "The call was taken.", "The call was refused."],
    notificationTitle: "A notification", from: "Title", fromText: "Bakery", message: "Text", messageText: "The bread is ready.", notify: "Send",
    notifyNote: "It shows when no turn is near.",
    play: "Play", stop: "Stop", next: "Next song", nextNote: "Music has a page of its own. B plays the next song there.",
    events: "Events", topics: "Topics", navigation: "navigation", radio: "radio", sensors: "sensors", deviceTopic: "device",
    inside: "Behind the panel is a model of its controller: you see what the I²C messages make of it. The phone and the radio are models, too; the pairing between them is a real one.",
    licences: "Licences of all parts",
    bus: (bytes, messages, time) => `Last picture: ${bytes} bytes in ${messages} I²C messages, ${time} ms at 400 kHz.`,
    away: "out of reach", searching: "near by, not connected", connected: "connected", encrypted: "connected, encrypted",
    dark: "The panel is dark.",
    problems: [
      "", "This is no ride: its first line is not “milliseconds,direction,distance,street”.", "The ride has no instruction.",
      "Line {line}: a row has four columns: milliseconds, direction, distance, street.",
      "Line {line}: milliseconds, direction (to 255) and distance in metres are whole numbers.",
      "Line {line} is earlier than the one above it.", "Line {line}: a quotation mark is in the wrong place.",
      "Line {line}: the file is not UTF-8.", "The ride has more than 100,000 instructions.",
    ],
    tooLarge: "The file is larger than 4 MB: no ride is.",
    settings: "The settings in the address do not work: ", failed: "The device could not be started: ", stopped: "The device has stopped; reload the page: ",
    directions: [
      "", "straight on", "start", "finish", "slight left", "left", "sharp left", "sharp right", "right", "slight right",
      "fork right", "fork left", "U-turn", "point of interest", "roundabout", "roundabout, exit left", "roundabout, exit right",
    ],
    arrived: "arrived", colon: ":", roundabout: "roundabout", unknown: "unknown direction",
  },
  de: {
    lead: "Eine Fahrradnavigation, die im Browser fährt: die Firmware selbst, nur ohne Fahrrad.",
    hint: "A: die nächste Seite; 1 s gehalten: die Helligkeit. B: welches Handy es ist; 3 s gehalten: vergisst es.",
    phoneShows: "Das Handy zeigt", sameDigits: "Zeigt das Display dasselbe, drück A, sonst B.",
    alert: "Signal",
    ride: "Fahrt", whichRide: "Fahrt", tour: "Eine Tour", short: "Zweimal abbiegen", ownRide: "Deine Datei", speed: "Tempo",
    pause: "Pause", arrive: "Ankommen", again: "Noch einmal", open: "Fahrt öffnen …",
    drop: "Eine eigene Fahrt ist eine CSV-Datei: milliseconds, direction, distance, street. Zieh sie irgendwo auf die Seite.",
    phone: "Handy", lose: "Handy verlieren", find: "Zurückholen", tunnel: "Tunnel",
    whichPhone: "App", komoot: "komoot", gadgetbridge: "OsmAnd über Gadgetbridge",
    gadgetbridgeNote: "Mit Gadgetbridge verbindet sich das Handy von selbst und schreibt, was OsmAnd zuletzt gesagt hat, auf Englisch.",
    loseNote: "Ohne Handy bleibt die letzte Anweisung, mit ihrem Alter; gesucht wird von selbst.",
    tunnelNote: "Im Tunnel fährt das Handy weiter, hat aber nichts Neues zu sagen.",
    pauseNote: "In einer Pause sagt es noch einmal dasselbe.",
    board: "Gerät", panel: "Display", rotation: "Einbau", level: "waagerecht", upright: "hochkant, rechter Rand oben",
    upsideDown: "kopfüber", uprightLeft: "hochkant, linker Rand oben", colour: "Farbe", blue: "blau", white: "weiß",
    language: "Sprache", units: "Einheiten", metric: "metrisch", imperial: "imperial", save: "Bild speichern",
    extra: "Zusatz", extraAuto: "automatisch", extraNone: "nichts", extraSpeed: "Tempo", extraHeart: "Puls", extraCadence: "Trittfrequenz",
    extraPower: "Leistung", extraSeconds: "Sekunden bis zum Abbiegen", extraClock: "Uhrzeit",
    notifications: "Mitteilungen", notificationsOff: "keine", notificationsCalls: "Anrufe", notificationsAll: "alle",
    music: "Musik", off: "aus", on: "an",
    sensorsTitle: "Sensoren", strap: "Brustgurt", wheel: "Sensor am Rad", crank: "Sensor an der Kurbel", radar: "Radar hinten",
    pulse: "Puls", wheelSpeed: "Tempo des Rads", cadence: "Trittfrequenz", vehicle: "Ein Auto kommt",
    figures: { strap: "bpm", wheel: "km/h", crank: "U/min" }, sensorOff: "aus", sensorNear: "nicht verbunden",
    sensorsNote: "Schalte einen ein und drück A, bis das Display die Sensoren zeigt. Dort sucht B danach, und A behält, was angeboten wird. Steht ein Abbiegen an, zeigt das Display nur das: Mach vorher eine Pause.",
    standNote: "In einer Pause stehen Rad und Kurbel, bis du ihre Regler bewegst. Ein Auto braucht 14 Sekunden, bis es dich einholt. Drei Sensoren zugleich sind verbunden; der Puls kommt zuletzt.",
    iphone: "iPhone", iphoneNote: "Mit komoot im Vordergrund. Uhrzeit, Anrufe, Mitteilungen und Musik kommen über Apples eigene Dienste.",
    android: "Android mit Gadgetbridge", androidNote: "Mit OsmAnd. Uhrzeit, Anrufe, Mitteilungen und Musik kommen als Zeilen, wie die Anweisungen.",
    otherPhone: "Die Fahrt hat das andere Handy.", choosePhone: "Mit diesem fahren",
    callTitle: "Ein Anruf", caller: "Wer anruft", callerName: "Anna Erfunden", ring: "Anrufen", hangUp: "Auflegen",
    calls: ["", "Es klingelt: A nimmt den Anruf an, B lehnt ihn ab.", "Der Anruf ist angenommen.", "Der Anruf ist abgelehnt."],
    notificationTitle: "Eine Mitteilung", from: "Titel", fromText: "Bäckerei", message: "Text", messageText: "Das Brot ist fertig.", notify: "Senden",
    notifyNote: "Sie erscheint, wenn kein Abbiegen bevorsteht.",
    play: "Abspielen", stop: "Anhalten", next: "Nächstes Lied", nextNote: "Die Musik hat eine eigene Seite. Dort spielt B das nächste Lied.",
    events: "Ereignisse", topics: "Themen", navigation: "Navigation", radio: "Funk", sensors: "Sensoren", deviceTopic: "Gerät",
    inside: "Hinter dem Display steckt ein Modell seines Controllers: Du siehst, was die I²C-Nachrichten daraus machen. Auch Handy und Funk sind Modelle; die Kopplung zwischen ihnen ist echt.",
    licences: "Lizenzen aller Teile",
    bus: (bytes, messages, time) => `Letztes Bild: ${bytes} Bytes in ${messages} I²C-Nachrichten, ${time} ms bei 400 kHz.`,
    away: "außer Reichweite", searching: "in der Nähe, nicht verbunden", connected: "verbunden", encrypted: "verbunden, verschlüsselt",
    dark: "Das Display ist dunkel.",
    problems: [
      "", "Das ist keine Fahrt: Die erste Zeile ist nicht „milliseconds,direction,distance,street“.", "Die Fahrt hat keine Anweisung.",
      "Zeile {line}: Eine Zeile hat vier Spalten: milliseconds, direction, distance, street.",
      "Zeile {line}: milliseconds, direction (bis 255) und distance in Metern sind ganze Zahlen.",
      "Zeile {line} ist früher als die darüber.", "Zeile {line}: Ein Anführungszeichen steht an der falschen Stelle.",
      "Zeile {line}: Die Datei ist nicht in UTF-8.", "Die Fahrt hat mehr als 100.000 Anweisungen.",
    ],
    tooLarge: "Die Datei ist größer als 4 MB, und so groß ist keine Fahrt.",
    settings: "Die Einstellungen in der Adresse gehen nicht: ", failed: "Das Gerät ließ sich nicht starten: ", stopped: "Das Gerät steht still; lade die Seite neu: ",
    directions: [
      "", "geradeaus", "Start", "Ziel", "halb links", "links", "scharf links", "scharf rechts", "rechts", "halb rechts",
      "rechts halten", "links halten", "wenden", "Sehenswürdigkeit", "Kreisverkehr", "Kreisverkehr, Ausfahrt links", "Kreisverkehr, Ausfahrt rechts",
    ],
    arrived: "am Ziel", colon: ":", roundabout: "Kreisverkehr", unknown: "Richtung unbekannt",
  },
  fr: {
    lead: "Un écran de navigation pour vélo qui roule dans ton navigateur : le micrologiciel lui-même, sans le vélo.",
    hint: "A : la page suivante ; appui de 1 s : la luminosité. B : le téléphone associé ; appui de 3 s : l’oublier.",
    phoneShows: "Le téléphone affiche", sameDigits: "Si l’écran affiche la même chose, appuie sur A, sinon sur B.",
    alert: "Alerte",
    ride: "Trajet", whichRide: "Trajet", tour: "Une randonnée", short: "Deux virages", ownRide: "Ton fichier", speed: "Vitesse",
    pause: "Pause", arrive: "Arriver", again: "Recommencer", open: "Ouvrir un trajet…",
    drop: "Ton propre trajet est un fichier CSV : milliseconds, direction, distance, street. Dépose-le n’importe où sur la page.",
    phone: "Téléphone", lose: "Perdre le téléphone", find: "Le retrouver", tunnel: "Tunnel",
    whichPhone: "Appli", komoot: "komoot", gadgetbridge: "OsmAnd par Gadgetbridge",
    gadgetbridgeNote: "Avec Gadgetbridge, le téléphone se connecte de lui-même et écrit ce qu’OsmAnd a dit en dernier, en anglais.",
    loseNote: "Sans téléphone, la dernière instruction reste, avec son âge ; la recherche continue d’elle-même.",
    tunnelNote: "Dans un tunnel, le téléphone continue de rouler, mais n’a rien de nouveau à dire.",
    pauseNote: "En pause, il répète la même chose.",
    board: "Appareil", panel: "Écran", rotation: "Montage", level: "horizontal", upright: "vertical, bord droit en haut",
    upsideDown: "à l’envers", uprightLeft: "vertical, bord gauche en haut", colour: "Couleur", blue: "bleu", white: "blanc",
    language: "Langue", units: "Unités", metric: "métriques", imperial: "impériales", save: "Enregistrer l’image",
    extra: "En plus", extraAuto: "automatique", extraNone: "rien", extraSpeed: "vitesse", extraHeart: "pouls", extraCadence: "cadence",
    extraPower: "puissance", extraSeconds: "secondes avant de tourner", extraClock: "heure",
    notifications: "Notifications", notificationsOff: "aucune", notificationsCalls: "appels", notificationsAll: "toutes",
    music: "Musique", off: "non", on: "oui",
    sensorsTitle: "Capteurs", strap: "Ceinture cardio", wheel: "Capteur de roue", crank: "Capteur de pédalier", radar: "Radar arrière",
    pulse: "Pouls", wheelSpeed: "Vitesse de la roue", cadence: "Cadence", vehicle: "Une voiture arrive",
    figures: { strap: "bpm", wheel: "km/h", crank: "tr/min" }, sensorOff: "éteint", sensorNear: "non connecté",
    sensorsNote: "Allumes-en un et appuie sur A jusqu’à la page des capteurs. Là, B le cherche et A garde ce qui est proposé. Un virage proche prend l’écran : fais d’abord une pause.",
    standNote: "En pause, la roue et le pédalier s’arrêtent, tant que tu ne bouges pas leurs curseurs. Une voiture met 14 secondes à te rattraper. Trois capteurs à la fois sont connectés ; le pouls vient en dernier.",
    iphone: "iPhone", iphoneNote: "Avec komoot au premier plan. Heure, appels, notifications et musique passent par les services d’Apple.",
    android: "Android avec Gadgetbridge", androidNote: "Avec OsmAnd. Heure, appels, notifications et musique arrivent en lignes, comme les instructions.",
    otherPhone: "Le trajet se fait avec l’autre téléphone.", choosePhone: "Rouler avec celui-ci",
    callTitle: "Un appel", caller: "Qui appelle", callerName: "Anna Inventée", ring: "Appeler", hangUp: "Raccrocher",
    calls: ["", "Ça sonne : A prend l’appel, B le refuse.", "L’appel a été pris.", "L’appel a été refusé."],
    notificationTitle: "Une notification", from: "Titre", fromText: "Boulangerie", message: "Texte", messageText: "Le pain est prêt.", notify: "Envoyer",
    notifyNote: "Elle s’affiche quand aucun virage n’est proche.",
    play: "Lire", stop: "Arrêter", next: "Morceau suivant", nextNote: "La musique a sa propre page. B y lance le morceau suivant.",
    events: "Événements", topics: "Thèmes", navigation: "navigation", radio: "radio", sensors: "capteurs", deviceTopic: "appareil",
    inside: "Derrière l’écran se trouve un modèle de son contrôleur : tu vois ce que les messages I²C en font. Le téléphone et la radio sont aussi des modèles ; leur association, elle, est réelle.",
    licences: "Licences de toutes les parties",
    bus: (bytes, messages, time) => `Dernière image : ${bytes} octets en ${messages} messages I²C, ${time} ms à 400 kHz.`,
    away: "hors de portée", searching: "à proximité, non connecté", connected: "connecté", encrypted: "connecté, chiffré",
    dark: "L’écran est éteint.",
    problems: [
      "", "Ce n’est pas un trajet : sa première ligne n’est pas « milliseconds,direction,distance,street ».", "Le trajet n’a aucune instruction.",
      "Ligne {line} : une ligne a quatre colonnes : milliseconds, direction, distance, street.",
      "Ligne {line} : milliseconds, direction (jusqu’à 255) et distance en mètres sont des nombres entiers.",
      "La ligne {line} est antérieure à la précédente.", "Ligne {line} : un guillemet est mal placé.",
      "Ligne {line} : le fichier n’est pas en UTF-8.", "Le trajet a plus de 100 000 instructions.",
    ],
    tooLarge: "Le fichier dépasse 4 Mo : aucun trajet n’est aussi grand.",
    settings: "Les réglages de l’adresse ne conviennent pas : ", failed: "L’appareil n’a pas pu démarrer : ", stopped: "L’appareil s’est arrêté ; recharge la page : ",
    directions: [
      "", "tout droit", "départ", "arrivée", "légèrement à gauche", "à gauche", "virage serré à gauche", "virage serré à droite", "à droite", "légèrement à droite",
      "reste à droite", "reste à gauche", "demi-tour", "point d’intérêt", "rond-point", "rond-point, sortie à gauche", "rond-point, sortie à droite",
    ],
    arrived: "arrivé", colon: " :", roundabout: "rond-point", unknown: "direction inconnue",
  },
};

let text = texts.en;

/** Writes the page in a language, in English where there is none. */
function speak(language) {
  const known = Object.hasOwn(texts, language) ? language : "en";
  // A mark that French sets apart stays on the line of its word, and a unit on that of its number.
  const written = (words) => words.replace(/ (?=[:;?!])|(?<=\d) (?=s\b)/g, "\u00a0");
  const one = (words) => (typeof words === "string" ? written(words) : words);
  const named = ([key, words]) => [key, Array.isArray(words) ? words.map(one) : one(words)];
  text = Object.fromEntries(Object.entries(texts[known]).map(named));
  document.documentElement.lang = known;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) element.ariaLabel = text[element.dataset.label];
  for (const element of document.querySelectorAll("[data-value]")) {
    // What the reader has written stays.
    const isOurs = element.value === element.defaultValue;
    element.defaultValue = text[element.dataset.value];
    if (isOurs) element.value = element.defaultValue;
  }
}

/** komoot's directions for the actions of Gadgetbridge, as events have them. */
const actions = new Map(Object.entries({
  continue: 1, finish: 3, left_slight: 4, left: 5, left_sharp: 6, right_sharp: 7, right: 8, right_slight: 9,
  keep_right: 10, keep_left: 11, uturn: 12, roundabout: 14, offroute: 30,
}));

/** The direction that an event says, by komoot's number or by Gadgetbridge's word; 255 is none of them. */
function directionOf(instruction) {
  return instruction.source === "gadgetbridge" ? actions.get(instruction.action) ?? 255 : instruction.direction;
}

/** The word for one of komoot's directions. */
function directionWord(direction) {
  if (direction >= 17 && direction <= 29) return text.roundabout;
  return text.directions[direction] ?? text.unknown;
}
