title = fairdeal
waiting-for-game = Es läuft kein Spiel.
no-connection = Die Verbindung zum Schiedsrichter fehlt. Die Seite versucht es weiter.
referee-away = Der Schiedsrichter läuft nicht.
all-good = Nichts zu berichtigen.
lamp-mistake = Fehler
lamp-complete = fertig
lamp-turn = am Zug
lamp-unsure = unsicher
seat = Platz { $seat }
players = { $count ->
    [one] { $count } Spieler
   *[other] { $count } Spieler
}
rule = Warum?
see-it = Ansehen
right = Stimmt
no-mistake = Kein Fehler
button-start = Start
button-undo = Zurück
button-end = Ende
button-draw = 1-2-3 ziehen
button-out = Ich bin fertig
button-no = Nein
button-done = Fertig
button-deck-empty = Stapel ist leer
which-seat = Welcher Platz?
cancel = Abbrechen
close = Schließen
calls = Entscheidungen
replay-of = Wiederholung
at-rest = in Ruhe
seen = gesehen
taught = gelernt
frame-of = { $at } s
that-card-is = Diese Karte ist …
it-was-seat = Es war Platz …
no-evidence = Die Bilder dazu sind (noch) nicht da.
overruled = Geändert. { $changed ->
    [0] Sonst ändert sich nichts.
    [one] 1 weitere Entscheidung ändert sich.
   *[other] { $changed } weitere Entscheidungen ändern sich.
}
pair-phone = Telefon verbinden
pair-words = Diese Adresse auf dem Telefon öffnen oder den Code scannen.
pair-digits = Sechs Ziffern vom Bildschirm am Tisch
pair-name = Name dieses Geräts
pair-now = Verbinden
paired = Verbunden.
paired-devices = Verbundene Geräte
remove = Entfernen
health = Zustand
camera = Kamera
frames-per-second = { $rate } Bilder pro Sekunde
work = { $ms } ms pro Bild
viewers = { $count ->
    [one] { $count } Bildschirm
   *[other] { $count } Bildschirme
}
menu = Menü
mute = Stumm
unmute = Ton an
new-game = Neues Spiel
game = Spiel
play-again = Noch einmal { $game }, { $players } Spieler
who-plays = Wer spielt?
fewer = ein Spieler weniger
more = ein Spieler mehr
seats = Plätze
seats-help = Tippe einen Platz an: Er wechselt zur nächsten Seite des Tisches, wie die Kamera ihn sieht.
side-bottom = unten
side-left = links
side-top = oben
side-right = rechts
options = Regeln
deck = Kartensatz
start-game = Schiedsrichter starten
end-game = Dieses Spiel beenden
history = Gespielte Spiele
no-games = Es wurde noch kein Spiel gespielt.
won-by = Platz { $seat } hat gewonnen
no-winner = kein Sieger
cut-off = nicht beendet
mistakes-made = { $count ->
    [0] Kein Fehler
    [one] 1 Fehler
   *[other] { $count } Fehler
}
download = Als JSON Lines speichern
back-to-table = Zurück zum Tisch
table = Der Tisch von oben
lamps = Lampen
lit = an
dark = aus
scores = Punkte
arrange = Ablagen verschieben
arrange-help = Ziehe eine Ablage dorthin, wo ihre Karten liegen. Tippe eine verschobene an, damit das Spiel sie wieder selbst findet.
drag = ziehen, oder mit den Pfeiltasten
lies-here = Hier liegt
nothing-lies = Hier liegt nichts.
said-card = Geändert: Es ist { $card }.
said-seat = Geändert: Es war { $who }.
said-no-mistake = Geändert: kein Fehler.
loading = Einen Moment …
play = abspielen
step-back = ein Bild zurück
step-on = ein Bild weiter
back-to-film = Zurück zu den Bildern
how-sure = wie sicher
sure = { $percent } % sicher
wins = Siege
mistakes-by-seat = Fehler nach Spieler
mistakes-by-rule = Fehler nach Regel
were-overruled = { $count ->
    [one] 1 Entscheidung geändert
   *[other] { $count } Entscheidungen geändert
}
film = Film
film-is-made = Der Film entsteht. Das dauert einige Sekunden.
save-film = Film speichern

# Spoken and written words of calls. One line each, variables only (kiosk/speech/catalogue.py).
or = oder
place-pile = Stapel { $number }
place-machine = Maschine { $number }
place-needs = { $place } braucht { $due }.
face-hat = Hut
face-t-shirt = T-Shirt
face-boxers = Boxershorts
face-pants = Hose
face-socks = Socken
face-sneakers = Turnschuhe
face-wild = Joker
face-unknown = unbekannte Karte
call-mistake-due = { $place } braucht { $due }, nicht { $card }. Nimm { $card } zurück.
call-mistake-card = { $card } gehört nicht auf { $place }. Nimm die Karte zurück.
call-corrected-card = Berichtigt: { $card }.
call-suds-false-start-mistake = Das Spiel hat nicht begonnen. Nimm { $card } zurück und warte auf 1-2-3 los.
call-suds-starts-with-hat-mistake = Ein neuer Stapel beginnt mit dem Hut. Nimm { $card } zurück.
call-suds-pile-finished-mistake = { $place } ist fertig und kommt in die Wäsche. Nimm { $card } zurück.
call-suds-too-late-mistake = Zu spät: Auf { $place } liegt { $card } schon. Nimm die Karte zurück.
call-suds-sequence-complete = { $place } ist fertig, vom Hut bis zu den Turnschuhen. Ab in die Wäsche!
call-suds-swept-early-mistake = { $place } hatte noch keine Turnschuhe. Legt die Karten zurück oder spielt weiter.
call-suds-taken-below-unsure = { $card } ist unter der obersten Karte von { $place } verschwunden. Bitte nachsehen.
call-suds-stuck-notice = Niemand kann. Jeder zieht eine Karte vom eigenen Stapel.
call-suds-still-holding-mistake = Nach meiner Zählung hat Platz { $seat } noch Karten. Spiel sie erst aus.
call-suds-out-of-cards-win = Platz { $seat } hat keine Karten mehr!
call-suds-fewest-cards-win = Platz { $seat } gewinnt mit den wenigsten Karten.

needs = braucht { $due }
sounds = Töne
mute-for = Stumm für { $minutes } Minuten
muted-for = noch { $minutes } Minuten stumm
spoken-calls = Gesprochene Entscheidungen
voice-off = aus
voice-en = Englisch
voice-de = Deutsch
no-voice = Installiere espeak-ng auf diesem Gerät, um die Entscheidungen zu hören.
