"""Second path of Travel_Time_Between and Nearest_By_Travel."""

import re
from typing import Any

from app.benchmarks.mapeval.second_path.trips import Pair, along, find_ways, name_of
from app.questions.second_path.answering import (
    Parameters,
    SecondAnswer,
    first_refusal,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import place_called
from app.questions.second_path.verdicts import Verdict, wrong_rule

SHORTEST = 12
"""Minutes of a way that is asked for."""
LATER_S = 85.0
"""Seconds by which the others are reached later, at least; the question's own rule is stricter."""
_MINUTES = re.compile(r"(\d+) minutes")


@second_path("mapeval", "Travel_Time_Between")
def travel_time_between(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The minutes of the way."""
    ways = find_ways(layers, parameters, (2,), along)
    minutes = ways.minutes((0, 1))
    refusal = ways.refusal() or first_refusal((minutes < SHORTEST, "too_close"))
    facts: dict[str, Any] = {"sure": ways.sure(layers, 45.0), "seconds": ways.seconds[0, 1]}
    return SecondAnswer({"text": f"{minutes} minutes", "minutes": minutes}, refusal, facts)


@wrong_rule("mapeval", "Travel_Time_Between")
def is_another_time(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is another whole number of minutes."""
    read, right = _MINUTES.fullmatch(text), answer.value["minutes"]
    if read is None:
        return False, "no number of minutes"
    return int(read[1]) != right, f"the way takes {right} minutes"


def _from_the_first(count: int) -> list[Pair]:
    return [(0, number) for number in range(1, count)]


@second_path("mapeval", "Nearest_By_Travel")
def nearest_by_travel(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place that is reached first."""
    ways = find_ways(layers, parameters, (5,), _from_the_first)
    took = {other: seconds for (_, other), seconds in ways.seconds.items()}
    best = min(took, key=took.__getitem__)
    gap = min(seconds - took[best] for other, seconds in took.items() if other != best)
    refusal = first_refusal((ways.has_long_way, "long_way"), (gap < LATER_S, "margin"))
    poi, key = layers["poi"], ways.places[best]
    facts: dict[str, Any] = {
        "seconds": {poi.keys[ways.places[other]]: seconds for other, seconds in took.items()},
        "right": took[best],
        "sure": ways.sure(layers, gap * len(took) / 2),
    }
    return SecondAnswer({"text": name_of(layers, key), "objects": [poi.keys[key]]}, refusal, facts)


@wrong_rule("mapeval", "Nearest_By_Travel")
def is_reached_later(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the way to the place of that name takes clearly longer."""
    poi, took = layers["poi"], answer.facts["seconds"]
    one = place_called(layers, text, [poi.position[key] for key in took])
    if one is None:
        return False, "no place of this name is compared"
    later = took[poi.keys[one]] - answer.facts["right"]
    return later >= LATER_S, f"reached {later:.0f} s after the answer"
