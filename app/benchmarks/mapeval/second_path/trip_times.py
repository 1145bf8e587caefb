"""Second path of Total_Travel_Time, Arrival_Time and Latest_Departure."""

import re
from typing import Any

from app.benchmarks.mapeval.second_path.trips import Ways, along, find_ways
from app.questions.second_path.answering import (
    Parameters,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.verdicts import Verdict, wrong_rule

PLACES = (3, 4)
LEAST = 20
"""Minutes on the way in all."""
OTHER = 3
"""Minutes by which a wrong time differs at least."""
_CLOCK, _MINUTES = re.compile(r"(\d\d):(\d\d)"), re.compile(r"(\d+) minutes")


def _answer(layers: Layers, ways: Ways, value: dict[str, Any]) -> SecondAnswer:
    total = value["minutes"]
    refusal = ways.refusal() or first_refusal(
        (total < LEAST, "too_close"),
        (abs(sum(ways.seconds.values()) / 60 - total) >= 0.5, "near_rounding"),
    )
    facts: dict[str, Any] = {"sure": ways.sure(layers, 30.0 * OTHER), "seconds": [*ways.seconds.values()]}
    return SecondAnswer(value, refusal, facts)


def _sum(ways: Ways) -> int:
    return sum(map(ways.minutes, ways.seconds))


def _clock(text: str) -> int:
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def _said(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _stays(parameters: Parameters, ways: Ways) -> int:
    stay: float = parameter(parameters, "stay", (int, float))
    return round(stay * (len(ways.places) - 2))


@second_path("mapeval", "Total_Travel_Time")
def total_travel_time(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The minutes of all ways together."""
    ways = find_ways(layers, parameters, PLACES, along)
    return _answer(layers, ways, {"text": f"{_sum(ways)} minutes", "minutes": _sum(ways)})


@second_path("mapeval", "Arrival_Time")
def arrival_time(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """When one is at the last place."""
    ways = find_ways(layers, parameters, PLACES, along)
    start = _clock(parameter(parameters, "departure", str))
    arrival = start + _sum(ways) + _stays(parameters, ways)
    return _answer(layers, ways, {"text": _said(arrival), "minutes": _sum(ways)})


@second_path("mapeval", "Latest_Departure")
def latest_departure(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """When one must leave at the latest."""
    ways = find_ways(layers, parameters, PLACES, along)
    deadline = _clock(parameter(parameters, "deadline", str))
    departure = deadline - _sum(ways) - _stays(parameters, ways)
    return _answer(layers, ways, {"text": _said(departure), "minutes": _sum(ways)})


@wrong_rule("mapeval", "Total_Travel_Time")
def is_another_sum(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a number of minutes that clearly differs."""
    read, right = _MINUTES.fullmatch(text), answer.value["minutes"]
    if read is None:
        return False, "no number of minutes"
    return abs(int(read[1]) - right) >= OTHER, f"the ways take {right} minutes"


def _is_another_time(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a time of the clock that clearly differs."""
    if _CLOCK.fullmatch(text) is None:
        return False, "no time of the clock"
    right = answer.value["text"]
    return abs(_clock(text) - _clock(right)) >= OTHER, f"the right time is {right}"


wrong_rule("mapeval", "Arrival_Time")(_is_another_time)
wrong_rule("mapeval", "Latest_Departure")(_is_another_time)
