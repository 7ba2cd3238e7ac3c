"""A page whose server hangs with its connections open says so, and goes on once it runs again."""

import os
import signal
from pathlib import Path

import pytest
from real_browser import browser, require_browser, wait_for
from told_table import told_table

pytestmark = pytest.mark.pages

AWAY = "document.body.classList.contains('is-away')"
# The page waits 20 s for a word of the server; here its clock goes ahead instead.
LATER = "const now = Date.now; Date.now = () => now() + 60000"


def page_server() -> int:
    """The process of the server, a child of this one."""
    lists = (path.read_text() for path in Path("/proc/self/task").glob("*/children"))
    children = [int(pid) for line in lists for pid in line.split()]
    (server,) = (
        pid for pid in children if b"kiosk.web.server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    return server


def test_the_page_says_that_its_server_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with told_table(tmp_path / "page") as told, browser(1024, 600) as driver:
        told.begin()
        driver.get(told.address)
        wait_for(driver, f"document.body.textContent.includes('Suds') && !{AWAY}")
        server = page_server()
        os.kill(server, signal.SIGSTOP)
        try:
            driver.execute_script(LATER)
            wait_for(driver, AWAY)
        finally:
            os.kill(server, signal.SIGCONT)
        wait_for(driver, f"!{AWAY}")
