"""`fairdeal kiosk`: serves the page; `install`, `uninstall`, `status` make a table of a machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import port, whole

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from kiosk.web.table import RefereeProcess


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `kiosk [--source S] [--port P] [--host H]` and `kiosk install|uninstall|status`."""
    parser = subparsers.add_parser("kiosk", help="the page: start games, follow and overrule them")
    parser.add_argument("--source", metavar="S", help="as for `referee` (default: picamera on a "
        "Raspberry Pi with one, else camera 0)")  # fmt: skip
    parser.add_argument("--port", type=int, default=8080, metavar="P", help="default: 8080")
    parser.add_argument("--secure-port", type=port, metavar="P", help="of https, for a phone as "
        "the camera (default: 8443, or a free one where that is taken)")  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", metavar="H",
        help="0.0.0.0 lets phones on the network pair (default: this machine only)")  # fmt: skip
    parser.add_argument("--signals", metavar="OUT", help="as for `referee`")
    parser.add_argument("--club", type=Path, metavar="FILE", help="as for `referee` (default: "
        "club.toml beside the journal, if it is there)")  # fmt: skip
    parser.add_argument("--record", type=Path, metavar="DIR", help="record every game there, as "
        "`referee` does (the page's menu ends it)")  # fmt: skip
    # Systemd's unit starts it with the settings that `install` has written.
    parser.add_argument("--appliance", type=Path, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)
    acts = parser.add_subparsers(dest="act", metavar="install|uninstall|status")
    _add_install(acts)
    remove = acts.add_parser("uninstall", help="take all of it back; games are kept")
    remove.add_argument("--purge", action="store_true", help="games and calibrations go too")
    remove.set_defaults(run=uninstall)
    state = acts.add_parser("status", help="units, versions, last errors, the page's address")
    state.set_defaults(run=status)
    for each in (acts.choices["install"], remove):
        each.add_argument("--dry-run", action="store_true", help="say what would be done")
        each.add_argument("--root", type=Path, default=Path("/"), metavar="DIR",
            help="a system in a folder: a mounted card, an image")  # fmt: skip


def _add_install(acts: argparse._SubParsersAction) -> None:
    parser = acts.add_parser("install", help="start the table with this machine, with its screen")
    add = parser.add_argument
    add("--source", metavar="S", help="as for `referee` (default: found at the start)")
    add("--port", type=port, metavar="P", help="default: 8080")
    add("--host", metavar="H", help="0.0.0.0 lets phones on the network pair")
    add("--signals", metavar="OUT", help="as for `referee`")
    add("--screen", action=argparse.BooleanOptionalAction, help="show the page on a screen")
    add("--rotate", type=int, choices=(0, 90, 180, 270), help="turn the screen, in degrees")
    add("--blank-min", type=whole(0, 1440), metavar="MIN", help="darken the screen after so many "
        "minutes without a touch; 0: never")  # fmt: skip
    add("--memory-mb", type=whole(300, 65536), metavar="MB", help="the referee's most memory")
    add("--screen-memory-mb", type=whole(300, 65536), metavar="MB", help="the browser's")
    parser.set_defaults(run=install)


def install(args: argparse.Namespace) -> int:
    """Returns 0; FairdealError for a machine that cannot be a table."""
    from dataclasses import fields

    from kiosk.appliance import install as appliance
    from kiosk.appliance.machine import Machine, program_of
    from kiosk.appliance.settings import FILE, ApplianceSettings, changed, read_settings

    machine = Machine(args.root.absolute())
    given = {field.name: getattr(args, field.name) for field in fields(ApplianceSettings)}
    settings = changed(read_settings(machine.path(FILE)) or ApplianceSettings(), given)
    appliance.install(machine, settings, program_of(machine), print, dry=args.dry_run)
    if not args.dry_run:
        print("The table starts with this machine; see `fairdeal kiosk status`")
    return 0


def uninstall(args: argparse.Namespace) -> int:
    """Returns 0; FairdealError where a step fails."""
    from kiosk.appliance import install as appliance
    from kiosk.appliance.machine import Machine

    machine = Machine(args.root.absolute())
    appliance.uninstall(machine, print, purge=args.purge, dry=args.dry_run)
    return 0


def status(args: argparse.Namespace) -> int:
    """Prints the findings. 0; 1 if something is bad."""
    from kiosk.appliance.machine import Machine
    from kiosk.appliance.status import examine
    from kiosk.version import version

    bad = 0
    for finding in examine(Machine(), version()):
        print(finding.line)
        bad += finding.state == "bad"
    return 1 if bad else 0


def run(args: argparse.Namespace) -> int:
    """Serves until Ctrl-C. Raises FairdealError where it cannot."""
    import asyncio

    from host.scratch import scratch_folder
    from kiosk.club.places import default_club_file
    from kiosk.serving.listening import checked_port
    from kiosk.web.first_hour.process import HourProcess, HourSettings
    from kiosk.web.page import page_folder
    from kiosk.web.server import serve
    from kiosk.web.settings import PageSettings
    from kiosk.web.table import RefereeProcess, TableSettings

    if args.appliance is not None:
        _read_appliance(args)
    folder = page_folder()
    folder.mkdir(parents=True, exist_ok=True)
    record = None if args.record is None else args.record.expanduser().absolute()
    settings = PageSettings(
        args.host, checked_port(args.port), folder, recordings=record, secure_port=args.secure_port
    )
    signals = ("--signals", args.signals) if args.signals else ()
    club = args.club or default_club_file()
    words = (*signals, "--club", str(club)) if club is not None else signals
    if record is not None:
        words = (*words, "--record", str(record))
    with scratch_folder() as runtime:
        link = runtime / "page"
        source = args.source or _default_source()
        table = RefereeProcess(TableSettings(source, link, folder, words))
        hour = HourProcess(HourSettings(source, link, folder, args.signals))
        asyncio.run(_beating(lambda: serve(settings, link, table, hour), table, runtime))
    return 0


def _read_appliance(args: argparse.Namespace) -> None:
    """The settings of `kiosk install` in place of the options."""
    from kiosk.appliance.settings import ApplianceSettings, read_settings

    found = read_settings(args.appliance) or ApplianceSettings()
    args.source, args.signals = found.source or None, found.signals or None
    args.host, args.port = found.host, found.port


async def _beating(
    serve: Callable[[], Awaitable[None]], table: RefereeProcess, runtime: Path
) -> None:
    """Serves, and tells systemd so where it has started us."""
    import asyncio

    from kiosk.appliance.heartbeat import beating
    from kiosk.appliance.proved import AFTER_S, note_proved
    from kiosk.game.paths import default_journal

    asyncio.get_running_loop().call_later(AFTER_S, note_proved, default_journal().parent)
    with beating(runtime, lambda: table.state.is_running) as begin:
        serving = asyncio.ensure_future(serve())
        await asyncio.sleep(0)  # the port is bound before the server first waits
        if not serving.done():
            begin()
        await serving


def _default_source() -> str:
    from importlib.util import find_spec

    return "picamera" if find_spec("picamera2") is not None else "0"
