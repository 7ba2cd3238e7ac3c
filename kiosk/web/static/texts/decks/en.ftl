learning = Decks that learn
learning-begin = Let decks learn from games
learning-end = End the learning
learning-note = After a game, a deck of your own keeps a few pictures of cards that the game showed clearly. The deck’s history undoes that. This counts from the next game on.

deck-history = History
deck-history-of = History of { $deck }
deck-no-history = This deck has not changed since it was taught on { $when }.
deck-now = Now
deck-taught = Taught
deck-added = Pictures added
deck-learned = Learned from { $games }
deck-reverted = Made what it was before
deck-game = { $title }, game { $number }
deck-faces-more = { $faces } and { $count } more
deck-holds = { $faces ->
    [one] 1 face
   *[other] { $faces } faces
 }, { $pictures ->
    [one] 1 picture
   *[other] { $pictures } pictures
 }{ $learned ->
    [0] { "" }
   *[other] , { $learned } from games
 }
deck-pictures = { $count ->
    [one] The picture from a game
   *[other] The { $count } pictures from games
}
deck-undo = Undo the last change
deck-undo-ask = The deck becomes what it was on { $when }: { $holds }. This can be undone, too.
deck-undo-do = Undo it
deck-undone = The change is undone. “Undo the last change” brings it back.
deck-learned-now = { $count ->
    [one] The deck { $deck } learned 1 picture from this game.
   *[other] The deck { $deck } learned { $count } pictures from this game.
}
