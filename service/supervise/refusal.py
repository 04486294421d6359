"""Why a server cannot be started here, for the person who tried."""


class CannotServe(Exception):  # noqa: N818 - the sentence is for people, not a defect
    """Say in one sentence why nothing was started."""
