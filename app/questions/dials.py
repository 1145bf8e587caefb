"""Dials: what makes questions hard, as a number of each question. Kilometres on WGS84; pure.

Generation takes questions whose numbers lie in the ranges that a recipe wants; boards draw scores by the same numbers.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from pyproj import Geod

from app.questions.gold import NO_ANSWER
from app.questions.strategies import find_strategy
from app.questions.tool_plans import TOOL_PLAN
from app.templates.header import Header

GEOD = Geod(ellps="WGS84")
LAYERS_OF_PLACES = ("poi", "aoi")
"""Where options live that are places: of a road, no point stands for the whole."""
SEARCHES_AROUND = ("circle", "point")
"""What headers call a search around a point, which has a radius."""
Point = tuple[float, float]
"""Lon and lat in degrees."""


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
