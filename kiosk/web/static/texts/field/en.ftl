records = records
recording = Recording
record-table = Record this table
record-end = End the recording
record-note = The film stays on this machine. Nobody gets it unless you save a report and pass it on.
record-drops = { $count ->
    [one] 1 picture was left out.
   *[other] { $count } pictures were left out.
}
keep-call = This was wrong: keep it
keep-title = What the report holds
keep-part = The seconds around it
keep-whole = The whole game
keep-holds = { $seconds } s of film without sound, { $pictures } { $pictures ->
    [one] picture
   *[other] pictures
 }, { $megabytes } MB; { $events } { $events ->
    [one] event
   *[other] events
 }, { $calls } { $calls ->
    [one] call
   *[other] calls
 }; deck { $deck }; { $named ->
    [yes] the names of the players
   *[no] seats in place of names
 }.
keep-recording = Keep the recording
keep-game = Recording
keep-game-note = What should be known about it?
keep-picture = Picture { $number } of { $count } of the film
part-do = Drag a rectangle over what the report may show. What is outside becomes black.
part-frame = The part of the picture that the report holds. Arrow keys move it, with Shift they change its size.
part-whole = The whole picture
part-all = The whole picture is kept.
part-is = { $width } % of the width and { $height } % of the height are kept, the rest becomes black.
keep-note = What was wrong?
keep-names = With the names { $names }
keep-free = Everybody may use it for anything (CC0)
keep-save = Save the report
keep-saved = Saved on this machine ({ $megabytes } MB). It stays here until you pass it on.
label-film = The film around this moment
label-right = Right
label-wrong = Wrong
label-missing = Missing here
label-back = Back
label-earlier = A picture earlier
label-later = A picture later
label-again = Play again
label-light = The light at the table (a lamp, daylight, …)
label-done = All is labelled.
label-count = { $number } of { $count }.
label-said-right = Said to be right.
label-said-wrong = Said to be wrong.
label-added = { $count } added.
label-saved = Saved as { $file }; { $due } calls are due.
label-placed = { $card } was laid: { $place }
label-removed = { $card } was taken: { $place }
label-kind-placed = laid
label-kind-removed = taken
label-what = What happened
label-card = Card
label-place = Place
label-other-place = Another place
label-seat = Whose it was
label-nobody = nobody’s, or not known
label-so = It was so
label-nothing = Nothing happened
