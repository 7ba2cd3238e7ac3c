"""The wheel holds all that a game needs: built, installed apart from the checkout, played."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = "from setuptools import build_meta; print(build_meta.build_wheel({folder!r}))"
CHECK = """
import kiosk, models.drawing.script as script
print(kiosk.__file__, *script.script_names())
"""
SHORT = """
game suds
players 2
seed 3
end 6
spot pile/1 0.4 0.5
1.5 seat=1 place hat pile/1
3.5 seat=2 place pants pile/1
"""


def built(folder: Path) -> Path:
    """A wheel of this checkout."""
    config = folder / "setup.cfg"  # nothing is written into the checkout
    config.write_text(f"[egg_info]\negg_base = {folder}\n[build]\nbuild_base = {folder}/build\n")
    subprocess.run(
        [sys.executable, "-c", BUILD.format(folder=str(folder))],
        cwd=ROOT, check=True, capture_output=True,
        env={**os.environ, "DIST_EXTRA_CONFIG": str(config)},
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment with the wheel and what this one has besides."""
    venv.create(folder, with_pip=False)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "lib" / version / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Its dependencies only: a folder named in a .pth file has its own .pth files left unread.
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin" / "python"


@pytest.mark.wheel
def test_the_wheel_plays_a_game_outside_the_checkout(tmp_path):
    python = installed(built(tmp_path), tmp_path / "fresh")
    (tmp_path / "short.txt").write_text(SHORT)

    def run(*words: str) -> str:
        done = subprocess.run(
            [python, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        packed = set(archive.namelist())
    static = [path for path in (ROOT / "kiosk/web/static").rglob("*") if path.is_file()]
    assert static and {str(path.relative_to(ROOT)) for path in static} <= packed
    where, *scripts = run("-c", CHECK).split()
    assert str(tmp_path) in where and "suds" in scripts and len(scripts) == 5
    words = ["referee", "suds", "--source", "simulated:short.txt", "--headless"]
    said = run("-m", "kiosk.cli", *words, "--signals", "none", "--journal", "none")
    assert '"mistake"' in said and "out-of-sequence" in said
