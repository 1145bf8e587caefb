"""Second path of Next_Step and Count_On_Route: turns of the fastest way by car, which it finds and tells by itself."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.fairness import says_the_same
from app.questions.second_path.junctions import Junction
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.told_places import compared_places
from app.questions.second_path.travelling import Stretch
from app.questions.second_path.verdicts import Verdict, wrong_rule

STRAIGHT, SLIGHT, PLAIN, SHARP = 20.0, 60.0, 120.0, 170.0
"""The most degrees of a way straight on, of a slight, a plain and a sharp turn."""
CLEAR = 4.5
"""Degrees that a turn is from another kind; the question's own rules are stricter."""
FIRST_MINUTES, LAST_MINUTES = 2.9, 41.0
SHORTEST = 10.0
"""Metres of each road; the questions' own bounds are narrower."""
SURE = 30.0
"""Metres: a place that is mapped as a larger area may have its road elsewhere."""
_TURN = re.compile(r"Turn (left|right) onto (.+)")


class _Way(NamedTuple):
    """The fastest way: its stretches, what each is called, which are roundabouts, and how it goes on."""

    stretches: list[Stretch]
    names: list[str]
    """Empty where a stretch has no name and no number."""
    round: list[bool]
    junctions: list[Junction]
    facts: dict[str, Any]

    def last_of(self, first: int) -> int:
        """The last stretch of the road that stretch `first` is part of; roundabouts and nameless stretches between
        two of its parts do not end it."""
        last, form = first, normal_form(self.names[first])
        for number in range(first, len(self.stretches)):
            if self.round[number] or not self.names[number]:
                continue
            if normal_form(self.names[number]) != form:
                break
            last = number
        return last

    def metres(self, first: int) -> float:
        """How long one follows the road from there on."""
        form = normal_form(self.names[first])
        return sum(
            self.stretches[number].metres
            for number in range(first, self.last_of(first) + 1)
            if normal_form(self.names[number]) == form
        )


class _Turn(NamedTuple):
    """A turn off one road right onto another."""

    off: int
    onto: int
    """The first stretches of the roads."""
    degrees: float

    @property
    def side(self) -> str:
        return "right" if self.degrees > 0 else "left"


def _way(layers: Layers, parameters: Parameters) -> _Way:
    """The fastest way between the two places. Raises Refused where there is none, or it is too short or too long."""
    ends = compared_places(layers, parameters, 2)
    poi, travelling = layers["poi"], layers.travelling("car")
    if says_the_same(*(poi.rows[one].name or "" for one in ends)):
        raise Refused("near_duplicate")
    start, end = ((float(lon), float(lat)) for lon, lat in poi.coordinates[ends].tolist())
    stretches, junctions = travelling.stretches(start, end), travelling.junctions(start, end)
    seconds = travelling.seconds([start], [end])[0][0]
    if stretches is None or junctions is None or seconds is None:
        raise Refused("no_way")
    if not FIRST_MINUTES <= seconds / 60 <= LAST_MINUTES:
        raise Refused("too_close" if seconds < 60 * FIRST_MINUTES else "long_way")
    known = [layers.road_names[stretch.edge] for stretch in stretches]
    return _Way(
        list(stretches),
        [" ".join((one.name or one.ref or "").split()) for one in known],
        [one.roundabout for one in known],
        list(junctions),
        {"sure": dict.fromkeys((poi.keys[one] for one in ends), SURE), "seconds": seconds},
    )


def _roads(way: _Way) -> list[int]:
    """The first stretch of each road that the way follows. A roundabout at its beginning counts as a road."""
    firsts: list[int] = []
    number = 0
    while number < len(way.names):
        if way.names[number] and (number == 0 or not way.round[number]):
            firsts.append(number)
            number = way.last_of(number)
        number += 1
    return firsts


def _turns(way: _Way) -> Iterator[_Turn]:
    """The turns to a side off a road that the way takes once, right onto the next one."""
    roads = _roads(way)
    forms = [normal_form(way.names[first]) for first in roads]
    for (off, onto), form in zip(pairwise(roads), forms[:-1], strict=True):
        between = way.junctions[way.last_of(off) : onto]
        *before, last = between
        is_right_after = all(_goes_on(junction) for junction in before) and not any(
            way.round[way.last_of(off) + 1 : onto]
        )
        is_plain = SLIGHT < abs(last.degrees) <= PLAIN and not last.turns_back
        if forms.count(form) == 1 and is_right_after and is_plain and not way.round[off]:
            yield _Turn(off, onto, last.degrees)


def _goes_on(junction: Junction) -> bool:
    """Whether a way without a name goes on there so that nothing is to be told."""
    is_straight = abs(junction.degrees) <= STRAIGHT or not junction.has_choice
    return is_straight and not junction.turns_back


@second_path("mapeval", "Next_Step")
def next_step(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The turn of a rank."""
    rank = int(parameter(parameters, "after", str)) - 1
    way = _way(layers, parameters)
    turns = [*_turns(way)]
    if len(turns) <= rank:
        raise Refused("too_few_turns", turns=len(turns))
    turn = turns[rank]
    off, onto = way.names[turn.off], way.names[turn.onto]
    refusal = first_refusal(
        (min(map(way.metres, (turn.off, turn.onto))) < SHORTEST, "short_road"),
        (not SLIGHT + CLEAR < abs(turn.degrees) < PLAIN - CLEAR, "unclear_turn"),
        (";" in off + onto, "road_twice"),
    )
    facts = {**way.facts, "side": turn.side, "onto": onto, "roads": sorted({*way.names} - {""})}
    return SecondAnswer({"text": f"Turn {turn.side} onto {onto}", "after": off}, refusal, facts)


@wrong_rule("mapeval", "Next_Step")
def is_another_turn(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a turn to the other side, or onto another road that the way follows elsewhere."""
    read, facts = _TURN.fullmatch(text), answer.facts
    if read is None or read[2] not in facts["roads"]:
        return False, "no turn onto a road of the way"
    is_other_road = not says_the_same(read[2], facts["onto"])
    told = f"one turns {facts['side']} onto {facts['onto']}"
    return is_other_road or (read[1] != facts["side"] and read[2] == facts["onto"]), told


def _is_told(way: _Way) -> Iterator[tuple[int, bool]]:
    """For each junction by its number whether the road ends there in which one was: another name, or another way."""
    label = way.names[0]
    for number, junction in enumerate(way.junctions):
        before, after = number, number + 1
        if way.round[before] or way.round[after]:
            label = way.names[after]
            continue
        renamed = bool(way.names[after]) and way.names[after] != label
        turns = abs(junction.degrees) > SLIGHT and junction.has_choice
        yield number, renamed or turns
        bends = STRAIGHT < abs(junction.degrees) <= SLIGHT and junction.has_choice
        ends = renamed or turns or junction.turns_back or (bends and not way.names[after] == label != "")
        label = way.names[after] if ends else way.names[after] or label


def _count_turns(way: _Way, side: int) -> int:
    turned = [
        side * way.junctions[number].degrees
        for number, is_told in _is_told(way)
        if is_told and not way.junctions[number].turns_back
    ]
    return sum(SLIGHT < degrees <= SHARP for degrees in turned)


def _count_roundabouts(way: _Way) -> int:
    return sum(after and not before for before, after in pairwise(way.round))


@second_path("mapeval", "Count_On_Route")
def count_on_route(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many turns to a side, or roundabouts, the way has."""
    counted, way = parameter(parameters, "counted", str), _way(layers, parameters)
    counts = {
        "left turns": _count_turns(way, -1),
        "right turns": _count_turns(way, 1),
        "roundabouts": _count_roundabouts(way),
    }
    if counted not in counts:
        raise Refused("bad_parameters", parameter="counted", found=counted)
    doubtful = any(junction.turns_back for junction in way.junctions) or way.round[0] or way.round[-1]
    near = any(
        abs(abs(way.junctions[number].degrees) - SLIGHT) < CLEAR
        for number, is_told in _is_told(way)
        if is_told
    )
    refusal = first_refusal((counts[counted] < 1, "zero"), (doubtful or near, "unclear_turn"))
    count = counts[counted]
    return SecondAnswer({"text": str(count), "count": count}, refusal, {**way.facts, **counts})


@wrong_rule("mapeval", "Count_On_Route")
def is_another_number(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is another whole number."""
    right = answer.value["count"]
    return text.isdecimal() and int(text) != right, f"there are {right}"
