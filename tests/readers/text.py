"""From the text of a question to all its parameters, by what bears meaning: numbers with a unit, known names, kinds,
compass words, and what is asked. No phrasing is known here; a text that misses a parameter, or states it in two ways,
is unreadable. A precise text must have its definitions as well; what an everyday text leaves open is left open here.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from tests.readers.definitions import is_precise, require_definitions
from tests.readers.everyday_words import with_described_places
from tests.readers.nouns import find_kind
from tests.readers.places import Atlas, Mention, Unreadable
from tests.readers.reading import Reading
from tests.readers.vocabulary import CLIPPED, COMPASS, GROUNDS, LINES, METRES, PLACES, WHOLE

T = TypeVar("T")
LIMIT = re.compile(
    r"\bwithin\b|\bat most\b|\bfarther (?:from \S+ )?than\b|\bno more than\b|\bor less\b|\bup to\b|\bcircle\b",
    re.IGNORECASE,
)
NEAREST = re.compile(r"\b(?:nearest|closest|shortest|smallest)\b", re.IGNORECASE)
LEADING = re.compile(r"\b(?:largest|biggest|longest|greatest|most|farthest)\b")
WIDTH = re.compile(r"\bwithin 22\.5 degrees of\b")
TOWARDS = re.compile(
    r"\b(?:towards|in the direction of|heading (?:for|towards)|facing|the straight line to) ⟦(\d+)⟧"
)
NORTH_IS_ZERO = re.compile(
    r"\bclockwise from (?:true )?north\b|\bfrom (?:true )?north\b"
    r"|\bnorth (?:as|is) 0\b(?: and east (?:as|is) 90\b)?|\b0 is (?:true )?north, 90 is east\b"
)
PLACE = re.compile(r"\bwhere\b|\blatitude\b|\bcoordinates\b|\baddress\b|\blocat(?:e|ion)\b", re.IGNORECASE)
COUNT = re.compile(r"\bhow many (?!(?:square )?metres\b)|\bnumber of\b|\bcount the\b", re.IGNORECASE)
NAME = re.compile(
    r"\bnam(?:e|es|ed)\b|\bcalled\b|\bwhich\b|\bwhat(?: is|'s) the (?:nearest|closest|biggest|largest|longest)\b",
    re.IGNORECASE,
)
METRE = re.compile(r"\bmetres\b")
SQUARE_METRE = re.compile(r"\bsquare metres\b")
DEGREE = re.compile(r"\bdegrees\b")
AMOUNT = re.compile(rf"(?<![\w.])(\d+(?:\.\d+)?) ({'|'.join(sorted(METRES, key=len, reverse=True))})\b")
DIRECTION = re.compile(rf"\b({'|'.join(sorted(COMPASS, key=len, reverse=True))})\b")


def read(text: str, atlas: Atlas) -> Reading:
    """All that a text says. Raises Unreadable, which names the parameter that is missing or ambiguous."""
    text = with_described_places(text)
    mentions = _mentions(text, atlas)
    rest = _masked(text, mentions)
    about = _about_region if any(mention.layer == "region" for mention in mentions) else _about_anchor
    reading = about(rest, mentions)
    if reading.precise:
        require_definitions(rest, reading)
    return reading


def _mentions(text: str, atlas: Atlas) -> list[Mention]:
    """Names and facts, in their order."""
    facts = list(atlas.facts_in(text))
    places = [
        place
        for place in atlas.places_in(text)
        if not any(fact.span[0] < place.span[1] and place.span[0] < fact.span[1] for fact in facts)
    ]
    return sorted([*facts, *places], key=lambda mention: mention.span)


def _masked(text: str, mentions: Sequence[Mention]) -> str:
    """The text with the number of a mention in its place."""
    for number, mention in reversed(list(enumerate(mentions))):
        text = f"{text[: mention.span[0]]}⟦{number}⟧{text[mention.span[1] :]}"
    return text


# --- around an anchor -------------------------------------------------------------------------------------


def _about_anchor(rest: str, mentions: Sequence[Mention]) -> Reading:
    goals = {mentions[int(match[1])].value for match in TOWARDS.finditer(rest)}
    starts = {one.value for one in mentions if one.layer in ("poi", "described")} - goals
    anchor = _only("anchor", starts)
    assert anchor
    fact = _only("attribute", {one.value for one in mentions if one.layer == "fact"}, needed=False)
    kind, narrowed = find_kind(rest, PLACES)
    distance = _distance(rest)
    sector, towards = _direction(rest, goals)
    asks = "fact" if fact else _asked(rest, directed=sector is not None or towards is not None)
    key, _, described_by = anchor.partition(" ")
    way = "sector" if sector is not None else "towards" if towards else "filter" if narrowed else "plain"
    about = "described" if described_by else "range" if distance else "nearest"
    return Reading(
        template=_template(asks, about, way),
        asks=asks,
        precise=is_precise(rest),
        anchor=key,
        towards=towards,
        pinned=frozenset(one.value for one in mentions if one.has_point),
        kind=kind,
        narrowed=narrowed,
        distance=distance,
        sector=sector,
        fact=fact,
        described_by=described_by or None,
    )


def _asked(rest: str, directed: bool) -> str:
    if PLACE.search(rest):
        if is_precise(rest) and not ("address" in rest and "latitude" in rest):
            raise Unreadable("answer", "not said that coordinates and an address are both right")
        return "location"
    if not directed and NORTH_IS_ZERO.search(rest):
        if not DEGREE.search(rest):
            raise Unreadable("answer", "not said in what angles are counted")
        return "azimuth"
    if METRE.search(rest):
        return "distance"
    if COUNT.search(rest):
        return "count"
    if NAME.search(rest):
        return "name"
    raise Unreadable("answer", "not said what is asked for")


def _distance(rest: str) -> float | None:
    """Metres within which places count; None where the nearest is asked for."""
    rest = WIDTH.sub("", rest)
    amounts = {float(match[1]) * METRES[match[2]] for match in AMOUNT.finditer(rest)}
    nearest = NEAREST.search(rest)
    if not amounts:
        if not nearest:
            raise Unreadable("distance", "neither a distance nor the nearest")
        return None
    if nearest or not LIMIT.search(rest):
        raise Unreadable("distance", "not said what the distance limits")
    return _only("distance", amounts)


def _direction(rest: str, goals: set[str]) -> tuple[int | None, str | None]:
    """The sector, or the key of the place that a direction is named by; neither where there is no direction."""
    words = {COMPASS.index(match[1]) for match in DIRECTION.finditer(NORTH_IS_ZERO.sub("", rest))}
    if goals:
        if words:
            raise Unreadable("towards", "a compass word too")
        return None, _only("towards", goals)
    return _only("sector", words, needed=False), None


# --- in a region ------------------------------------------------------------------------------------------


def _about_region(rest: str, mentions: Sequence[Mention]) -> Reading:
    region = _only("region", {one.value for one in mentions})
    leading, precise = LEADING.search(rest), is_precise(rest)
    is_count = leading is None and not METRE.search(rest)
    kind, narrowed = find_kind(rest, PLACES if is_count else (*GROUNDS, *LINES))
    if narrowed:
        raise Unreadable("category", "narrowed")
    if kind.layer == "poi":
        _require(rest, "answer", COUNT)
        return Reading("T24", "count", precise, region=region, kind=kind)
    is_area = kind in GROUNDS
    if leading:
        _require(rest, "answer", NAME)
        template, asks = ("T11", "largest") if is_area else ("T12", "longest")
    else:
        _require(rest, "unit", SQUARE_METRE if is_area else re.compile(rf"(?<!square ){METRE.pattern}"))
        template, asks = ("T27", "area") if is_area else ("T28", "length")
    return Reading(template, asks, precise, region=region, kind=kind, clipped=_semantics(rest))


def _semantics(rest: str) -> bool | None:
    return _only(
        "semantics",
        {clipped for words, clipped in ((CLIPPED, True), (WHOLE, False)) if words in rest},
        needed=False,
    )


# --- words ------------------------------------------------------------------------------------------------


def _require(rest: str, parameter: str, pattern: re.Pattern[str]) -> None:
    if not pattern.search(rest):
        raise Unreadable(parameter, f"nothing like {pattern.pattern!r} is said")


def _only(parameter: str, values: set[T], needed: bool = True) -> T | None:
    if len(values) > 1 or (needed and not values):
        raise Unreadable(parameter, f"one is wanted, the text says {sorted(map(str, values))}")
    return next(iter(values), None)


TEMPLATES = {
    ("name", "range", "plain"): "T1",
    ("name", "range", "filter"): "T2",
    ("name", "range", "sector"): "T3",
    ("name", "range", "towards"): "T4",
    ("name", "nearest", "plain"): "T5",
    ("name", "nearest", "filter"): "T6",
    ("fact", "nearest", "plain"): "T7",
    ("name", "described", "plain"): "T8",
    ("name", "nearest", "sector"): "T9",
    ("name", "nearest", "towards"): "T10",
    ("location", "range", "plain"): "T13",
    ("location", "range", "filter"): "T14",
    ("location", "range", "sector"): "T15",
    ("location", "range", "towards"): "T16",
    ("location", "nearest", "plain"): "T17",
    ("location", "nearest", "filter"): "T18",
    ("location", "nearest", "sector"): "T19",
    ("location", "nearest", "towards"): "T20",
    ("azimuth", "range", "plain"): "T21",
    ("azimuth", "nearest", "plain"): "T22",
    ("count", "range", "plain"): "T23",
    ("distance", "range", "plain"): "T25",
    ("distance", "nearest", "plain"): "T26",
}


def _template(asks: str, about: str, way: str) -> str:
    found = TEMPLATES.get((asks, about, way))
    if found is None:
        raise Unreadable("template", f"nobody asks for {asks} by {about} and {way}")
    return found
