"""The wheel: built, installed into an empty environment with its packages, and used there.

`UV` names the program that installs; `make test-wheel` sets it. The versions are those of uv.lock.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kiosk.version import version

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).parents[1]
UV = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
EXPORT = ("export", "--quiet", "--locked", "--no-emit-project", "--no-hashes", "--project")
GAMES = "import kiosk, models.drawing.script as s; print(kiosk.__file__, *s.script_names())"
SHORT = """
game suds
players 2
seed 3
end 6
spot pile/1 0.4 0.5
1.5 seat=1 place hat pile/1
3.5 seat=2 place pants pile/1
"""
LIBRARIES = ("numpy", "cv2", "onnxruntime", "starlette")


def did(folder: Path, *words: str | Path) -> str:
    """What a program prints, in a folder apart from the checkout and from this environment."""
    clean = {
        key: text for key, text in os.environ.items() if not key.startswith(("PYTHON", "VIRT"))
    }
    done = subprocess.run(
        words, cwd=folder, env=clean | {"HOME": str(folder), "FAIRDEAL_HOME": str(folder / "own")},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel, and an environment `empty` that holds it and its packages only."""
    folder = tmp_path_factory.mktemp("wheel")
    config = folder / "setup.cfg"  # nothing is written into the checkout
    config.write_text(f"[egg_info]\negg_base = {folder}\n[build]\nbuild_base = {folder}/build\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIST_EXTRA_CONFIG", str(config))
        did(folder, UV, "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    (folder / "locked.txt").write_text(did(folder, UV, *EXPORT, ROOT))
    did(folder, UV, "venv", "--quiet", "--python", sys.executable, folder / "empty")
    python = folder / "empty" / "bin" / "python"
    did(folder, UV, "pip", "install", "--quiet", "--python", python, "-c", "locked.txt", wheel)
    return folder


@pytest.fixture(scope="module")
def program(folder: Path) -> Path:
    """The installed `fairdeal`."""
    return folder / "empty" / "bin" / "fairdeal"


def test_it_holds_the_pages_and_the_simulated_games(folder: Path) -> None:
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        packed = set(archive.namelist())
    for pages in ("kiosk/web/static", "kiosk/club/board/static"):
        files = [path for path in (ROOT / pages).rglob("*") if path.is_file()]
        assert files and {str(path.relative_to(ROOT)) for path in files} <= packed
    where, *scripts = did(folder, folder / "empty" / "bin" / "python", "-c", GAMES).split()
    assert Path(where).is_relative_to(folder / "empty") and len(scripts) == 5


def test_nothing_of_the_tests_is_installed(folder: Path) -> None:
    there = {path.name for path in folder.glob("empty/lib/*/site-packages/*")}
    assert there >= set(LIBRARIES) and not there & {"pytest", "torch", "ultralytics", "tests"}


def test_doctor_finds_nothing_to_mend(folder: Path, program: Path) -> None:
    assert did(folder, program, "--version") == f"fairdeal {version()}\n"
    said = did(folder, program, "doctor")
    assert all(f"good  {name}: " in said for name in ("locator", "namer", "corners"))
    assert said.endswith("nothing to mend\n")


def test_a_game_is_judged(folder: Path, program: Path) -> None:
    (folder / "short.txt").write_text(SHORT)
    words = ["referee", "suds", "--source", "simulated:short.txt", "--headless"]
    said = did(folder, program, *words, "--signals", "none", "--journal", "none")
    assert '"mistake"' in said and "out-of-sequence" in said


def test_the_demo_plays_to_its_end(folder: Path, program: Path) -> None:
    # In real time: a loaded machine drops frames, and may be unsure of what it did not see.
    said = did(folder, program, "demo")
    assert re.search(r"^36\.0 s of play, \d+ frames", said, re.MULTILINE), said
    assert re.search(r"^ +\d+\.\d+ s  (mistake|unsure) ", said, re.MULTILINE), said
