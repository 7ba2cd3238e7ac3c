"""Suds: a pile is born where a card lands away from all others."""

from rules.layout import Layout

LAYOUT = Layout()
