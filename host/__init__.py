"""Processes, signals and temporary folders: how programs begin, end, and leave nothing."""
