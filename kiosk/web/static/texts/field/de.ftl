records = nimmt auf
recording = Aufnahme
record-table = Diesen Tisch aufnehmen
record-end = Aufnahme beenden
record-note = Der Film bleibt auf diesem Gerät. Niemand bekommt ihn, außer ihr speichert einen Bericht und gebt ihn weiter.
record-drops = { $count ->
    [one] 1 Bild fehlt.
   *[other] { $count } Bilder fehlen.
}
keep-call = Das war falsch: behalten
keep-title = Was der Bericht enthält
keep-part = Die Sekunden davor und danach
keep-whole = Das ganze Spiel
keep-holds = { $seconds } s Film ohne Ton, { $pictures } { $pictures ->
    [one] Bild
   *[other] Bilder
 }, { $megabytes } MB; { $events } { $events ->
    [one] Ereignis
   *[other] Ereignisse
 }, { $calls } { $calls ->
    [one] Entscheidung
   *[other] Entscheidungen
 }; Deck { $deck }; { $named ->
    [yes] die Namen der Spieler
   *[no] Plätze statt Namen
 }.
keep-recording = Aufnahme behalten
keep-game = Aufnahme
keep-game-note = Was sollte man dazu wissen?
keep-picture = Bild { $number } von { $count } des Films
part-do = Zieh ein Rechteck über das, was der Bericht zeigen darf. Was außen liegt, wird schwarz.
part-frame = Der Teil des Bildes, den der Bericht enthält. Pfeiltasten verschieben ihn, mit Umschalt ändern sie seine Größe.
part-whole = Das ganze Bild
part-all = Das ganze Bild bleibt.
part-is = { $width } % der Breite und { $height } % der Höhe bleiben, der Rest wird schwarz.
keep-note = Was war falsch?
keep-names = Mit den Namen { $names }
keep-free = Alle dürfen ihn für alles verwenden (CC0)
keep-save = Bericht speichern
keep-saved = Auf diesem Gerät gespeichert ({ $megabytes } MB). Er bleibt hier, bis ihr ihn weitergebt.
label-film = Der Film um diesen Moment
label-right = Stimmt
label-wrong = Falsch
label-missing = Hier fehlt etwas
label-back = Zurück
label-earlier = Ein Bild früher
label-later = Ein Bild später
label-again = Noch einmal
label-light = Das Licht am Tisch (Lampe, Tageslicht, …)
label-done = Alles ist beurteilt.
label-count = { $number } von { $count }.
label-said-right = Als richtig beurteilt.
label-said-wrong = Als falsch beurteilt.
label-added = { $count } ergänzt.
label-saved = Gespeichert als { $file }; { $due } Entscheidungen sind fällig.
label-placed = { $card } wurde gelegt: { $place }
label-removed = { $card } wurde weggenommen: { $place }
label-kind-placed = gelegt
label-kind-removed = weggenommen
label-what = Was geschah
label-card = Karte
label-place = Ort
label-other-place = Ein anderer Ort
label-seat = Wessen
label-nobody = von niemandem, oder unbekannt
label-so = So war es
label-nothing = Es geschah nichts
