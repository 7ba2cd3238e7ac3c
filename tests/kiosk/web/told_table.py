"""The told table of the page's tests; the lab measures the page with the same one."""

from lab.page.told import FRAME_S, ToldTable, told_table

__all__ = ["FRAME_S", "ToldTable", "told_table"]
