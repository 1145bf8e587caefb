"""Dials: what makes questions hard, as a number of each question. Kilometres on WGS84; pure.

Generation takes questions whose numbers lie in the ranges that a recipe wants; boards draw scores by the same numbers.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

from pyproj import Geod

from app.core.errors import UsageError
from app.questions import distractors as distractors  # registers the generic strategies
from app.questions.contexts import has_noise
from app.questions.gold import NO_ANSWER
from app.questions.strategies import find_strategy
from app.questions.tool_plans import TOOL_PLAN, may_have_plan
from app.templates.catalogue import Benchmark
from app.templates.header import Header
from app.templates.templates import Template

GEOD = Geod(ellps="WGS84")
LAYERS_OF_PLACES = ("poi", "aoi")
"""Where options live that are places: of a road, no point stands for the whole."""
SEARCHES_AROUND = ("circle", "point")
"""What headers call a search around a point, which has a radius."""
Point = tuple[float, float]
"""Lon and lat in degrees."""

_RANGE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(?:-(\d{1,6}(?:\.\d{1,6})?))?", re.ASCII)


@dataclass(frozen=True)
class Range:
    """The amounts from `least` to `most`, both included."""

    least: float
    most: float

    def refuses(self, amount: float | None, dial: str) -> str | None:
        """The reason of refusal of a question that lacks the amount, or has one beyond the range."""
        if amount is None:
            return f"no_{dial}"
        return None if self.least <= amount <= self.most else f"other_{dial}"

    def as_json(self) -> list[float]:
        """The range as recipes store it."""
        return [self.least, self.most]


@dataclass(frozen=True)
class Dials:
    """How hard the questions of a version are to be; what is None is as it comes."""

    hops: Range | None = None
    region_km: Range | None = None
    nearness_km: Range | None = None
    noise: int | None = None
    """How many lines of further blocks contexts tell, instead of as many as the question's id draws."""

    @property
    def turned(self) -> dict[str, Any]:
        """Those that a recipe says something of, by name."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in given.items() if value is not None}

    def as_json(self) -> dict[str, Any]:
        """The dials as recipes store them."""
        return {
            name: value.as_json() if isinstance(value, Range) else value
            for name, value in self.turned.items()
        }

    def refuses(self, hops: int | None, radius: float | None) -> str | None:
        """Why a question with so many calls and that radius (metres) is none of those wanted, if it is none."""
        refusal = None if self.hops is None else self.hops.refuses(hops, "hops")
        if refusal is None and self.region_km is not None:
            refusal = self.region_km.refuses(math.inf if radius is None else radius / 1000, "region")
        return refusal


NO_DIALS = Dials()


def dials_of_json(stored: Mapping[str, Any]) -> Dials:
    """The dials that a recipe stores."""
    ranges = {name: Range(*one) for name, one in stored.items() if name != "noise"}
    return Dials(**ranges, noise=stored.get("noise"))


def read_range(text: str | None, name: str) -> Range | None:
    """A range as people write it, MIN-MAX or one number. Raises UsageError for anything else."""
    if text is None:
        return None
    found = _RANGE.fullmatch(text.strip())
    least = float(found[1]) if found else 0.0
    most = float(found[2] or found[1]) if found else -1.0
    if most < least:
        raise UsageError(f"{name} {text!r}: write MIN-MAX, such as 2-3, or one number.")
    return Range(least, most)


def read_dials(hops: str | None, region_km: str | None, nearness_km: str | None, noise: int | None) -> Dials:
    """Dials as people give them. Raises UsageError for what is no range, and for a line alone, which no block has."""
    if noise == 1:
        raise UsageError("noise 1: a block of a context has two lines at least. Give 0, or 2 or more.")
    return Dials(
        read_range(hops, "hops"),
        read_range(region_km, "region_km"),
        read_range(nearness_km, "nearness_km"),
        noise,
    )


def check_dials(
    benchmark: Benchmark, dials: Dials, variant: str | None, hidden: float, unanswerable: float
) -> None:
    """Raise UsageError for dials that mean nothing for a template, or that would tell what hidden questions hide."""
    telling = [name for name in ("hops", "region_km") if name in dials.turned]
    if telling and hidden > 0:
        raise UsageError(
            f"{', '.join(telling)}: a range says something about every answer, so it cannot be given together with "
            "hidden questions. Leave out the range, or --hidden."
        )
    ranges = [name for name in dials.turned if name != "noise"]
    if ranges and unanswerable > 0:
        raise UsageError(
            f"{', '.join(ranges)}: questions without an answer have no such amount, and would stand out. Leave out the "
            "range, or --unanswerable."
        )
    for name in dials.turned:
        means = {one.header.id: _MEANS[name](one, variant) for one in benchmark.templates.values()}
        without = [template for template, has_meaning in means.items() if not has_meaning]
        if without:
            others = [template for template, has_meaning in means.items() if has_meaning]
            raise UsageError(
                f"{name} means nothing for {', '.join(without)} of {benchmark.name}: {_NEEDS[name]}. "
                + (
                    f"Ask the others alone: --template {' --template '.join(others)}."
                    if others
                    else f"Leave out {name}."
                )
            )


def _has_places(template: Template, variant: str | None) -> bool:
    return offers_places(template.benchmark, template.header, template.header.variant_for(variant))


_MEANS: Mapping[str, Callable[[Template, str | None], bool]] = {
    "hops": lambda template, _: may_have_plan(template.benchmark, template.id),
    "region_km": lambda template, _: template.header.search in SEARCHES_AROUND,
    "nearness_km": _has_places,
    "noise": lambda template, _: has_noise(template.benchmark),
}
"""By dial: whether it means anything for the questions of a template, with options of a variant."""
_NEEDS: Mapping[str, str] = {
    "hops": "no calls of tools lead to the answers",
    "region_km": "they do not look around a place",
    "nearness_km": "their options are not one place each",
    "noise": "their prompts have no context, or none that tells more than is needed",
}
"""What a template lacks for which a dial means nothing."""


def hops_of(solutions: Mapping[str, Any]) -> int | None:
    """How many calls of tools lead to the answer; None where no plan does."""
    plan = solutions.get(TOOL_PLAN)
    return None if plan is None else len(plan["calls"])


def offers_places(benchmark: str, header: Header, variant: str) -> bool:
    """Whether each option of a template's questions is one place of the map."""
    wrong = header.strategy_of(variant) if variant in header.variants else None
    strategy = wrong and find_strategy(benchmark, wrong.strategy)
    return bool(wrong and strategy and strategy.offers_places and wrong.layer in LAYERS_OF_PLACES)


def places_offered(
    gold: Mapping[str, Any], distractors: Sequence[Mapping[str, Any]] | None
) -> list[str] | None:
    """The osm_keys of the options, the key first; None where one of them is no place of its own."""
    right = [one if isinstance(one, str) else one.get("osm_key") for one in gold.get("objects", ())]
    wrong = [one.get("osm_key") for one in distractors or () if one["text"] != NO_ANSWER]
    keys = [str(one) for one in (*right, *wrong) if one]
    return keys if len(right) == 1 and wrong and len(keys) == 1 + len(wrong) else None


def kilometres_apart(points: Sequence[Point]) -> float:
    """The mean distance of each two points.

    It is the same whichever of the options is the key: so a range of it tells nothing about which one that is.
    """
    pairs = list(combinations(points, 2))
    metres = [float(GEOD.inv(*one, *other)[2]) for one, other in pairs]
    return sum(metres) / len(metres) / 1000
