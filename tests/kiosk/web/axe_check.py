"""Accessibility by axe-core, one helper for all pages."""

import os
from pathlib import Path

import pytest

AXE = Path(__file__).parents[3] / ".npm" / "node_modules" / "axe-core" / "axe.min.js"


def check_access(driver, what="the view"):
    """axe-core finds no violation on the page as it is. Skips loudly without it; fails in CI."""
    if not AXE.is_file():
        if os.environ.get("CI"):
            pytest.fail("expected axe-core in .npm; run `make browser`")
        pytest.skip("NO AXE-CORE: accessibility is not tested; run `make browser`")
    driver.execute_script(AXE.read_text(encoding="utf-8"))
    found = driver.execute_async_script(
        "axe.run().then(result => arguments[0](result.violations.map(v => [v.id, "
        "v.nodes.map(n => n.html.slice(0, 90))])))"
    )
    assert found == [], f"{what}: {found}"
