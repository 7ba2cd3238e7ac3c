records = records
recording = Recording
record-table = Record this table
record-end = End the recording
record-note = The film stays on this machine. Nobody gets it unless you save a report and pass it on.
record-drops = { $count ->
    [one] 1 picture was left out.
   *[other] { $count } pictures were left out.
}
