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
keep-holds = { $seconds } s Film ohne Ton, { $pictures } Bilder, { $megabytes } MB; { $events } Ereignisse, { $calls } Entscheidungen; Deck { $deck }; Plätze statt Namen.
keep-picture = Bild { $number } von { $count } des Films
keep-note = Was war falsch?
keep-names = Mit den Namen { $names }
keep-free = Alle dürfen ihn für alles verwenden (CC0)
keep-save = Bericht speichern
keep-saved = Auf diesem Gerät gespeichert ({ $megabytes } MB). Er bleibt hier, bis ihr ihn weitergebt.
