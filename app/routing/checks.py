"""What every router refuses, in one wording."""

from collections.abc import Sequence

from app.core.errors import UsageError
from app.routing.errors import RouteRefused
from app.routing.results import MOST_PLACES, Point


def check_matrix(starts: Sequence[Point], ends: Sequence[Point]) -> None:
    """Raise UsageError where a matrix is empty or too large."""
    if not (0 < len(starts) <= MOST_PLACES and 0 < len(ends) <= MOST_PLACES):
        raise UsageError(
            f"A matrix takes from 1 to {MOST_PLACES} starts and ends; these are {len(starts)} and {len(ends)}."
        )


def refuse_unconnected(mode: str) -> RouteRefused:
    """The refusal of two ends that no route connects."""
    return RouteRefused(
        f"No route for {mode} leads from the start to the end: they lie in parts of the network that are not "
        "connected in this direction.",
        "not_connected",
    )
