records = nimmt auf
recording = Aufnahme
record-table = Diesen Tisch aufnehmen
record-end = Aufnahme beenden
record-note = Der Film bleibt auf diesem Gerät. Niemand bekommt ihn, außer ihr speichert einen Bericht und gebt ihn weiter.
record-drops = { $count ->
    [one] 1 Bild fehlt.
   *[other] { $count } Bilder fehlen.
}
