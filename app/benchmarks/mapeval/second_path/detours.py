"""Second path of Fastest_Via, Shortest_Via and Landmark_Passed."""

from typing import Any

from app.benchmarks.mapeval.second_path.trips import METRES_A_SECOND, Pair, Ways, find_ways, name_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import place_called
from app.questions.second_path.verdicts import Verdict, wrong_rule

PLACES = 6
SLOWER_S, LONGER_M = 120.0, 450.0
"""By how much the others are slower or longer, at least; the questions' own rules are stricter."""
PASSED_S, LIMIT_S, ASIDE_S = 45.0, 60.0, 195.0
"""How much longer it takes at most by the place that is passed, by what texts call passed, and at least by others."""


def _by_each(count: int) -> list[Pair]:
    return [pair for place in range(2, count) for pair in ((0, place), (place, 1))]


def _answer(
    layers: Layers, ways: Ways, totals: dict[int, float], least: float, sure_s: float
) -> SecondAnswer:
    """The place of the smallest total; `sure_s` seconds of all ends together change nothing."""
    best = min(totals, key=totals.__getitem__)
    gap = min(total - totals[best] for place, total in totals.items() if place != best)
    poi, key = layers["poi"], ways.places[best]
    refusal = first_refusal((ways.has_long_way, "long_way"), (gap < least, "margin"))
    facts: dict[str, Any] = {
        "totals": {poi.keys[ways.places[place]]: total for place, total in totals.items()},
        "right": totals[best],
        "sure": ways.sure(layers, sure_s),
    }
    return SecondAnswer({"text": name_of(layers, key), "objects": [poi.keys[key]]}, refusal, facts)


def _gap(totals: dict[int, float]) -> float:
    one, other, *_ = sorted(totals.values())
    return other - one


@second_path("mapeval", "Fastest_Via")
def fastest_via(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place by way of which it takes the least time."""
    ways = find_ways(layers, parameters, (PLACES,), _by_each)
    totals = {place: ways.seconds[0, place] + ways.seconds[place, 1] for place in range(2, PLACES)}
    # two places are compared, by two ways each: of the ends of all eight ways, eight matter
    return _answer(layers, ways, totals, SLOWER_S, _gap(totals) * len(ways.seconds) / 4)


@second_path("mapeval", "Shortest_Via")
def shortest_via(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place by way of which the fastest ways are the shortest together."""
    ways = find_ways(layers, parameters, (PLACES,), _by_each)
    points = [tuple(layers["poi"].coordinates[one].tolist()) for one in ways.places]
    travelling = layers.travelling(ways.mode)
    metres = {pair: travelling.metres(*(points[one] for one in pair)) for pair in ways.seconds}
    if None in metres.values():
        raise Refused("no_way")
    totals = {
        place: float(metres[0, place] or 0.0) + float(metres[place, 1] or 0.0) for place in range(2, PLACES)
    }
    slack_s = _gap(totals) / METRES_A_SECOND[ways.mode]
    return _answer(layers, ways, totals, LONGER_M, slack_s * len(ways.seconds) / 4)


@second_path("mapeval", "Landmark_Passed")
def landmark_passed(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place by way of which it takes hardly longer than without it."""
    ways = find_ways(layers, parameters, (PLACES,), lambda count: [(0, 1), *_by_each(count)])
    totals = {place: ways.seconds[0, place] + ways.seconds[place, 1] for place in range(2, PLACES)}
    best, second = (total - ways.seconds[0, 1] for total in sorted(totals.values())[:2])
    if best > PASSED_S or second < ASIDE_S:
        raise Refused("not_one_right", longer=[best, second])
    # a place is told from what texts call passed by three ways, whose six ends matter
    room = min(LIMIT_S - best, second - LIMIT_S)
    return _answer(layers, ways, totals, ASIDE_S - LIMIT_S, room * len(ways.seconds) / 3)


def _verdict(layers: Layers, answer: SecondAnswer, text: str, least: float, unit: str) -> Verdict:
    poi, totals = layers["poi"], answer.facts["totals"]
    one = place_called(layers, text, [poi.position[key] for key in totals])
    if one is None:
        return False, "no place of this name is compared"
    more = totals[poi.keys[one]] - answer.facts["right"]
    return more >= least, f"{more:.0f} {unit} more than the answer"


@wrong_rule("mapeval", "Fastest_Via")
def is_slower(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether it takes clearly longer by way of the place of that name."""
    return _verdict(layers, answer, text, SLOWER_S, "s")


@wrong_rule("mapeval", "Landmark_Passed")
def is_aside(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether it takes clearly longer by way of the place of that name than by way of the one that is passed."""
    return _verdict(layers, answer, text, ASIDE_S - LIMIT_S, "s")


@wrong_rule("mapeval", "Shortest_Via")
def is_longer(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the way by the place of that name is clearly longer."""
    return _verdict(layers, answer, text, LONGER_M, "m")
