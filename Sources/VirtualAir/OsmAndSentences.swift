/// Sentences of OsmAnd's voice with invented streets, for the navigators of the page, the bench and the tests.
///
/// A line has a language, Gadgetbridge's action, the metres from which on it is spoken, the sentence with its blanks,
/// and the street in it, if any, as the panel shows it. The action is `*` on the way to any turn, and `other` for
/// sentences that no navigator says. OsmAnd's scripts made the sentences. The bench reads this file, too.
package enum OsmAndSentences {
  package static let lines = """
    en|*|9999|Continue for 300 meters to  Heron Lane|Heron Lane
    en|left|319|after 300 meters, turn left onto  Heron Lane|Heron Lane
    en|left|61|in 60 meters, turn left onto  Heron Lane|Heron Lane
    en|left|12|turn left onto  Heron Lane|Heron Lane
    en|left_slight|61|turn slightly left onto  Copper Beech Road|Copper Beech Road
    en|left_sharp|61|turn sharply left onto  Old Tannery Way|Old Tannery Way
    en|right|319|after 300 meters, turn right onto  Road to the Fen|Road to the Fen
    en|right|61|in 60 meters, turn right onto  Road to the Fen|Road to the Fen
    en|right|12|turn right onto  Road to the Fen|Road to the Fen
    en|right_slight|61|turn slightly right onto  St. Alban's Close|St. Alban's Close
    en|right_sharp|61|turn sharply right onto  3rd Orchard Street|3rd Orchard Street
    en|keep_left|61|keep left onto  Left Bank|Left Bank
    en|keep_right|61|keep right onto  Exit Road|Exit Road
    en|uturn_left|61|make a U turn on  Heron Lane|Heron Lane
    en|roundabout|319|after 300 meters enter a roundabout|
    en|roundabout|61|in 60 meters enter the roundabout, and take the second exit onto  Copper Beech Road|Copper Beech Road
    en|roundabout|12|take the second exit onto  Copper Beech Road|Copper Beech Road
    en|offroute|9999|You have been off the route for 80 meters|
    en|other|0|turn right onto A 361;  Quarry Hill|A 361 Quarry Hill
    en|other|0|in 90 meters, turn left onto B4 toward Little Marsh|B4
    en|other|0|Attention, pedestrian crosswalk|
    en|other|0|Route recalculated, distance about 4 kilometers time is  15 minutes. |
    en|other|0|g p s signal lost|
    en|other|0|in.ogg|
    de|*|9999|Dem Strassenverlauf 300 Meter folgen bis zur  Große Präsidentenstraße|Große Präsidentenstraße
    de|left|319|Demnächst  nach 300 Metern links abbiegen auf die  Große Präsidentenstraße|Große Präsidentenstraße
    de|left|61|nach 60 Metern links abbiegen auf die  Große Präsidentenstraße|Große Präsidentenstraße
    de|left|12|links abbiegen auf die  Große Präsidentenstraße|Große Präsidentenstraße
    de|left_slight|61|leicht links abbiegen auf den  Mühlgrabenweg|Mühlgrabenweg
    de|left_sharp|61|scharf links abbiegen auf   Auf der Höhe|Auf der Höhe
    de|right|319|Demnächst  nach 300 Metern rechts abbiegen auf die  Kleine Ziegelgasse|Kleine Ziegelgasse
    de|right|61|nach 60 Metern rechts abbiegen auf die  Kleine Ziegelgasse|Kleine Ziegelgasse
    de|right|12|rechts abbiegen auf die  Kleine Ziegelgasse|Kleine Ziegelgasse
    de|right_slight|61|leicht rechts abbiegen auf   Am Alten Güterbahnhof|Am Alten Güterbahnhof
    de|right_sharp|61|scharf rechts abbiegen auf den  Krähenpfad|Krähenpfad
    de|keep_left|61|links einordnen auf   Achtung|Achtung
    de|keep_right|61|rechts einordnen auf   Die Breite|Die Breite
    de|uturn_left|61|Bitte wenden auf   Auf der Höhe|Auf der Höhe
    de|roundabout|319|Demnächst  nach 300 Metern einbiegen in Kreisverkehr|
    de|roundabout|61|nach 60 Metern in den Kreisverkehr einfahren, , dann nehmen Sie die zweite Ausfahrt auf den  Mühlgrabenweg|Mühlgrabenweg
    de|roundabout|12|nehmen Sie die zweite Ausfahrt auf den  Mühlgrabenweg|Mühlgrabenweg
    de|offroute|9999|Sie weichen von der Route ab seit 80 Metern|
    de|other|0|links abbiegen auf die B 273,  Lange Ziegelstraße|B 273 Lange Ziegelstraße
    de|other|0|rechts abbiegen auf  Nach der Furt Richtung Neu Wustrow|Nach der Furt
    de|other|0|Achtung, Bahnübergang|
    de|other|0|Die berechnete Strecke ist 12 Kilometer lang, Zeit  45 Minuten. |
    de|other|0|, dann |
    fr|*|9999|continuez pendant 300 mètres vers  Rue du Pont sur Sambre|Rue du Pont sur Sambre
    fr|left|61|à 60 mètres tournez à gauche sur  Rue du Pont sur Sambre|Rue du Pont sur Sambre
    fr|right|61|tournez à droite sur D 943,  Chemin Vers le Bois|D 943 Chemin Vers le Bois
    fr|roundabout|61|dans 50 mètres entrez dans le rond-point  et prenez la 2ème sortie sur  Allée des Charmes|Allée des Charmes
    fr|other|0|attention, ralentisseur|
    fr|other|0|vous avez dévié de l'itinéraire depuis 80 mètres|
    es|*|9999|Continúa por 300 metros hacia  Calle de la Ribera Alta|Calle de la Ribera Alta
    es|left|61|en 60 metros, gira a la izquierda en  Calle de la Ribera Alta|Calle de la Ribera Alta
    es|right|61|gira a la derecha en  Senda del Pinar   Norte|Senda del Pinar Norte
    es|roundabout|61|en 60 metros entra en la rotonda, y toma la segunda salida en N 340 hacia Vega|N 340
    es|other|0|Ruta de 12 kilómetros, tiempo  45 minutos. |
    es|other|0|señal GPS perdida|
    it|*|9999|Seguite la strada per 300 metri fino a  Via del Mulino Vecchio|Via del Mulino Vecchio
    it|left|61|fra 60 metri girate a sinistra su  Via del Mulino Vecchio|Via del Mulino Vecchio
    it|right|61|girate a destra in SP 46 |SP 46
    it|roundabout|61|fra 60 metri entrate nella rotonda, poi prendete la seconda uscita su  Viale in Salita|Viale in Salita
    it|other|0|Attenzione, |
    it|other|0|Siete tornati sul percorso|
    nl|*|9999|De weg 300 meter volgen naar  Laan naar Oud Veer|Laan naar Oud Veer
    nl|left|61|Na 60 meter links afslaan naar  Laan naar Oud Veer|Laan naar Oud Veer
    nl|right|61|scherpe bocht naar rechts naar N201,  naar Elshout|N201
    nl|roundabout|61|Na 60 meter de rotonde oprijden en neem dan de tweede afslag naar  De Weg|De Weg
    nl|other|0|let op, spoorweg overgang|
    nl|other|0|je bent weer op de route|
    """
}
