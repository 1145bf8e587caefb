"""What the words of a published question ask for: the kind of the places, the side, the two roads. Pure."""

import re
from collections.abc import Mapping
from typing import NamedTuple


class Asked(NamedTuple):
    """What stands in the words. `kinds`: values of tags that the word for the kind may mean; empty if none is read."""

    kinds: frozenset[str] = frozenset()
    direction: str | None = None
    roads: tuple[str, str] | None = None


_FORMS: Mapping[str, str] = {
    "adjacent": r"what (?P<kind>.+?) (?:neighbou?rs|is (?:adjacent to|close to|right by|next to|beside|near|by)) .+",
    "amenities_around_specific": (
        r"(?:what|which) (?:are )?(?:the )?(?P<kinds>.+?) "
        r"(?:(?:are|can be|is|exist|located|found) )*within \d+ ?m of .+"
    ),
    "nearest_amenity": (
        r"(?:what|which) (?:is the (?:nearest|closest) (?P<kind>.+?) (?:found )?(?:around|near|to|in the vicinity of)"
        r"|(?P<other>.+?) is (?:nearest|closest) to) .+"
    ),
    "direction_nearest": (
        r"(?:what|which) is the (?:nearest|closest) (?P<kind>.+?) "
        r"(?:(?:found|situated|located|positioned) )?(?P<direction>north|south|east|west) of .+"
    ),
    "intersection": (
        r"(?:what|which) (?P<kind>.+?) is (?:nearest|closest) to "
        r"(?:where (?P<one>.+?) meets (?P<two>.+)"
        r"|the (?:corner|junction|intersection) of (?P<first>.+?) and (?P<second>.+))"
    ),
}
"""By type: the wordings of the files, whatever their letters."""
_PATTERNS = {name: re.compile(form, re.IGNORECASE) for name, form in _FORMS.items()}


def read_words(template: str, text: str) -> Asked:
    """What a question of that type asks for; nothing where its words are not those of the files."""
    pattern = _PATTERNS.get(template)
    found = pattern.fullmatch(text.strip().removesuffix("?").strip()) if pattern else None
    if found is None:
        return Asked()
    told = found.groupdict()
    many, one = told.get("kinds"), told.get("kind") or told.get("other")
    kinds = _singular(many) if many else {one} if one else set()
    roads = (told.get("one") or told.get("first"), told.get("two") or told.get("second"))
    direction = told.get("direction")
    return Asked(
        frozenset(kinds | {kind.replace(" ", "_") for kind in kinds}),
        direction.lower() if direction else None,
        (roads[0].strip(), roads[1].strip()) if roads[0] and roads[1] else None,
    )


def _singular(many: str) -> set[str]:
    """The files add an s to whatever stands in a tag; others may write a plural of English."""
    found = {many}
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y")):
        if many.endswith(ending):
            found.add(many.removesuffix(ending) + instead)
    return found
