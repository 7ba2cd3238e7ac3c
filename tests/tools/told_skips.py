"""What was skipped is told last, by what is missing; with `--no-skips` it is a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from needed_tools import ALL, BRINGS_TOOLS

SKIPS = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--no-skips`."""
    parser.addoption("--no-skips", action="store_true", help="a skipped test is a failure")


def told(skips: Counter[str]) -> list[str]:
    """A line for each group, and the command that brings what is missing."""
    remedies = {need.reason: need.brought_by for need in ALL}
    lines = [f"{skips.total()} tests were SKIPPED:"]
    for reason, count in sorted(skips.items(), key=lambda item: (-item[1], item[0])):
        remedy = remedies.get(reason, "")
        lines.append(f"{count:5}  {reason}{f'; {remedy}' if remedy else ''}")
    if any(remedies.get(reason) == BRINGS_TOOLS for reason in skips):
        lines.append(f"One command brings all that can be installed: {BRINGS_TOOLS}")
    return lines


def reasons_of(reports: Iterable[pytest.TestReport]) -> Counter[str]:
    """How many reports tell which reason."""
    return Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Counts what was skipped, of all workers; fails where none may be."""
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    config.stash[SKIPS] = reasons_of(reporter.stats.get("skipped", []))
    if config.stash[SKIPS] and config.getoption("--no-skips"):
        session.exitstatus = max(session.exitstatus, pytest.ExitCode.TESTS_FAILED)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Tells it below everything else."""
    skips = config.stash.get(SKIPS, Counter())
    if not skips:
        return
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    for line in ["", *told(skips)]:
        reporter.write_line(line)
    if config.getoption("--no-skips"):
        line = f"expected no skipped test, found {skips.total()} (--no-skips)"
        reporter.write_line(line, red=True)
