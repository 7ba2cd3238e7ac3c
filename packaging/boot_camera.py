"""A camera for boot_checks.py: the simulated table as an MJPEG stream on port 9000, in real time.

A stream is a live source: its game has a journal and goes on after a restart.
"""

import http.server
import sys
import time

import cv2

from models.deck import load_deck
from models.drawing.play import Play
from models.drawing.script import read_script

PORT, RATE = 9000, 4.0
PLAY = Play(read_script(sys.argv[1]), load_deck("suds"))
BEGAN = time.monotonic()


class Camera(http.server.BaseHTTPRequestHandler):
    """One client at a time; the film goes on while nobody looks."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        while True:
            picture = cv2.imencode(".jpg", PLAY.picture(time.monotonic() - BEGAN))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + picture + b"\r\n")
            except OSError:
                return
            time.sleep(1 / RATE)

    def log_message(self, *words: object) -> None:
        pass


http.server.HTTPServer(("127.0.0.1", PORT), Camera).serve_forever()
