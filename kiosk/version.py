"""The installed version of fairdeal."""

from importlib import metadata


def version() -> str:
    """The installed version; "unknown" in a checkout that is not installed."""
    try:
        return metadata.version("fairdeal")
    except metadata.PackageNotFoundError:
        return "unknown"
