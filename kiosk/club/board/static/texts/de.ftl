club = Verein
nav-tables = Tische
nav-tournament = Turnier
tables-here = { $count ->
    [0] noch kein Tisch
    [one] 1 Tisch
   *[other] { $count } Tische
}
waits = { $count ->
    [one] 1 Entscheidung wartet
   *[other] { $count } Entscheidungen warten
}
waits-title = Wartet auf einen Schiedsrichter
decide = Entscheiden ›
look = Ansehen ›
no-tables = Noch hat sich kein Tisch gemeldet. Starte einen mit seiner Vereinsdatei.
no-broker = Der Broker ist weg. Die Tische spielen weiter; ihre Meldungen kommen später.
no-board = Der Server der Tafel ist weg. Die Seite versucht es weiter.
late = { $seconds } s später
players-here = Spieler
state-away = weg
state-over = vorbei
state-idle = wartet
state-waits-pill = wartet
away-words = Hier läuft kein Spiel.
result-tie = Unentschieden
result-won = { $names } gewinnt
note-two-tables = Zwei Tische heißen so: { $one } und { $other }. Der zweite wird abgewiesen.
note-lost = Der Tisch ist nicht zu sehen: { $why }
note-clock = Die Uhr dieses Tisches geht um { $minutes } min falsch.
note-missing = { $count ->
    [one] 1 Entscheidung fehlt; sie wird angefordert.
   *[other] { $count } Entscheidungen fehlen; sie werden angefordert.
}
note-unlisted = Dieser Tisch steht nicht in der Vereinsdatei der Tafel.
done = Erledigt.
evidence-comes = Die Bilder kommen …
no-evidence-here = Der Tisch hat keine Bilder dazu oder ist weg.
how-sure = { $percent } % sicher
call-stays = Die Entscheidung gilt
stays = Entschieden: Sie gilt.
decided-right = entschieden: gilt
decided-card = entschieden: andere Karte
decided-seat = entschieden: anderer Platz
decided-no-mistake = entschieden: kein Fehler
pair-referee = Telefon eines Schiedsrichters verbinden
pair-watcher = Telefon eines Zuschauers verbinden
audience-screen = Diesen Bildschirm dem Publikum zeigen
no-tournament = Es läuft kein Turnier.
tournament = Turnier
new-tournament = Neues Turnier
tournament-name = Name
one-a-line = Spieler, einer pro Zeile
kind = Paarung
kind-round-robin = Jeder gegen jeden
kind-swiss = Schweizer System: Punktgleiche treffen sich
seats-a-table = Spieler pro Tisch
rounds-or-usual = Runden (0: so viele wie üblich)
begin-tournament = Erste Runde auslosen
round-of = Runde { $round } von { $rounds }
pairings = Diese Runde
bye = Spielfrei: { $names }
next-round = Nächste Runde auslosen
end-tournament = Turnier beenden
end-tournament-ask = Dieses Turnier beenden? Runden und Ergebnisse werden entfernt.
standings = Stand
final-standings = Endstand
rank = #
player = Spieler
points = Punkte
opposition = Punkte der Gegner
games-played = Spiele
open-result = offen
by-game = aus dem Spiel
by-hand = von Hand
who-won = Wer hat an { $table } gewonnen?
take-back = Wieder öffnen
