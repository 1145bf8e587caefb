"""Objects that `trigpoint plant` adds to an extract: invented, for tests and demonstrations, and told by their ids.

An id is the mark, since it goes with an object through extract, snapshot, question and answer; a tag could be lost.
"""

FIRST_ID = 9_000_000_000_000_000
"""Node ids from here on are planted: 9·10^15 plus the id of the road node beside it. OpenStreetMap is at 1.4·10^10."""
MOST_ID = FIRST_ID + 999_999_999_999_999
PLANTED_IDS = {"first": FIRST_ID, "last": MOST_ID}
"""The same as binds."""
MARK = {"synthetic": "yes", "source": "trigpoint plant"}
"""The tags of each planted object, beside its own."""


def is_planted(osm_type: str, osm_id: int) -> bool:
    """Whether an object of the map was planted."""
    return osm_type == "n" and FIRST_ID <= osm_id <= MOST_ID


def is_planted_key(osm_key: str) -> bool:
    """The same of `n9000000000000001`."""
    return is_planted(osm_key[0], int(osm_key[1:]))
