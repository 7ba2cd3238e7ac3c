hour = Diesen Tisch einrichten
hour-first = Neu hier? Sechs Schritte, unter zehn Minuten: Kamera, Tisch, Karten, Lampen, ein erster Wurf.
hour-steps = Schritte
hour-leave = Verlassen
hour-ended = Die Einrichtung ist zu Ende.
hour-starting = Die Kamera wird geöffnet …
hour-step-camera = Kamera
hour-step-table = Tisch
hour-step-deck = Karten
hour-step-lamps = Lampen
hour-step-trial = Probe
hour-step-check = Prüfen
hour-mark-open = offen
hour-mark-passed = bestanden
hour-mark-skipped = übersprungen
hour-next = Weiter: { $step }
hour-finish = Zum ersten Spiel
hour-skip = Überspringen
hour-skip-words = Ein übersprungener Schritt bleibt auf der Zustandsseite offen.
hour-stop = Anhalten
hour-unreached = Das Gerät am Tisch antwortet nicht. Kurz warten, dann noch einmal versuchen.
hour-again = Noch einmal
hour-picture = Livebild der Kamera
hour-progress = Wie weit es ist
hour-said = Was der Befehl sagte

hour-camera-do = Richten Sie die Kamera auf den ganzen Tisch. Drehen Sie am Fokus, bis die Anzeige nicht mehr steigt.
hour-camera-go = Prüfen und festhalten
hour-focus = Fokus
hour-focus-good = scharf
hour-focus-bad = unscharf: am Objektiv drehen
hour-light = Licht
hour-light-good = gut
hour-light-dark = dunkel: mehr Licht
hour-light-bright = zu hell: weniger Licht

hour-lens = Objektiv vermessen (freiwillig)
hour-lens-why = Ein vermessenes Objektiv macht einen Tisch ohne Matte genauer. Die Tafel druckt fairdeal print board.
hour-lens-go = Objektiv vermessen
hour-lens-do = Halten Sie die gedruckte Tafel so, wie die Zeile unten sagt: Mitte, Ränder, Ecken, gekippt.

hour-table-do-mat = Legen Sie die gedruckte Matte auf den Tisch, ganz im Bild, ohne Hände darüber.
hour-table-do-corners = Ziehen Sie die vier Punkte auf die Ecken des Tisches. Platz 1 sitzt an der markierten Seite.
hour-mat = Gedruckte Matte
hour-corners = Vier Ecken
hour-markers = { $count ->
    [0] Keine Marke der Matte ist zu sehen.
    [one] 1 Marke der Matte ist zu sehen.
   *[other] { $count } Marken der Matte sind zu sehen.
}
hour-table-go = Tisch vermessen
hour-turn = Platz 1 drehen
hour-corner = Ecke { $number }
hour-width = Entlang der Seite von Platz 1
hour-depth = Quer dazu
hour-cm = { $cm } cm
hour-table-proof = Das Gitter hat Felder von 5 cm. Es muss flach auf dem Tisch liegen.
hour-table-again = Neu vermessen

hour-deck-do = Mit welchen Karten wird gespielt?
hour-deck-use = { $deck } verwenden
hour-deck-in-use = in Gebrauch
hour-deck-own = Eigene Karten beibringen
hour-deck-name = Name des Kartensatzes
hour-deck-faces = { $count } Bilder
hour-deck-begin = Beginnen
hour-deck-other = Anderer Kartensatz
hour-teach-do = Legen Sie immer eine Karte offen auf den leeren Tisch. Ihr Bild wird von selbst aufgenommen.
hour-teach-go = Mit der Kamera beginnen
hour-teach-on = Mit der Kamera weiter
hour-asked = Legen Sie hin: { $face }
hour-taken = { $done } von { $count } aufgenommen
hour-skip-face = Diese Karte überspringen
hour-redo-face = Die letzte noch einmal
hour-photographs = Fotos …
hour-photographs-help = Eine Datei je Karte, nach ihr benannt: { $face }.jpg
hour-photograph = Foto
hour-photograph-of = Foto von { $face }
hour-retake = Neu aufnehmen
hour-retake-of = { $face } neu aufnehmen
hour-build = Kartensatz fertigstellen
hour-building = Der Kartensatz wird berechnet …
hour-missing = Es fehlen noch: { $faces }
hour-uploading = { $done } von { $count } gesendet
hour-unknown-file = { $name } ist nach keiner Karte dieses Spiels benannt.
hour-back = Rückseite
hour-teaching-hint = Tippen Sie auf eine Karte, um ein Foto von ihr zu geben.
hour-rows-do = { $count ->
    [one] Legen Sie diese Karte hin und fotografieren Sie sie:
   *[other] Legen Sie diese { $count } Karten in Reihen, in dieser Folge, einen Finger breit auseinander. Eine andere Folge geht auch: Ändern Sie dann die Namen.
}
hour-rows-go = Foto aufnehmen
hour-rows-files = Fotos von Reihen …
hour-finding = Die Karten werden gesucht …
hour-sheets = Fotos
hour-sheet-open = Foto { $number }: { $count } Karten
hour-sheet = { $count ->
    [one] 1 Karte gefunden
   *[other] { $count } Karten gefunden
}
hour-sheet-do = Vergleichen Sie jede Karte mit ihrem Namen. Ohne Namen bleibt eine Karte weg.
hour-sheet-right = Die Namen stimmen
hour-sheet-forget = Dieses Foto entfernen
hour-card-name = Karte { $number }
hour-card-edges = Ränder …
hour-card-twice = Diesen Namen gibt es zweimal.
hour-card-doubt = Vielleicht ist das keine Karte.
hour-lay-do = Ziehen Sie Ecken und Seiten auf den Rand der Karte; auch die Pfeiltasten bewegen sie. „Oben“ gehört an ihre obere Seite.
hour-lay-right = Die Ränder stimmen
hour-lay-turn = Um ein Viertel drehen
hour-back-to = Zurück
hour-card-top = Oben
hour-side = Seite { $number }
hour-doubt = Ist das { $face }?
hour-doubt-do = Läuft die grüne Linie am Rand der Karte entlang? Sonst ziehen Sie ihre Ecken und Seiten dorthin.
hour-why-outline = Dieser Rand gehört vielleicht zum Bild auf der Karte.
hour-why-faint = Die Karte hebt sich kaum vom Tisch ab.
hour-why-none = Hier wurde keine Karte gefunden.
hour-why-cut-off = Die Karte reicht vielleicht über das Bild hinaus.
hour-why-hand = Vielleicht liegt eine Hand auf der Karte.
hour-why-crowded = Auf der Karte oder daneben scheint etwas zu liegen.
hour-why-soft = Das Bild ist nicht ganz scharf.
hour-why-touching = Hier berühren sich zwei Karten.
hour-why-shape = Diese Karte scheint eine andere Form zu haben als die übrigen.
hour-why-strange = Vielleicht ist das keine Karte.
hour-why-several = Hier sind mehrere Karten zu sehen.
hour-doubt-right = Ja, das ist die Karte
hour-doubt-other = Ein anderer Umriss
hour-doubt-later = Später
hour-doubt-leave = Dieses Bild weglassen
hour-doubt-left = { $count ->
    [one] Die letzte zweifelhafte Karte.
   *[other] { $count } zweifelhafte Karten.
}
hour-one-by-one = Karte für Karte
hour-alike = Karten, die sich ähnlich sehen
hour-alike-do = Sind das zwei Karten, jede mit ihrem Namen? Ist es zweimal dieselbe, ändern Sie ihren Namen.
hour-alike-pair = { $one } und { $other }: zu { $percent } % ähnlich

hour-lamps-do = Jede Ansage hat ihr Licht und ihren Ton. Spielen Sie sie ab und sagen Sie, ob alle kamen.
hour-lamps-go = Alle abspielen
hour-lamps-came = Alle kamen
hour-lamps-missing = Etwas fehlt
hour-lamps-outputs = Abgespielt auf: { $outputs }
hour-call-mistake = Fehler
hour-call-corrected = Berichtigt
hour-call-complete = Vollständig
hour-call-notice = Hinweis
hour-call-win = Sieg
hour-call-tie = Unentschieden
hour-call-unsure = Unsicher
hour-call-lost = Tisch nicht zu sehen

hour-trial-do = Der Schiedsrichter beginnt ein Spiel mit dem gewählten Kartensatz. Werfen Sie eine Karte und sehen Sie, was er sagt.
hour-trial-go = Probe beginnen
hour-trial-wait = Werfen Sie eine Karte auf den Tisch.
hour-trial-deck = Kartensatz: { $deck }
hour-trial-seen = Gesehen: { $card } bei { $place }
hour-trial-sure = { $percent } % sicher
hour-trial-no-call = Kein Fehler.
hour-trial-question = War das richtig?
hour-trial-right = Richtig
hour-trial-wrong = Falsch

health-good = Alle Teile arbeiten.
health-part-good = arbeitet
health-part-warn = ansehen
health-part-bad = gestört
health-todo = Zu tun: { $todo }
health-parts = Teile
health-figures = Zahlen
health-errors = Letzte Fehler
health-no-errors = Kein Fehler wurde gemeldet.
health-open = Offene Schritte der Einrichtung
health-do-step = { $step }: jetzt erledigen
health-fps = Bilder je Sekunde
health-work = Arbeit an einem Bild
health-latency = Vom Bild zum Urteil
health-viewers = Bildschirme
health-drops = Ausgelassene Bilder
health-ms = { $ms } ms
health-none = –
part-camera = Kamera
part-referee = Schiedsrichter
part-journal = Protokoll
part-lamps = Lampen
part-disk = Speicher
part-temperature = Temperatur
part-power = Stromversorgung
part-speed = Geschwindigkeit
part-clock = Uhr
part-calibration = Kalibrierung

referee-stopped = Der Schiedsrichter hat angehalten.
referee-again = { $seconds ->
    [one] Er beginnt in höchstens einer Sekunde wieder.
   *[other] Er beginnt in höchstens { $seconds } Sekunden wieder.
}

question = Frage
question-is-it = War das { $card }?
question-which = Welche Karte liegt bei { $place }?
question-which-then = Welche Karte ist es dann?
question-table = Der Tisch ist anders als vorher. Ist er so richtig?
question-yes = Ja, { $card }
question-no = Nicht { $card }
question-other = Andere Karte …
question-look = Noch einmal ansehen
question-as-it-lies = So ist es richtig
question-seen = wie gesehen
question-see = Zeigen
question-later = Später
question-still-unsure = Immer noch unsicher: { $card }, { $percent } %.
question-not-seen = Dort sehe ich jetzt keine Karte.
question-thanks = Danke. Das Spiel wurde neu beurteilt.

option-help = Was das bedeutet
place-seat = Tippen Sie auf eine Seite des Tisches, um Spieler { $seat } dort zu setzen.
last-setting = Noch einmal
add-seat = { $side }: Spieler { $seat } hierher setzen
seats-clear = Neu setzen
seats-all = Alle sitzen.
set-up = Einrichten
