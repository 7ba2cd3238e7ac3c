"""Accessibility by axe-core, one helper for all pages."""

from needed_tools import AXE, AXE_CORE, need


def access_faults(driver):
    """What axe-core finds on the page as it is. Skips the test without it."""
    need(AXE_CORE)
    driver.execute_script(AXE.read_text(encoding="utf-8"))
    return driver.execute_async_script(
        "axe.run().then(result => arguments[0](result.violations.map(v => [v.id, "
        "v.nodes.map(n => n.html.slice(0, 90))])))"
    )


def check_access(driver, what="the view"):
    """axe-core finds no violation on the page as it is."""
    found = access_faults(driver)
    assert found == [], f"{what}: {found}"
