title = fairdeal
waiting-for-game = No game is running.
no-connection = The page has lost the referee. It tries again by itself.
referee-away = The referee is not running.
all-good = Nothing to put right.
lamp-mistake = mistake
lamp-complete = complete
lamp-turn = turn
lamp-unsure = unsure
seat = Seat { $seat }
players = { $count ->
    [one] { $count } player
   *[other] { $count } players
}
rule = Why?
see-it = See it
right = Right
no-mistake = No mistake
button-start = Start
button-undo = Undo
button-end = End
button-draw = 1-2-3 draw
button-out = I am out
button-no = No
button-done = Done
button-deck-empty = Deck is empty
which-seat = Which seat?
cancel = Cancel
close = Close
calls = Calls
replay-of = Replay
at-rest = at rest
seen = seen
taught = taught
frame-of = { $at } s
that-card-is = That card is …
it-was-seat = It was seat …
no-evidence = The pictures of this call are not there (yet).
overruled = Overruled. { $changed ->
    [0] No other call changes.
    [one] 1 other call changes.
   *[other] { $changed } other calls change.
}
pair-phone = Pair a phone
pair-words = Open this address on the phone, or scan the code.
pair-digits = Six digits from the table's screen
pair-name = Name of this device
pair-now = Pair
paired = Paired.
paired-devices = Paired devices
pair-tried = Somebody types wrong digits to pair a phone ({ $count }).
pair-tried-by = Wrong digits from { $address }: { $count }
pair-closed = Too many wrong digits: no phone pairs until you show a new code.
remove = Remove
health = Health
camera = Camera
frames-per-second = { $rate } frames a second
work = { $ms } ms a frame
viewers = { $count ->
    [one] { $count } screen
   *[other] { $count } screens
}
menu = Menu
mute = Mute
unmute = Sound on
new-game = New game
game = Game
play-again = { $game } again, { $players } players
who-plays = Who plays?
fewer = one player fewer
more = one player more
seats = Seats
seats-help = Tap a seat to move it to the next side of the table, as the camera sees it.
side-bottom = bottom
side-left = left
side-top = top
side-right = right
options = Options
deck = Deck
start-game = Start the referee
end-game = Stop this game
history = Games played
no-games = No game has been played yet.
won-by = { $who } won
after-game = After the game
no-winner = no winner
cut-off = not finished
mistakes-made = { $count ->
    [0] No mistake
    [one] 1 mistake
   *[other] { $count } mistakes
}
download = Save as JSON Lines
back-to-table = Back to the table
table = The table from above
lamps = Lamps
lit = lit
dark = dark
scores = Scores
arrange = Move places
arrange-help = Drag a place to where its cards lie. Tap a moved place to let the game find it again.
drag = drag, or use the arrow keys
lies-here = What lies here
nothing-lies = Nothing lies here.
said-card = Overruled: it is { $card }.
said-seat = Overruled: it was { $who }.
said-no-mistake = Overruled: no mistake.
loading = One moment …
play = play
step-back = one frame back
step-on = one frame on
back-to-film = Back to the pictures
how-sure = how sure
sure = { $percent } % sure
wins = Wins
mistakes-by-seat = Mistakes by player
mistakes-by-rule = Mistakes by rule
calls-made = { $count ->
    [one] The referee made 1 call
   *[other] The referee made { $count } calls
}
questions-asked = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
unchallenged = A call that nobody overruled is not proved right.
were-overruled = { $count ->
    [one] 1 call overruled
   *[other] { $count } calls overruled
}
film = Film
film-is-made = The film is being made. That takes some seconds.
save-film = Save the film
or = or
needs = needs { $due }
sounds = Sounds
mute-for = Mute for { $minutes } minutes
muted-for = muted for { $minutes } more minutes
spoken-calls = Spoken calls
voice-off = off
voice-en = English
voice-de = German
no-voice = Install espeak-ng on this machine to hear the calls.

# Faces whose name is more than their id with spaces.
face-t-shirt = T-shirt
face-back = face-down card

# Places that the games themselves give no words. `number` is the seat or the machine.
place-pile = Pile { $number }
place-machine = Machine { $number }
place-machine-garments = Laundry in machine { $number }
place-machine-items = Items at machine { $number }
place-seat-hand = Hand of seat { $number }
place-seat-won = Cards won by seat { $number }
place-seat-left = Left pile of seat { $number }
place-seat-right = Right pile of seat { $number }
place-seat-set = Set { $other } of seat { $number }
place-seat-garments = Laundry of seat { $number }
place-seat-hand-wash = Hand wash of seat { $number }
place-seat-hand-wash-garments = Laundry in the hand wash of seat { $number }
place-seat-hand-wash-items = Items at the hand wash of seat { $number }
place-clothesline = Clothesline
place-actions = Action cards
place-discard = Discard pile
place-play = Cards in play
place-score-c = Scored clubs
place-score-d = Scored diamonds
place-score-h = Scored hearts
place-score-s = Scored spades
