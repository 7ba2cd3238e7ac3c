club = Club
nav-tables = Tables
nav-tournament = Tournament
tables-here = { $count ->
    [0] no table yet
    [one] 1 table
   *[other] { $count } tables
}
waits = { $count ->
    [one] 1 call waits
   *[other] { $count } calls wait
}
waits-title = Waits for a referee
decide = Decide ›
look = Look ›
no-tables = No table has spoken yet. Start one with its club file.
no-broker = The broker is away. Tables go on; their calls come later.
no-board = The board's server is away. This page tries again by itself.
late = { $seconds } s later
players-here = Players
state-away = away
state-over = over
state-idle = idle
state-waits-pill = waits
away-words = No game is running here.
result-tie = A tie
result-won = { $names } won
note-two-tables = Two tables have this name: { $one } and { $other }. The second is refused.
note-lost = The table cannot be seen: { $why }
note-clock = This table's clock is off by { $minutes } min.
note-missing = { $count ->
    [one] 1 call is missing; it is asked for.
   *[other] { $count } calls are missing; they are asked for.
}
note-unlisted = This table is not in the board's club file.
done = Done.
evidence-comes = The pictures are on their way …
no-evidence-here = The table has no pictures of this call, or is away.
how-sure = { $percent } % sure
call-stays = The call stays
stays = Decided: the call stays.
decided-right = decided: stays
decided-card = decided: another card
decided-seat = decided: another seat
decided-no-mistake = decided: no mistake
pair-referee = Pair a referee's phone
pair-watcher = Pair a watcher's phone
audience-screen = Show this screen to an audience
no-tournament = No tournament is running.
tournament = Tournament
new-tournament = New tournament
tournament-name = Name
one-a-line = Players, one a line
kind = Pairing
kind-round-robin = Round robin: everybody meets everybody
kind-swiss = Swiss: equal points meet
seats-a-table = Players at a table
rounds-or-usual = Rounds (0: as many as usual)
begin-tournament = Pair the first round
round-of = round { $round } of { $rounds }
pairings = This round
bye = Bye: { $names }
next-round = Pair the next round
end-tournament = End the tournament
end-tournament-ask = End this tournament? Its rounds and results are removed.
standings = Standings
final-standings = Final standings
rank = #
player = Player
points = Points
opposition = Opponents' points
games-played = Games
open-result = open
by-game = from the game
by-hand = by hand
who-won = Who won at { $table }?
take-back = Open again
