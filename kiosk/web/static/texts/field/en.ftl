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
keep-holds = { $seconds } s of film without sound, { $pictures } pictures, { $megabytes } MB; { $events } events, { $calls } calls; deck { $deck }; seats in place of names.
keep-picture = Picture { $number } of { $count } of the film
keep-note = What was wrong?
keep-names = With the names { $names }
keep-free = Everybody may use it for anything (CC0)
keep-save = Save the report
keep-saved = Saved on this machine ({ $megabytes } MB). It stays here until you pass it on.
