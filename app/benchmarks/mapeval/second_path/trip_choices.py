"""Second path of Best_Order, Places_In_Budget and Meeting_Place."""

from collections.abc import Iterator
from typing import Any

from app.benchmarks.mapeval.second_path.trips import Pair, along, find_ways, name_of
from app.questions.second_path.answering import (
    Parameters,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import place_called
from app.questions.second_path.verdicts import Verdict, wrong_rule

TOUR, VISITS, MEETING = (4, 5), (6,), (6,)
"""How many places a trip has, the start among them."""
BEHIND, BEHIND_SHARE = 2, 0.02
"""Minutes by which anything else is slower."""
BEHIND_SECONDS = 80.0
"""The like by seconds; the question's own rule is stricter."""
LATER = 1
"""Printed minutes by which every other place to meet is reached later."""
ROOM = 1
"""Minutes by which each stay ends before or after the time is over. The rule of the question is stricter: each of five
ways may be rounded otherwise."""


def _behind(best: int) -> float:
    return max(BEHIND, BEHIND_SHARE * best)


def _all_ways(count: int) -> list[Pair]:
    return [(one, other) for one in range(count) for other in range(1, count) if one != other]


def _orders(left: frozenset[int], before: tuple[int, ...] = (0,)) -> Iterator[tuple[int, ...]]:
    """Every order of the places that are left, behind those that were visited."""
    if not left:
        yield before
    for one in sorted(left):
        yield from _orders(left - {one}, (*before, one))


@second_path("mapeval", "Best_Order")
def best_order(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The order with the smallest sum of minutes."""
    ways = find_ways(layers, parameters, TOUR, _all_ways)
    minutes, seconds, texts = {}, {}, {}
    for order in _orders(frozenset(range(1, len(ways.places)))):
        legs = [(order[number], order[number + 1]) for number in range(len(order) - 1)]
        minutes[order] = sum(map(ways.minutes, legs))
        seconds[order] = sum(ways.seconds[leg] for leg in legs)
        texts[order] = " → ".join(name_of(layers, ways.places[one]) for one in order[1:])
    best = min(minutes, key=lambda order: (minutes[order], seconds[order]))
    gap = min(minutes[order] - minutes[best] for order in minutes if order != best)
    gap_s = min(seconds[order] - seconds[best] for order in minutes if order != best)
    refusal = ways.refusal() or first_refusal(
        (gap < _behind(minutes[best]) or gap_s < BEHIND_SECONDS, "margin")
    )
    room = gap_s * len(ways.seconds) / (2 * len(best) - 2)  # only the ways of two orders count
    facts: dict[str, Any] = {
        "minutes": {texts[order]: minutes[order] for order in minutes},
        "sure": ways.sure(layers, room),
    }
    return SecondAnswer({"text": texts[best], "minutes": minutes[best]}, refusal, facts)


@wrong_rule("mapeval", "Best_Order")
def takes_longer(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is an order of the places that clearly takes longer."""
    right, minutes = answer.value["minutes"], answer.facts["minutes"].get(text)
    if minutes is None:
        return False, "no order of these places"
    return minutes - right >= _behind(right), f"{minutes} minutes, the answer {right}"


@second_path("mapeval", "Places_In_Budget")
def places_in_budget(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many stays are over in time."""
    ways = find_ways(layers, parameters, VISITS, along)
    stay, budget = (parameter(parameters, name, (int, float)) for name in ("stay", "budget"))
    clock, ends = 0.0, []
    for pair in sorted(ways.seconds):
        clock += ways.minutes(pair) + stay
        ends.append(clock)
    count = len([end for end in ends if end <= budget])
    room = min(abs(end - budget) for end in ends)
    refusal = first_refusal((ways.has_long_way, "long_way"), (room < ROOM, "margin"), (count == 0, "zero"))
    facts: dict[str, Any] = {"ends": ends, "sure": ways.sure(layers, 60 * max(room - 2.5, 0))}
    return SecondAnswer({"text": str(count), "count": count}, refusal, facts)


@wrong_rule("mapeval", "Places_In_Budget")
def is_another_number(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is another number."""
    right = answer.value["count"]
    return text.isdecimal() and int(text) != right, f"{right} stays are over in time"


def _ways_to_meet(count: int) -> list[Pair]:
    return [(person, place) for person in (0, 1) for place in range(2, count)]


@second_path("mapeval", "Meeting_Place")
def meeting_place(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place that the later one of the two reaches first."""
    ways = find_ways(layers, parameters, MEETING, _ways_to_meet)
    numbers = range(2, len(ways.places))
    later = {one: max(ways.seconds[0, one], ways.seconds[1, one]) for one in numbers}
    minutes = {one: max(ways.minutes((0, one)), ways.minutes((1, one))) for one in numbers}
    best = min(later, key=later.__getitem__)
    gap = min(minutes[one] - minutes[best] for one in numbers if one != best)
    gap_s = min(later[one] - later[best] for one in numbers if one != best)
    refusal = first_refusal(
        (ways.has_long_way, "long_way"), (gap < LATER or gap_s < BEHIND_SECONDS, "margin")
    )
    key = ways.places[best]
    facts: dict[str, Any] = {
        "minutes": {layers["poi"].keys[ways.places[one]]: minutes[one] for one in numbers},
        "right": minutes[best],
        "sure": ways.sure(layers, gap_s * len(ways.seconds) / 2),
    }
    return SecondAnswer({"text": name_of(layers, key), "objects": [layers["poi"].keys[key]]}, refusal, facts)


@wrong_rule("mapeval", "Meeting_Place")
def is_reached_later(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether one of the two needs clearly longer to the place of that name."""
    poi, minutes = layers["poi"], answer.facts["minutes"]
    one = place_called(layers, text, [poi.position[key] for key in minutes])
    if one is None:
        return False, "no place of this name is compared"
    took, right = minutes[poi.keys[one]], answer.facts["right"]
    return took - right >= LATER, f"{took} minutes, the answer {right}"
