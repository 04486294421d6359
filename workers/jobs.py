"""The entry points of RQ's jobs, one line each."""

from workers import station


def follow() -> None:
    """Follow for one slice, then let a successor go on."""
    station.here().follow()


def post() -> None:
    """Send what is due to webhooks."""
    station.here().post()


def archive() -> None:
    """Let tables go to the archive that have been over long enough."""
    station.here().archive()
