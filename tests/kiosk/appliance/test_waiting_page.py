"""The screen without its referee, in a real browser: it says why, and leaves once it is back."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_browser import browser, complaints, keep, require_browser, wait_for

from kiosk.appliance.units import FILES

pytestmark = pytest.mark.pages

HEAD, WHY, NEXT = (
    f"document.getElementById('{name}').textContent" for name in ("head", "why", "next")
)


@pytest.fixture
def table() -> Iterator[int]:
    """A server that answers every path; its port."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>the table</title>")

        def log_message(self, *words: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, name="table", daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def says(notes: Path, state: str, why: str = "", failures: int = 0, port: int = 8080) -> None:
    """Writes what appliance.sh writes."""
    words = f'{{"state":"{state}","why":"{why}","failures":{failures},"pause":0,"port":{port}}}'
    (notes / "why.part").write_text(f"fairdealSays({words});\n")
    (notes / "why.part").rename(notes / "why.js")


def test_the_screen_says_why_and_goes_to_the_page_once_it_is_there(
    tmp_path: Path, table: int
) -> None:
    require_browser()
    with browser(1280, 720) as page:
        page.get(f"file://{FILES / 'waiting.html'}?notes={tmp_path}")
        wait_for(page, f"{HEAD} === 'The referee is not there'")
        says(tmp_path, "failed", "expected a free port <b>8080</b>, found taken", failures=3)
        wait_for(page, f"{HEAD} === 'The referee has stopped'")
        assert page.execute_script(f"return {WHY}").endswith("<b>8080</b>, found taken")
        assert page.execute_script(f"return {NEXT}") == "failed starts: 3"
        keep(page, "waiting")
        says(tmp_path, "starting")
        wait_for(page, f"{HEAD} === 'The referee is starting' && {WHY} === ''")
        missing = [line for line in complaints(page) if "why.js" not in line]
        assert missing == []
        says(tmp_path, "ready", port=table)
        wait_for(page, "document.title === 'the table'")
        assert page.current_url == f"http://localhost:{table}/"
