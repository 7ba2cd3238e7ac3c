"""`machine_host.py WORK OUT`: runs the machine of machine.sh, and does for it what lies outside it.

The machine writes lines on its second serial port. `SCREENSHOT name` takes one (OUT/name.png),
`POWER CUT` resets it, and the last line ends it. All other lines are the report.
"""

import socket
import subprocess
import sys
import time
from pathlib import Path

WORK, OUT = (Path(word).resolve() for word in sys.argv[1:])
LONGEST_S = 1500.0
LAST = (" failed", "all passed")


def start() -> subprocess.Popen[bytes]:
    command = [
        "qemu-system-x86_64", "-accel", "kvm", "-cpu", "host,arch-capabilities=off",
        "-smp", "2", "-m", "3072",
        "-kernel", f"{WORK}/kernel", "-initrd", f"{WORK}/initrd",
        "-append", "root=/dev/vda rw console=ttyS0",
        "-drive", f"file={WORK}/disk,if=virtio,format=raw,cache=none", "-nic", "none",
        "-vga", "none", "-device", "virtio-gpu-pci,xres=1280,yres=720", "-display", "none",
        "-device", "virtio-keyboard-pci", "-device", "virtio-tablet-pci",
        "-serial", f"file:{OUT}/console.log", "-serial", f"file:{OUT}/lines.txt",
        "-monitor", f"unix:{WORK}/monitor,server,nowait",
    ]  # fmt: skip
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def monitor(command: str) -> None:
    """Says a line to QEMU and waits for its prompt."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(20)
        link.connect(f"{WORK}/monitor")
        link.sendall(f"{command}\n".encode())
        heard = b""
        while heard.count(b"(qemu)") < 2:
            heard += link.recv(4096)


def obey(line: str, report: Path) -> None:
    """Does what a line asks for, or keeps it."""
    verb, _, name = line.partition(" ")
    if verb == "SCREENSHOT":
        monitor(f"screendump {OUT}/{name}.png -f png")
    elif line == "POWER CUT":
        monitor("system_reset")
    else:
        print(line, flush=True)
        with report.open("a") as file:
            file.write(line + "\n")


def main() -> int:
    """0 if all checks passed."""
    report, lines = OUT / "report.txt", OUT / "lines.txt"
    report.write_text("")
    lines.write_text("")
    machine = start()
    seen, began, last = 0, time.monotonic(), ""
    try:
        while not last.endswith(LAST) and machine.poll() is None:
            if time.monotonic() - began > LONGEST_S:
                obey(f"BAD  not at its end after {LONGEST_S:.0f} s", report)
                break
            heard = lines.read_text(errors="replace").split("\n")[:-1]
            for line in heard[seen:]:
                last = line.strip()
                obey(last, report)
            seen = len(heard)
            time.sleep(0.05)
    finally:
        machine.kill()
        machine.wait()
    return int(last != "all passed")


sys.exit(main())
