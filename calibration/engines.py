"""The check of `fairdeal doctor` that tells which engines run the networks, and why."""

from importlib.util import find_spec

from calibration.finding import Finding, Verdict
from calibration.settings import load_settings, own_settings, settings_file
from rules.errors import FairdealError
from vision.settings import NCNN, EngineSettings

_BENCH = "fairdeal bench engines"


def engines_in_use() -> tuple[Finding, ...]:
    """The engines of this machine's settings. Each is bad if its library is missing."""
    try:
        chosen = load_settings(settings_file(None)).engines
    except FairdealError as error:
        return (Finding("settings", Verdict.BAD, f"{own_settings()}: {error.found}", error.todo),)
    words = f"locator {chosen.locator}, namer {chosen.namer}"
    if NCNN in (chosen.locator, chosen.namer) and find_spec("ncnn") is None:
        todo = f"pip install 'fairdeal[engines]', or {_BENCH}"
        return (Finding("engines", Verdict.BAD, f"{words}; NCNN is not installed", todo),)
    if chosen == EngineSettings():
        words += "; the defaults, not measured on this machine"
        return (Finding("engines", Verdict.GOOD, words, f"{_BENCH} measures them all"),)
    return (Finding("engines", Verdict.GOOD, f"{words}; {chosen.reason or 'chosen by hand'}"),)
