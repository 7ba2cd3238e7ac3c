"""The referee as people use it: commands, the game's loop, signals, the page.

BLAS is kept to one thread, before anything imports NumPy. Its matrices here are small: a second
thread cost 27 % more processor time for the same film, and `--threads` did not bound it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
