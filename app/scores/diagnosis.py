"""What an answer got right or wrong beside its score: the place that it names, and the sign of its error. Pure.

GS-QA's paper asks for it (sections 5.2 and 6): was the entity right to which a distance or direction belongs; how good
is a wrong place that is near; are numbers too large or too small. No headline counts any of it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from pyproj import Geod

from app.core.names import normal_form
from app.scores.score import Component

DIAGNOSIS = "diagnosis"
"""The profile under which diagnoses are stored; no board knows it."""
VERSION = 1
"""Of these rules."""
HALF_CREDIT = 1_000.0
"""Metres between the named and the right place at which nearness is worth a half."""
NUMBERS: Mapping[str, tuple[str, str]] = {
    "count": ("count", "count"),
    "area": ("area", "square_metres"),
    "length": ("length", "metres"),
}
"""By scorer of counts and sums: what gold and the value that was read are called."""
NAMING = ("name", "distance", "angle")
"""Scorers whose answers have to do with one place."""
DIAGNOSED = (*NAMING, *NUMBERS)
SHOWN, MOST_WORDS, LEAST_LETTERS = 400, 8, 4
"""Signs of an answer that are looked through; words of a name that is found in it, and the letters it must have."""
_EDGES = ".,;:!?()[]{}\"'*`“”„«»‘’"
_GEOD = Geod(ellps="WGS84")


class Named(NamedTuple):
    """A place of the map that bears a name."""

    form: str
    lon: float
    lat: float


@dataclass(frozen=True)
class Diagnosis:
    """What is told of one answer, as score rows keep it."""

    components: Mapping[str, Component]
    told: Mapping[str, Any]

    @property
    def credit(self) -> float:
        """The nearness, or 0 where no place was named."""
        return self.components["nearness"].value if "nearness" in self.components else 0.0


def forms_in(answer: str, question: str) -> list[str]:
    """Every run of words of an answer that could be a place's name, the longest first; none that the question says."""
    words = normal_form(answer[:SHOWN]).split()
    asked = f" {' '.join(word.strip(_EDGES) for word in normal_form(question).split())} "
    found: dict[str, None] = {}
    for size in range(min(MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            form = " ".join(words[start : start + size]).strip(_EDGES)
            bare = " ".join(word.strip(_EDGES) for word in form.split())
            if sum(map(str.isalpha, form)) >= LEAST_LETTERS and f" {bare} " not in asked:
                found[form] = None
    return list(found)


def nearness(metres: float) -> float:
    """Credit for a place so far from the right one: 1 / (1 + d / 1 km), so 1, a half at 1 km, a tenth at 9 km."""
    return 1.0 / (1.0 + metres / HALF_CREDIT)


def diagnose_place(
    forms: Sequence[str], gold: Mapping[str, Any], known: Mapping[str, Sequence[Named]]
) -> Diagnosis:
    """Whether the answer names a right place, or how near the place is that it names.

    `forms` are those of `forms_in`, `known` the map's places by form. Gold: {"objects", "tolerated"}.
    """
    places = [*gold.get("objects", []), *gold.get("tolerated", [])]
    names = {
        normal_form(name) for name in (*gold.get("names", []), *(one.get("name") or "" for one in places))
    }
    said = next((form for form in forms if form in names or form in known), None)
    if said is None:
        return Diagnosis({"entity": Component(0.0, 1.0, False), "nearness": Component(0.0, 1.0, False)}, {})
    metres = 0.0 if said in names else _apart(known[said], places)
    if metres is None:
        return Diagnosis({"entity": Component(0.0, 1.0, True)}, {"named": said})
    right = 1.0 if said in names else 0.0
    parts = {"entity": Component(right, 1.0, True), "nearness": Component(nearness(metres), 1.0, True)}
    return Diagnosis(parts, {"named": said, "metres": metres})


def _apart(bearers: Sequence[Named], places: Sequence[Mapping[str, Any]]) -> float | None:
    """Geodesic metres between the nearest pair of a place that was named and a right one; None without a right one."""
    pairs = [(one, place) for one in bearers for place in places if "lon" in place]
    if not pairs:
        return None
    _, _, metres = _GEOD.inv(
        [one.lon for one, _ in pairs],
        [one.lat for one, _ in pairs],
        [place["lon"] for _, place in pairs],
        [place["lat"] for _, place in pairs],
    )
    return float(min(metres))


def diagnose_number(scorer: str, gold: Mapping[str, Any], parsed: Mapping[str, Any]) -> Diagnosis | None:
    """How many times the right number was said; None where none could be read."""
    name, read = NUMBERS[scorer]
    if read not in parsed or not gold.get(name):
        return None
    return Diagnosis({}, {"ratio": float(parsed[read]) / float(gold[name])})


class Summary(NamedTuple):
    """Answers of a run over which a diagnosis is told; shares are of `named`, or of `numbers`."""

    places: int
    named: int
    right: int
    nearness: float | None
    numbers: int
    over: int
    under: int
    median_ratio: float | None


def summarise(diagnoses: Sequence[Mapping[str, Any]]) -> Summary:
    """The summary of stored rows {components, parsed}."""
    entities = [one["components"]["entity"] for one in diagnoses if "entity" in one["components"]]
    near = [
        one["components"]["nearness"]["value"]
        for one in diagnoses
        if one["components"].get("nearness", {}).get("attempted")
    ]
    ratios = [one["parsed"]["ratio"] for one in diagnoses if "ratio" in one["parsed"]]
    named = [one for one in entities if one["attempted"]]
    return Summary(
        len(entities),
        len(named),
        sum(one["value"] == 1.0 for one in named),
        math.fsum(near) / len(near) if near else None,
        len(ratios),
        sum(ratio > 1.0 for ratio in ratios),
        sum(ratio < 1.0 for ratio in ratios),
        median(ratios) if ratios else None,
    )
