learning = Lernende Kartensätze
learning-begin = Kartensätze aus Spielen lernen lassen
learning-end = Lernen beenden
learning-note = Nach einem Spiel behält ein eigener Kartensatz einige Bilder von Karten, die darin klar zu sehen waren. Sein Verlauf macht das rückgängig. Das gilt ab dem nächsten Spiel.

deck-history = Verlauf
deck-history-of = Verlauf von { $deck }
deck-no-history = Dieser Kartensatz ist unverändert, seit er am { $when } beigebracht wurde.
deck-now = Jetzt
deck-taught = Beigebracht
deck-added = Bilder hinzugefügt
deck-learned = Gelernt aus { $games }
deck-reverted = Auf einen früheren Stand gebracht
deck-game = { $title }, Spiel { $number }
deck-faces-more = { $faces } und { $count } weitere
deck-holds = { $faces ->
    [one] 1 Karte
   *[other] { $faces } Karten
 }, { $pictures ->
    [one] 1 Bild
   *[other] { $pictures } Bilder
 }{ $learned ->
    [0] { "" }
   *[other] , { $learned } aus Spielen
 }
deck-pictures = { $count ->
    [one] Das Bild aus einem Spiel
   *[other] Die { $count } Bilder aus Spielen
}
deck-undo = Letzte Änderung rückgängig machen
deck-undo-ask = Der Kartensatz wird wieder so, wie er am { $when } war: { $holds }. Auch das lässt sich rückgängig machen.
deck-undo-do = Rückgängig machen
deck-undone = Die Änderung ist rückgängig gemacht. „Letzte Änderung rückgängig machen“ holt sie zurück.
deck-learned-now = { $count ->
    [one] Der Kartensatz { $deck } hat aus diesem Spiel 1 Bild gelernt.
   *[other] Der Kartensatz { $deck } hat aus diesem Spiel { $count } Bilder gelernt.
}
