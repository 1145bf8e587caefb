"""From the text of a question to all its parameters, by what bears meaning: numbers with a unit, known names, kinds,
compass words, and what is asked. No phrasing is known here; a text that misses a parameter, or states it in two ways,
is unreadable.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from tests.readers.places import Atlas, Mention, Unreadable
from tests.readers.vocabulary import (
    CLIPPED,
    COMPASS,
    GROUNDS,
    KIND_WORDS,
    LINES,
    METRES,
    PLACES,
    SERVICES,
    WHOLE,
    Filter,
    Kind,
)

T = TypeVar("T")
SOURCE = re.compile(r"\bOpenStreetMap\b")
STRAIGHT = re.compile(r"\bstraight\b|\bas the crow flies\b|\bcircle\b", re.IGNORECASE)
AS_POINTS = re.compile(r" Places mapped as areas count as a point inside them\.")
LIMIT = re.compile(
    r"\bwithin\b|\bat most\b|\bno farther\b|\bno more than\b|\bor less\b|\bup to\b|\bin every direction\b|\bcircle\b",
    re.IGNORECASE,
)
NEAREST = re.compile(
    r"\b(?:nearest|closest|shortest|smallest|fewest|(?<!at )least)\b(?: straight-line (?:metres|distance))?"
    r"|(?<!latitude )\bfirst\b",
    re.IGNORECASE,
)
LEADING = re.compile(
    r"\b(?:largest|biggest|longest|greatest|most|top|(?:larger|longer|more \w+) (?:in \S+ )?than (?:all|any) others?)\b"
    r"|\bmore (?:area|metres)\b.*\bthan any other\b|\bWhich is first\b|\bat the top\b"
)
WIDTH = re.compile(r"\b22\.5 degrees\b|\b45[- ]degrees?\b")
CENTRED = re.compile(
    r"\bcentred\b|\beither side\b|\bgive or take\b|\bleft or right\b|\bdegrees off\b|\baround true\b"
)
TOWARDS = re.compile(r"\b(?:towards|in the direction of) ⟦(\d+)⟧")
NORTH_IS_ZERO = re.compile(r"\bclockwise\b|\b0 is true north, 90 is east\b")
PLACE = re.compile(r"\blatitude\b|\bcoordinates\b", re.IGNORECASE)
COUNT = re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b|\btotal of\b", re.IGNORECASE)
NAME = re.compile(
    r"\bnames?\b|\bcalled\b|\bcall\b|\bwhich\b|\bwhat is the (?:nearest|closest)\b", re.IGNORECASE
)
METRE = re.compile(r"\bmetres\b")
AMOUNT = re.compile(rf"(?<![\w.])(\d+(?:\.\d+)?) ({'|'.join(sorted(METRES, key=len, reverse=True))})\b")
DIRECTION = re.compile(rf"\b({'|'.join(sorted(COMPASS, key=len, reverse=True))})\b")
REMARK = re.compile(rf" ({'|'.join(SERVICES)})\b")


@dataclass(frozen=True)
class Reading:
    """What a text asks for, and all its parameters; those that it does not need are None."""

    template: str
    asks: str
    anchor: str | None = None
    towards: str | None = None
    region: str | None = None
    kind: Kind | None = None
    narrowed: Filter | None = None
    distance: float | None = None
    sector: int | None = None
    clipped: bool | None = None
    fact: str | None = None
    """attribute@credit: what is asked for."""
    described_by: str | None = None
    """The attribute by which the anchor is named."""

    @property
    def parameters(self) -> dict[str, str | float | int]:
        """The typed parameters, as questions store them."""
        kind = self.kind.code if self.kind else None
        if kind and self.narrowed:
            kind = f"{kind}:{self.narrowed.tag}={self.narrowed.value}"
        by_template = {"T11": "ground", "T12": "line", "T27": "surface", "T28": "line"}
        parts = self.template in by_template
        found = {
            "anchor": f"{self.anchor} {self.described_by}" if self.described_by else self.anchor,
            "towards": self.towards,
            "region": self.region,
            by_template.get(self.template, "category"): kind,
            "distance": self.distance,
            "sector": self.sector,
            "semantics": ("clipped" if self.clipped else "intersects") if parts else None,
            "attribute": self.fact,
        }
        return {name: value for name, value in found.items() if value is not None}


def read(text: str, atlas: Atlas) -> Reading:
    """All that a text says. Raises Unreadable, which names the parameter that is missing or ambiguous."""
    mentions = _mentions(text, atlas)
    rest = _masked(text, mentions)
    if not SOURCE.search(rest):
        raise Unreadable("source", "no map is named")
    as_points = AS_POINTS.search(rest) is not None
    rest = AS_POINTS.sub("", rest)
    about = _about_region if any(mention.layer == "region" for mention in mentions) else _about_anchor
    reading = about(rest, mentions)
    if reading.kind and reading.kind.layer == "poi" and not as_points:
        raise Unreadable("reference point", "not said where places are that are mapped as areas")
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
    if not STRAIGHT.search(rest):
        raise Unreadable("measure", "not said to be a straight line")
    goals = {mentions[int(match[1])].value for match in TOWARDS.finditer(rest)}
    starts = {one.value for one in mentions if one.layer in ("poi", "described")} - goals
    anchor = _only("anchor", starts)
    assert anchor
    fact = _only("attribute", {one.value for one in mentions if one.layer == "fact"}, needed=False)
    kind, narrowed = _kind(rest, PLACES)
    distance = _distance(rest)
    sector, towards = _direction(rest, goals)
    asks = "fact" if fact else _asked(rest, directed=sector is not None or towards is not None)
    key, _, described_by = anchor.partition(" ")
    way = "sector" if sector is not None else "towards" if towards else "filter" if narrowed else "plain"
    about = "described" if described_by else "range" if distance else "nearest"
    return Reading(
        template=_template(asks, about, way),
        asks=asks,
        anchor=key,
        towards=towards,
        kind=kind,
        narrowed=narrowed,
        distance=distance,
        sector=sector,
        fact=fact,
        described_by=described_by or None,
    )


def _asked(rest: str, directed: bool) -> str:
    if PLACE.search(rest):
        if "address" not in rest:
            raise Unreadable("answer", "only coordinates are asked for")
        return "location"
    if not directed and NORTH_IS_ZERO.search(rest):
        if "true north" not in rest or "degrees" not in rest:
            raise Unreadable("answer", "not said from where angles are counted, and in what")
        return "azimuth"
    if METRE.search(NEAREST.sub("", rest)):
        return "distance"
    if COUNT.search(rest):
        return "count"
    if NAME.search(rest):
        return "name"
    raise Unreadable("answer", "not said what is asked for")


def _distance(rest: str) -> float | None:
    """Metres within which places count; None where the nearest is asked for."""
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
    if not WIDTH.search(rest):
        if goals:
            raise Unreadable("towards", "not said how wide the sector is")
        return None, None
    if not CENTRED.search(rest):
        raise Unreadable("sector", "not said how the sector lies")
    words = {COMPASS.index(match[1]) for match in DIRECTION.finditer(rest)}
    if goals:
        if words:
            raise Unreadable("towards", "a compass word too")
        return None, _only("towards", goals)
    if not re.search(r"\btrue\b", rest):
        raise Unreadable("sector", "not said to be true north's")
    return _only("sector", words), None


# --- in a region ------------------------------------------------------------------------------------------


def _about_region(rest: str, mentions: Sequence[Mention]) -> Reading:
    region = _only("region", {one.value for one in mentions})
    leading, clipped = LEADING.search(rest), _semantics(rest)
    is_count = leading is None and not METRE.search(rest)
    kind, narrowed = _kind(rest, PLACES if is_count else (*GROUNDS, *LINES))
    if narrowed:
        raise Unreadable("category", "narrowed")
    if kind.layer == "poi":
        if not COUNT.search(rest):
            raise Unreadable("answer", "not a number")
        return Reading("T24", "count", region=region, kind=kind)
    if clipped is None:
        raise Unreadable("semantics", "not said what counts of that which leaves the region")
    area = kind in GROUNDS
    if leading:
        _require(rest, "answer", NAME)
        _require(rest, "answer", re.compile("with a name" if area else "of one name add up"))
        template, asks = ("T11", "largest") if area else ("T12", "longest")
        return Reading(template, asks, region=region, kind=kind, clipped=clipped)
    _require(rest, "unit", re.compile(r"\bsquare metres\b" if area else r"(?<!square )\bmetres\b"))
    _require(
        rest, "answer", re.compile(r"\boverlap\w*\b.* once\b" if area else r"\bEach carriageway\b.* counts\b")
    )
    return Reading(
        "T27" if area else "T28", "area" if area else "length", region=region, kind=kind, clipped=clipped
    )


def _semantics(rest: str) -> bool | None:
    said = {clipped for words, clipped in ((CLIPPED, True), (WHOLE, False)) if words in rest}
    return next(iter(said)) if len(said) == 1 else None


# --- words ------------------------------------------------------------------------------------------------


@cache
def _nouns(kinds: tuple[Kind, ...]) -> tuple[re.Pattern[str], dict[str, Kind]]:
    by_noun = {noun: kind for kind in kinds for noun in (kind.singular, kind.plural)}
    ordered = sorted(by_noun, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, ordered))})(?![\w-])"), by_noun


def _kind(rest: str, kinds: Iterable[Kind]) -> tuple[Kind, Filter | None]:
    """The one kind that is spoken of, and what narrows it."""
    found = set(_kinds(rest, tuple(kinds)))
    if len(found) != 1:
        said = sorted(f"{kind.code}{narrowed or ''}" for kind, narrowed in found)
        raise Unreadable("category", f"one kind is wanted, the text speaks of {said}")
    return next(iter(found))


def _kinds(rest: str, kinds: tuple[Kind, ...]) -> Iterator[tuple[Kind, Filter | None]]:
    pattern, by_noun = _nouns(kinds)
    position = 0
    while match := pattern.search(rest, position):
        kind, position = by_noun[match[1]], match.end()
        before = _told_before(rest[: match.start()], kind)
        if kind.listed:
            position = _after_list(rest, position, kind)
        remark = REMARK.match(rest, position)
        if remark is None:
            yield kind, before
            continue
        if before:
            raise Unreadable("category", f"narrowed twice, before and after {match[1]!r}")
        position = remark.end()
        yield kind, SERVICES[remark[1]]


def _told_before(text: str, kind: Kind) -> Filter | None:
    """What a word before the noun narrows the kind to: the longest that fits."""
    tag, values = KIND_WORDS.get(kind.code, ("", {}))
    fitting = [word for word in values if re.search(rf"(?<![\w-]){re.escape(word)} $", text)]
    if not fitting:
        return None
    value = values[max(fitting, key=len)]
    return Filter(tag, value, frozenset({value}))


def _after_list(rest: str, position: int, kind: Kind) -> int:
    """The end of the brackets that say what belongs to a kind. Raises Unreadable where they list something else."""
    listed = re.match(r" \(([^)]*)\)", rest[position:])
    if listed is None:
        raise Unreadable("category", f"not said what {kind.plural} are")
    said = {_singular(word) for word in re.split(r", (?:and |or )?| and (?!areas)| or ", listed[1])}
    if said != set(kind.listed):
        raise Unreadable("category", f"{kind.plural} are {sorted(kind.listed)}, not {sorted(said)}")
    return position + listed.end()


@cache
def _singular(noun: str) -> str:
    kinds = (*PLACES, *GROUNDS, *LINES)
    return next(
        (kind.singular for kind in kinds if noun == kind.plural),
        {"greens": "green", "reserves": "reserve"}.get(noun, noun),
    )


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
