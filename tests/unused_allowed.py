"""Names that vulture finds unused and that are used: `make check` reads this file.

Only names that a foreign library calls or reads, and fakes that only tests use, belong here.
"""

# ruff: noqa: B018, F821
# Set on an object of OpenCV, NumPy, ONNX Runtime, gpiozero, paho-mqtt or Ultralytics: read there.
_.cornerRefinementMethod
_.relativeCornerRefinmentWinSize
_.writeable
_.enable_cpu_mem_arena
_.intra_op_num_threads
_.inter_op_num_threads
_.log_severity_level
_.when_pressed
_.on_connect
_.on_disconnect
_.on_connect_fail
_.on_message
_.on_publish
_.color
_.calculate_angle_loss
_.one2one_cv4
lambda_val
_.text_factory
_.momentum
Field  # in a quoted annotation

# Fields of a value that is written or read as a whole.
_.brightness
_.fine_residual
_.duration_s
_.events_truth
_.focus_least
_.light_least
_.light_most
_.errors_px

# Fakes beside their adapters: only tests use these names.
_.FakeControls
_.is_automatic
_.is_open
_.on_change
_.reboot
_.delivered
_.retries
timeout

# Only tests ask for these.
_.have_card_size
_.card_quads

# The random players: what only their tests use.
_.NOT_CORRECTED
legal_game
foul_game

# uvicorn calls it.
_.capture_signals

# Foreign libraries read these: the quantiser its inputs, NCNN its options, reprlib its bounds.
_.get_next
_.num_threads
_.use_vulkan_compute
_.maxlevel
_.maxlong
_.maxother
_.maxstring

# Called by Starlette: the convertor of an id in a path, the body of an answer.
_.regex
_.convert
_.to_string
_.render

# A role that a request names by its value.
_.WATCHER

# Read by PyAV and aiortc: a picture's time, the rate of VP8.
_.pts
_.time_base
_.DEFAULT_BITRATE
_.MAX_BITRATE
