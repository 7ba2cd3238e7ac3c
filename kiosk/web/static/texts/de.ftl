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
pair-tried = Jemand tippt falsche Ziffern, um ein Telefon zu verbinden ({ $count }).
pair-tried-by = Falsche Ziffern von { $address }: { $count }
pair-closed = Zu viele falsche Ziffern: Kein Telefon verbindet sich, bis ein neuer Code gezeigt wird.
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
won-by = { $who } hat gewonnen
after-game = Nach dem Spiel
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
calls-made = { $count ->
    [one] Der Schiedsrichter rief 1 Mal
   *[other] Der Schiedsrichter rief { $count } Mal
}
questions-asked = { $count ->
    [one] 1 Frage
   *[other] { $count } Fragen
}
unchallenged = Was niemand geändert hat, ist damit nicht bewiesen.
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
place-machine-garments = Wäsche in Maschine { $number }
place-machine-items = Zubehör an Maschine { $number }
place-seat-hand = Hand von Platz { $number }
place-seat-won = gewonnene Karten von Platz { $number }
place-seat-left = linker Stapel von Platz { $number }
place-seat-right = rechter Stapel von Platz { $number }
place-seat-set = Satz { $other } von Platz { $number }
place-seat-garments = Wäsche von Platz { $number }
place-seat-hand-wash = Handwäsche von Platz { $number }
place-seat-hand-wash-garments = Wäsche in der Handwäsche von Platz { $number }
place-seat-hand-wash-items = Zubehör der Handwäsche von Platz { $number }
place-clothesline = Wäscheleine
place-actions = Aktionskarten
place-discard = Ablage
place-play = Spielstapel
place-score-c = Wertung Kreuz
place-score-d = Wertung Karo
place-score-h = Wertung Herz
place-score-s = Wertung Pik
place-needs = { $place } braucht { $due }.
face-hat = Hut
face-t-shirt = T-Shirt
face-boxers = Boxershorts
face-pants = Hose
face-socks = Socken
face-sneakers = Turnschuhe
face-wild = Joker
face-unknown = unbekannte Karte
face-back = verdeckte Karte
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

# Lines of the games' state. The id is the English line; $a, $b, $c are its numbers in order.
game-to-put-right = Richtigzustellen
game-seat-n = Platz { $a }
game-n-of-n = { $a } von { $b }
game-n-card = { $a } Karte
game-n-cards = { $a } Karten
game-cards-unknown = Kartenzahl unbekannt
game-empty = leer
game-out = fertig
game-nst = Erster
game-nnd = Zweiter
game-nrd = Dritter
game-nth = Vierter
game-toss-your-laundry = Werft eure Wäsche!
game-wait-for-n-n-n-go = Wartet auf 1-2-3 los.
game-finished-sweep-it = fertig: ab in die Wäsche!
game-n-point = { $a } Punkt
game-n-points = { $a } Punkte
game-round = Runde
game-dealer = Geber
game-last-card = Letzte Karte
game-due = Steht zu
game-centre = Mitte
game-any-card = jede Karte
game-a-card-or-no = eine Karte oder Nein
game-round-over = Runde vorbei
game-hand-n-of-n = Blatt { $a } von { $b }
game-after-the-ace = Nach dem Ass
game-seat-n-plays-a-n-or-higher-or-says-no = Platz { $a } spielt eine { $b } oder höher oder sagt Nein.
game-seat-n-plays-an-n-or-higher-or-says-no = Platz { $a } spielt eine { $b } oder höher oder sagt Nein.
game-whoever-acts-next-plays-a-n-or-higher-or-says-no = Wer als Nächster handelt, spielt eine { $a } oder höher oder sagt Nein.
game-whoever-acts-next-plays-an-n-or-higher-or-says-no = Wer als Nächster handelt, spielt eine { $a } oder höher oder sagt Nein.
game-seat-n-leads-with-any-card-for-the-n-of-clubs = Platz { $a } spielt irgendeine Karte an, um die { $b } Kreuz.
game-seat-n-leads-with-any-card-for-the-n-of-diamonds = Platz { $a } spielt irgendeine Karte an, um die { $b } Karo.
game-seat-n-leads-with-any-card-for-the-n-of-hearts = Platz { $a } spielt irgendeine Karte an, um die { $b } Herz.
game-seat-n-leads-with-any-card-for-the-n-of-spades = Platz { $a } spielt irgendeine Karte an, um die { $b } Pik.
game-clubs = Kreuz
game-diamonds = Karo
game-hearts = Herz
game-spades = Pik
game-the-game-is-over = Das Spiel ist aus.
game-press-start-when-dealt = Drückt Start, wenn gegeben ist.
game-seat-n-plays-a-card-or-says-no = Platz { $a } spielt eine Karte oder sagt Nein.
game-whoever-acts-next-plays-a-card-or-says-no = Wer als Nächster handelt, spielt eine Karte oder sagt Nein.
game-n-set = { $a } Satz
game-n-sets = { $a } Sätze
game-complete = vollständig
game-seat-n-set-n = Platz { $a }, Satz { $b }
game-discard-pile = Ablagestapel
game-owed = Schuld
game-seat-n-picks-up-one-card = Platz { $a } nimmt eine Karte auf
game-needs-n-from-n-card = braucht { $a } mit einer Karte
game-needs-n-from-n-cards = braucht { $a } mit { $b } Karten
game-cannot-make-n-any-more = kann { $a } nicht mehr erreichen
game-turn-up-a-card-beside-the-pack-then-press-start-seat-n-begins = Deckt neben dem Stapel eine Karte auf und drückt Start: Platz { $a } beginnt.
game-lay-the-card-it-stands-for-to-finish-the-exchange = Lege die Karte, für die er steht, um den Tausch zu beenden.
game-take-the-joker-to-finish-the-exchange = Nimm den Joker, um den Tausch zu beenden.
game-whoever-acts-next-has-the-turn = Wer als Nächster handelt, ist am Zug.
game-seat-n-picks-up-a-card-then-it-is-seat-n-s-turn = Platz { $a } nimmt eine Karte auf, dann ist Platz { $b } am Zug.
game-seat-n-does-one-thing = Platz { $a } tut eines.
game-n-spot = { $a } Punkt
game-n-spots = { $a } Punkte
game-seat-n-left = Platz { $a } links
game-seat-n-right = Platz { $a } rechts
game-any-letter = jeder Buchstabe
game-left-any-letter = links jeder Buchstabe
game-right-any-letter = rechts jeder Buchstabe
game-after-n = nach { $a }
game-before-n = vor { $a }
game-left-after-n = links nach { $a }
game-right-before-n = rechts vor { $a }
game-lay-the-set-up-then-press-start = Legt die Anfangskarten aus und drückt Start.
game-the-deck-is-empty-play-what-still-fits = Der Stapel ist leer: Spielt, was noch passt.
game-seat-n-play-or-discard = Platz { $a }: spielen oder abwerfen.
game-play-or-discard = Spielen oder abwerfen.
game-turn = Am Zug
game-to-do = Zu tun
game-machine-n = Maschine { $a }
game-whoever-moves-next-is-in-turn = Wer als Nächster zieht, ist am Zug.
game-seat-n-is-in-turn = Platz { $a } ist am Zug.
game-seat-n-has-n-move-to-make = Platz { $a } hat noch einen Zug.
game-seat-n-has-n-moves-to-make = Platz { $a } hat noch { $b } Züge.
game-seat-n-has-made-its-two-moves = Platz { $a } hat seine zwei Züge gemacht.
game-broken-a-repair-card-mends-it = kaputt: eine Reparaturkarte hilft
game-no-garment = kein Kleidungsstück
game-n-item = { $a } Zutat
game-n-items = { $a } Zutaten
game-n-of-n-on-the-clothesline = { $a } von { $b } auf der Leine
game-turn-machine-n-to-its-broken-side = Maschine { $a } auf die kaputte Seite drehen
game-lay-out-garments-machines-and-clothesline-then-press-start = Legt Kleidung, Maschinen und Wäscheleine aus und drückt Start.
game-seat-n-has-washed-everything-and-wins = Platz { $a } hat alles gewaschen und gewinnt!
game-all-three-machines-are-broken-everyone-loses = Alle drei Maschinen sind kaputt: Alle verlieren.
game-put-the-mistake-right-then-play-on = Stellt den Fehler richtig und spielt weiter.
sounds = Töne
mute-for = Stumm für { $minutes } Minuten
muted-for = noch { $minutes } Minuten stumm
spoken-calls = Gesprochene Entscheidungen
voice-off = aus
voice-en = Englisch
voice-de = Deutsch
no-voice = Installiere espeak-ng auf diesem Gerät, um die Entscheidungen zu hören.
