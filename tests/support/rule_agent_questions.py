"""How the rule-based agent reads a question: what is asked, of which places and kinds, within how many metres, and when.

Its rules are patterns of everyday English. They were written from questions as a run shows them, and know no template.
"""

import re
from calendar import month_name
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

_OPTION = re.compile(r"^([A-Z])\) (.+)$", re.MULTILINE)
_NOTES = re.compile(
    r"\s(?:Answer (?:from|with)|Give (?:it|its|the|your)|Distances (?:are|count)|Areas are|The (?:time|direction) (?:is|counts))\b.*",
    re.DOTALL,
)
_PLACE = "{place}"
_FORMS = (r"(.+?) \(([^()]+)\)", r"(.+?)(?: \(([^()]+)\))?")
"""A place with what it is in brackets, as names can have full stops; and one of which that may be missing."""
_NEAR = r"(?:nearest|closest|next)"
_KIND = r"([\w'’ -]+?)"
_FROM_TO = [
    rf"\bfrom {_PLACE} (?:and want to point at|to) {_PLACE}(?:,| in | by |\?|\.|$)",
    rf"\b(?:am|stand) at {_PLACE}(?:\.| and) .*?(?:away is|far is|point (?:at|to)) {_PLACE}(?:\?|\.|$)",
    rf"\bbetween {_PLACE} and {_PLACE}(?:\?|\.|$)",
]
_TO_FROM = [
    rf"\bdoes {_PLACE} lie from {_PLACE}(?:\?|\.|$)",
    rf"\bis (?!it |the ){_PLACE} (?:away |as seen )?from {_PLACE}(?:\?|\.|$)",
]
_CHAINS = [
    rf"\bfrom {_PLACE} to the {_NEAR} {_KIND},? and (?:then |from there )+to the {_NEAR} {_KIND}(?: to it)?\.",
    rf"\b[Ss]tarting (?:at|from) {_PLACE}, I \w+ the {_NEAR} {_KIND} and then the {_KIND} {_NEAR} to (?:it|that [\w'’ -]+)\.",
]
_CHAINS_FROM_BEHIND = [
    rf"\b[Tt]ake the {_KIND} (?:that is )?{_NEAR} to {_PLACE}\. (?:Which|What) {_KIND} is {_NEAR} to"
]
_NEAREST = [
    rf"\b(?:am|stand) at {_PLACE} and (?:look for|need|want) an? {_KIND}\.",
]
_NEAREST_FROM_BEHIND = [
    rf"\bname of the {_KIND} (?:that is )?{_NEAR} to {_PLACE}(?:\?|\.|$)",
    rf"\b(?:Which|What) {_KIND} is {_NEAR} to {_PLACE}(?:\?|\.|$)",
]
_WITHIN = r"(?:within|at most|not more than|no more than) ([\d.,]+) ?(km|m|metres|kilometres)"
_COUNTED_AROUND = [
    rf"\b(?:[Hh]ow many|[Cc]ount the|number of) {_KIND}(?: (?:are there|are|there are))? {_WITHIN} (?:of|from|around) {_PLACE}(?:\?|\.|$)",
]
_COUNTED_FROM = [rf"\b(?:am|stand) at {_PLACE}\. How many {_KIND} are {_WITHIN} away"]
_COUNTED_IN = [
    rf"\b(?:[Hh]ow many|[Cc]ount (?:all )?the|number of) {_KIND} (?:are there in|does|are in|lie in|in) {_PLACE}(?: have)?(?:\?|\.|$)"
]
_AREAS = [
    rf"\bHow (?:large|big) is {_PLACE}\?",
    rf"\barea of {_PLACE}(?: in square metres)?(?:\?|$)",
    rf"\bdoes {_PLACE} (?:cover|take up)\b",
]
_OF_OPTIONS = [
    rf"(?:{_NEAR}|shortest distance|shortest way) to {_PLACE}(?:\?|\.|$)",
    rf"\b(?:am|stand) at {_PLACE}\. .*{_NEAR}",
]
_REGIONS = [
    rf"\b(?:lies|is|lie) in {_PLACE}(?:\?|\.|$)",
    rf"\bplace in {_PLACE}(?:\?|\.|$)",
    rf"\bin {_PLACE}(?:\?|\.|$)",
]
_TIME = re.compile(r"(\d{1,2}) (\w+) (\d{4}),? at (\d{1,2}:\d{2})")


class Mention(NamedTuple):
    """A place in a question: its name, and what it is in words, if that is told."""

    name: str
    kind: str | None


@dataclass(frozen=True)
class Asked:
    """A question as it was understood. `task` names what is asked; `time` is local, as tools take it."""

    task: str
    places: tuple[Mention, ...] = ()
    kinds: tuple[str, ...] = ()
    metres: float | None = None
    time: str | None = None
    options: dict[str, str] = field(default_factory=dict)


def read_question(said: str) -> Asked | None:
    """What is asked; None where no rule knows."""
    options = {one[1]: one[2].strip() for one in _OPTION.finditer(said)}
    text = _NOTES.sub("", said.split("\nA) ")[0]).strip()
    return _read_choice(text, options) if options else _read_open(text, said)


def _read_choice(text: str, options: dict[str, str]) -> Asked | None:
    if time := _TIME.search(text):
        day, month, year, clock = time.groups()
        number = list(month_name).index(month)
        return Asked("open", time=f"{year}-{number:02}-{int(day):02}T{clock:0>5}", options=options)
    if found := _first(_OF_OPTIONS, text):
        return Asked("nearest_option", (Mention(found[1], found[2]),), options=options)
    if found := _first(_REGIONS, text):
        return Asked("option_in", (Mention(found[1], found[2]),), options=options)
    return None


def _read_open(text: str, said: str) -> Asked | None:
    if re.search(r"square metres", said):
        return _read_area(text)
    if re.search(r"degrees|azimuth", said):
        return _read_two("bearing", text)
    if re.search(r"[Hh]ow far|[Hh]ow many metres|\bdistance\b", text):
        return _read_two("distance", text)
    if re.search(r"[Hh]ow many|[Cc]ount\b|[Nn]umber of", text):
        return _read_count(text)
    return _read_nearest(text)


def _read_area(text: str) -> Asked | None:
    found = _first(_AREAS, text)
    if not found:
        return None
    return Asked("area", (Mention(found[1], found[2]),))


def _read_two(task: str, text: str) -> Asked | None:
    if found := _first(_TO_FROM, text):
        return Asked(task, (Mention(found[3], found[4]), Mention(found[1], found[2])))
    if found := _first(_FROM_TO, text):
        return Asked(task, (Mention(found[1], found[2]), Mention(found[3], found[4])))
    return None


def _read_count(text: str) -> Asked | None:
    if found := _first(_COUNTED_AROUND, text):
        kind, number, unit, name, what = found.groups()
        return Asked("count_around", (Mention(name, what),), (kind,), _metres(number, unit))
    if found := _first(_COUNTED_FROM, text):
        name, what, kind, number, unit = found.groups()
        return Asked("count_around", (Mention(name, what),), (kind,), _metres(number, unit))
    if found := _first(_COUNTED_IN, text):
        return Asked("count_in", (Mention(found[2], found[3]),), (found[1],))
    return None


def _read_nearest(text: str) -> Asked | None:
    if found := _first(_CHAINS, text):
        return Asked("nearest", (Mention(found[1], found[2]),), (found[3], found[4]))
    if found := _first(_CHAINS_FROM_BEHIND, text):
        return Asked("nearest", (Mention(found[2], found[3]),), (found[1], found[4]))
    if found := _first(_NEAREST, text):
        return Asked("nearest", (Mention(found[1], found[2]),), (found[3],))
    if found := _first(_NEAREST_FROM_BEHIND, text):
        return Asked("nearest", (Mention(found[2], found[3]),), (found[1],))
    return None


def _first(patterns: Iterable[str], text: str) -> re.Match[str] | None:
    tried = (pattern.replace(_PLACE, form) for form in _FORMS for pattern in patterns)
    return next((found for pattern in tried if (found := re.search(pattern, text))), None)


def _metres(number: str, unit: str) -> float:
    return round(float(number.replace(",", "")) * (1000 if unit.startswith("k") else 1), 3)
