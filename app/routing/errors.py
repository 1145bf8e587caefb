"""What a router says when it cannot answer."""

from app.core.errors import Conflict, Permanent, Transient


class RouteRefused(Conflict):
    """No route can be given.

    `kind` is `unavailable` (nothing of the kind is in the map), `off_network` or `not_connected`.
    """

    def __init__(self, message: str = "", kind: str = "unavailable") -> None:
        super().__init__(message)
        self.kind = kind


class RouterNotBuilt(Permanent):
    """The files of a router could not be made, or its process did not start."""


class RouterKeepsEnding(Transient):
    """The router's process ended, or did not answer in time, several times in a row; nothing was stored. Try again."""


class RouterLost(Transient):
    """The router's process ended, or did not answer in time; ask again, and another one is started."""
