"""The mark of maps that `trigpoint permute` wrote: the versions of their objects.

A version goes with an object through extract and snapshot, and no tool or prompt tells it to a model. The ids stay, so
that a question of the permuted map has the id of the same question of the map as it is.
"""

FIRST_VERSION = 900_000_000
"""Versions from here on are of permuted objects: 9·10^8 plus the object's own. OpenStreetMap is below 10^5."""


def say_permuted(permuted: int, maps: int) -> str:
    """What the attribution of so many maps says where so many of them are permuted."""
    which = "permuted" if permuted == maps else f"{permuted} of {maps} maps permuted"
    return f"but {which}: names or coordinates were changed, so that no real place is shown"
