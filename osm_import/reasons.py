"""Import stage: why an object is not in a layer."""

from enum import StrEnum


class Reason(StrEnum):
    """Why an object is not in a layer; the sentence is what a mapper reads."""

    MISSING_NODES = "missing_nodes"
    """Some nodes of the way are not in the extract: its edge cuts the way."""
    MISSING_MEMBERS = "missing_members"
    """Some member ways of the relation are not in the extract: its edge cuts the area."""
    NO_MEMBERS = "no_members"
    """The relation has no way that could be a ring."""
    OPEN_RING = "open_ring"
    """The member ways do not close into rings."""
    CROSSING_RINGS = "crossing_rings"
    """The rings cross or overlap each other."""
    NO_AREA = "no_area"
    """The ring encloses nothing."""
    LINE_NOT_AREA = "line_not_area"
    """The tags ask for an area, and the way is a line: not closed, a closed highway, or area=no."""
    RELATION_NOT_AREA = "relation_not_area"
    """The relation has the tags of an area, but is of no type that makes one (multipolygon, boundary)."""
    TOO_FEW_POINTS = "too_few_points"
    """The way has fewer than two different points."""
    BAD_LOCATION = "bad_location"
    """The node is not a place on earth."""
    BAD_TEXT = "bad_text"
    """A tag holds text that is not valid."""
    UNKNOWN_TURN = "unknown_turn"
    """The turn restriction is of a kind that nobody knows."""
    BROKEN_TURN = "broken_turn"
    """The members of the turn restriction do not lead from a way over a node or ways to a way."""
