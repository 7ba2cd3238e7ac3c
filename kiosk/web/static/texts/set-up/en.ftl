hour = Set up this table
hour-first = New here? Six steps, under ten minutes: camera, table, deck, lamps, a first toss, a check of light and view.
hour-steps = Steps
hour-leave = Leave
hour-ended = The set-up has ended.
hour-starting = The camera is opened …
hour-step-camera = Camera
hour-step-table = Table
hour-step-deck = Deck
hour-step-lamps = Lamps
hour-step-trial = Try it
hour-step-check = Check
hour-mark-open = open
hour-mark-passed = passed
hour-mark-skipped = skipped
hour-next = Next: { $step }
hour-finish = To the first game
hour-skip = Skip
hour-skip-words = A skipped step stays open on the health page.
hour-stop = Stop
hour-unreached = The table's machine does not answer. Wait a moment, then try again.
hour-again = Again
hour-picture = Live picture of the camera
hour-progress = How far it is
hour-said = What the command said

hour-camera-do = Aim the camera at the whole table. Turn its focus until the meter stops rising.
hour-camera-go = Check and lock
hour-focus = Focus
hour-focus-good = sharp
hour-focus-bad = blurred: turn the lens
hour-light = Light
hour-light-good = good
hour-light-dark = dark: more light
hour-light-bright = too bright: less light

hour-lens = Measure the lens (optional)
hour-lens-why = A measured lens makes a table without a mat more exact. Print the board with fairdeal print board.
hour-lens-go = Measure the lens
hour-lens-do = Hold the printed board as the line below says: middle, edges, corners, tilted.

hour-table-do-mat = Lay the printed mat on the table, whole in view, without hands over it.
hour-table-do-corners = Drag the four dots onto the table's corners. Seat 1 sits at the marked side.
hour-mat = Printed mat
hour-corners = Four corners
hour-markers = { $count ->
    [0] No marker of the mat is seen.
    [one] 1 marker of the mat is seen.
   *[other] { $count } markers of the mat are seen.
}
hour-table-go = Measure the table
hour-turn = Turn seat 1
hour-corner = Corner { $number }
hour-width = Along seat 1's side
hour-depth = Across
hour-cm = { $cm } cm
hour-table-proof = The grid has squares of 5 cm. It must lie flat on the table.
hour-table-again = Measure again

hour-deck-do = Which cards are played with?
hour-deck-use = Use { $deck }
hour-deck-in-use = in use
hour-deck-own = Teach your own cards
hour-deck-name = Name of the deck
hour-deck-faces = { $count } faces
hour-deck-begin = Begin
hour-deck-other = Another deck
hour-teach-do = Lay down one card at a time, face up, on the bare table. Its picture is taken by itself.
hour-teach-go = Start with the camera
hour-teach-on = Go on with the camera
hour-asked = Lay down: { $face }
hour-taken = { $done } of { $count } taken
hour-skip-face = Skip this card
hour-redo-face = The last one again
hour-photographs = Photographs …
hour-photographs-help = One file for each card, named after it: { $face }.jpg
hour-photograph = Photograph
hour-photograph-of = Photograph of { $face }
hour-retake = Take again
hour-retake-of = Take { $face } again
hour-build = Make the deck
hour-building = The deck is computed …
hour-missing = Still missing: { $faces }
hour-uploading = { $done } of { $count } sent
hour-unknown-file = { $name } is named after no card of this game.
hour-back = back
hour-teaching-hint = Tap a card for a photograph of it.
hour-rows-do = { $count ->
    [one] Lay this card down and take its picture:
   *[other] Lay these { $count } cards in rows, in this order, a finger apart. Another order will do, too: then change the names.
}
hour-rows-go = Take the picture
hour-rows-files = Photographs of rows …
hour-finding = The cards are looked for …
hour-sheets = Photographs
hour-sheet-open = Photograph { $number }: { $count } cards
hour-sheet = { $count ->
    [one] 1 card found
   *[other] { $count } cards found
}
hour-sheet-do = Compare each card with its name. An empty name leaves a card out.
hour-sheet-right = The names are right
hour-sheet-forget = Take this photograph away
hour-card-name = Card { $number }
hour-card-edges = Edges …
hour-card-twice = This name stands twice.
hour-card-doubt = Perhaps this is no card.
hour-lay-do = Drag corners and sides onto the card's edges; the arrow keys move them, too. “Top” belongs at its upper side.
hour-lay-right = The edges are right
hour-lay-turn = Turn by a quarter
hour-back-to = Back
hour-card-top = Top
hour-side = Side { $number }
hour-doubt = Is this { $face }?
hour-doubt-do = Does the green line run along the card's edge? If not, drag its corners and sides.
hour-why-outline = These edges may belong to the picture on the card.
hour-why-faint = The card is hard to tell from the table.
hour-why-none = No card was found here.
hour-why-cut-off = The card may go on beyond the picture.
hour-why-hand = There may be a hand on the card.
hour-why-crowded = Something seems to lie on the card or beside it.
hour-why-soft = The picture is not quite sharp.
hour-why-touching = Two cards touch here.
hour-why-shape = This card seems to have another shape than the others.
hour-why-strange = Perhaps this is no card.
hour-why-several = Several cards are seen here.
hour-doubt-right = Yes, this is the card
hour-doubt-other = Another outline
hour-doubt-later = Later
hour-doubt-leave = Leave this picture out
hour-doubt-left = { $count ->
    [one] The last doubtful card.
   *[other] { $count } doubtful cards.
}
hour-one-by-one = One card at a time
hour-alike = Cards that look alike
hour-alike-do = Are these two cards, each with its own name? If it is one card twice, name it again.
hour-alike-pair = { $one } and { $other }: { $percent } % alike

hour-lamps-do = Every call has its light and tone. Play them, then say whether all came.
hour-lamps-go = Play all
hour-lamps-came = All came
hour-lamps-missing = Something is missing
hour-lamps-outputs = Played on: { $outputs }
hour-call-mistake = Mistake
hour-call-corrected = Put right
hour-call-complete = Complete
hour-call-notice = Notice
hour-call-win = Win
hour-call-tie = Tie
hour-call-unsure = Unsure
hour-call-lost = Table out of view

hour-trial-do = The referee starts a game with the chosen deck. Toss one card and see what it says.
hour-trial-go = Start the trial
hour-trial-wait = Toss one card onto the table.
hour-trial-deck = Deck: { $deck }
hour-trial-seen = Seen: { $card } at { $place }
hour-trial-sure = { $percent } % sure
hour-trial-no-call = No mistake.
hour-trial-question = Was that right?
hour-trial-right = Right
hour-trial-wrong = Wrong

health-good = All parts work.
health-part-good = works
health-part-warn = look at it
health-part-bad = fails
health-todo = To do: { $todo }
health-parts = Parts
health-figures = Figures
health-errors = Last errors
health-no-errors = No error was reported.
health-open = Open steps of the set-up
health-do-step = { $step }: do it now
health-fps = Frames a second
health-work = Work on a frame
health-latency = From picture to judgement
health-viewers = Screens
health-drops = Frames left out
health-ms = { $ms } ms
health-none = –
part-camera = Camera
part-referee = Referee
part-journal = Journal
part-lamps = Lamps
part-disk = Disk
part-temperature = Temperature
part-power = Power supply
part-speed = Speed
part-clock = Clock
part-calibration = Calibration

referee-stopped = The referee stopped.
referee-again = { $seconds ->
    [one] It starts again within a second.
   *[other] It starts again within { $seconds } seconds.
}

question = Question
question-is-it = Was that { $card }?
question-which = Which card is at { $place }?
question-which-then = Which card is it then?
question-table = The table differs from before. Is it right as it lies?
question-yes = Yes, { $card }
question-no = Not { $card }
question-other = Another card …
question-look = Look again
question-as-it-lies = It is right
question-seen = as it was seen
question-see = Show me
question-later = Later
question-still-unsure = Still not sure: { $card }, { $percent } %.
question-not-seen = I see no card there now.
question-thanks = Thank you. The game was judged again.

option-help = What it means
place-seat = Tap a side of the table to seat player { $seat } there.
last-setting = Play again
add-seat = { $side }: seat player { $seat } here
seats-clear = Seat again
seats-all = Everybody is seated.
set-up = Set up
