"""How the rule-based agent answers questions about routes and trips by the tool set `mapeval`.

It asks how long the way is from each place to the next, in whole minutes, and works out the rest by the clock.
"""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import TypeVar

from tests.support.rule_agent_details import Details, is_open
from tests.support.rule_agent_journeys import ARROW, Journey
from tests.support.rule_agent_lookup import Steps, Wish, find_keys, letter_of, look_up, tell

T = TypeVar("T")
Leg = tuple[str, str]
_LENGTH = re.compile(r"\(([\d.]+) (k?m)\)\.?$")
_STEP = re.compile(r"^ - (.+?)\. Go on for", re.MULTILINE)
_STEPS: Mapping[str, re.Pattern[str]] = {
    "roundabout": re.compile("At the roundabout"),
    "left": re.compile("Turn (?:sharply )?left"),
    "right": re.compile("Turn (?:sharply )?right"),
}
_TAKES = re.compile(r" is (?:(\d+) hours? ?)?(?:(\d+) mins? )?\([\d.]+ k?m\)\.?$")
_ONTO = re.compile(r" (?:onto|on) (.+)$")
_ROUTE = re.compile(r"^(\d+)\. Via ", re.MULTILINE)


def read_minutes(said: str) -> int | None:
    """The whole minutes that a way takes; None where there is none."""
    found = _TAKES.search(said)
    return int(found[1] or 0) * 60 + int(found[2] or 0) if found else None


def read_metres(said: str) -> float | None:
    """How long a way is; None where there is none."""
    found = _LENGTH.search(said)
    return float(found[1]) * (1000 if found[2] == "km" else 1) if found else None


def read_steps(said: str) -> list[str]:
    """The steps of the first route, without what one passes: `Turn left onto Egerta`."""
    begin, *others = (one.start() for one in _ROUTE.finditer(said))
    return _STEP.findall(said[begin : others[0] if others else None])


def read_roads(steps: Sequence[str]) -> list[str]:
    """The names of the roads that the steps follow, each once in a row."""
    return [name for name, _ in groupby(filter(None, map(road_of, steps)))]


def road_of(step: str) -> str | None:
    """The road that a step leads onto; None where it has no name."""
    found = _ONTO.search(step)
    return found[1] if found else None


def _measure(asked: Journey, legs: Sequence[Leg]) -> Generator[list[Wish], list[str], dict[Leg, int]]:
    """The whole minutes from one name to another; without legs that have none."""
    keys = yield from find_keys([name for leg in legs for name in leg])
    said = yield from _travel(asked.mode, keys, legs)
    return _read_each(said, read_minutes)


def _travel(
    mode: str, keys: Mapping[str, str], legs: Iterable[Leg]
) -> Generator[list[Wish], list[str], dict[Leg, str]]:
    """What is told of the way from one name to another."""
    known = [leg for leg in dict.fromkeys(legs) if leg[0] in keys and leg[1] in keys]
    if not known:
        return {}
    told = yield [
        ("TravelTime", {"originId": keys[here], "destinationId": keys[there], "travelMode": mode})
        for here, there in known
    ]
    return dict(zip(known, told, strict=True))


def _read_each(said: Mapping[Leg, str], read: Callable[[str], T | None]) -> dict[Leg, T]:
    values = {leg: read(one) for leg, one in said.items()}
    return {leg: one for leg, one in values.items() if one is not None}


def _measure_chain(asked: Journey) -> Generator[list[Wish], list[str], list[int] | None]:
    """The minutes from each stop to the next; None where one is not known."""
    legs = list(pairwise(asked.stops))
    minutes = yield from _measure(asked, legs)
    return [minutes[leg] for leg in legs] if all(leg in minutes for leg in legs) else None


def _minutes(asked: Journey) -> Steps:
    minutes = yield from _measure_chain(asked)
    return None if minutes is None else _letter_of_number(asked, sum(minutes))


def _letter_of_number(asked: Journey, number: int) -> str | None:
    return next((one for one, text in asked.options.items() if int(text.split()[0]) == number), None)


def _quickest(asked: Journey) -> Steps:
    (start,) = asked.stops
    minutes = yield from _measure(asked, [(start, name) for name in asked.options.values()])
    return _least({one: minutes.get((start, name)) for one, name in asked.options.items()})


def _least(values: Mapping[str, float | None]) -> str | None:
    known = {letter: value for letter, value in values.items() if value is not None}
    return min(known, key=lambda letter: known[letter], default=None)


def _order(asked: Journey) -> Steps:
    (start,) = asked.stops
    orders = {one: [start, *text.split(ARROW)] for one, text in asked.options.items()}
    minutes = yield from _measure(asked, [leg for order in orders.values() for leg in pairwise(order)])
    return _least({one: _sum(minutes, list(pairwise(order))) for one, order in orders.items()})


def _sum(values: Mapping[Leg, float], legs: Sequence[Leg]) -> float | None:
    return sum(values[leg] for leg in legs) if all(leg in values for leg in legs) else None


def _budget(asked: Journey) -> Steps:
    minutes = yield from _measure_chain(asked)
    if minutes is None:
        return None
    spent = [sum(minutes[: count + 1]) + asked.stay * (count + 1) for count in range(len(minutes))]
    return _letter_of_number(asked, sum(one <= asked.budget for one in spent))


def _arrival(asked: Journey) -> Steps:
    return (yield from _clock(asked, 1))


def _departure(asked: Journey) -> Steps:
    return (yield from _clock(asked, -1))


def _clock(asked: Journey, direction: int) -> Steps:
    minutes = yield from _measure_chain(asked)
    if minutes is None:
        return None
    takes = sum(minutes) + asked.stay * (len(minutes) - 1)
    hour, minute = divmod((asked.clock + direction * takes) % (24 * 60), 60)
    return letter_of(asked.options, f"{hour:02}:{minute:02}")


def _meeting(asked: Journey) -> Steps:
    starts = yield from _read_starts(asked)
    if starts is None:
        return None
    minutes = yield from _measure(
        asked, [(start, name) for name in asked.options.values() for start in starts]
    )
    longer: dict[str, float | None] = {}
    for letter, name in asked.options.items():
        both = [minutes.get((start, name)) for start in starts]
        longer[letter] = None if None in both else max(one for one in both if one is not None)
    return _least(longer)


def _read_starts(asked: Journey) -> Generator[list[Wish], list[str], tuple[str, ...] | None]:
    """The two names with which one reads `A and B`: those that places have."""
    if len(asked.splits) == 1:
        return asked.splits[0]
    found = yield from look_up([name for names in asked.splits for name in names])
    fits = (
        names for names in asked.splits if all(name in found and found[name].name == name for name in names)
    )
    return next(fits, None)


def _visit(asked: Journey) -> Steps:
    (start,) = asked.stops
    names = list(asked.options.values())
    keys = yield from find_keys([start, *names])
    said = yield from _travel(asked.mode, keys, [(start, name) for name in names])
    minutes = _read_each(said, read_minutes)
    told = yield from tell([keys[name] for name in names if name in keys])
    left = datetime.fromisoformat(asked.time)
    for letter, name in asked.options.items():
        takes, details = minutes.get((start, name)), told.get(keys.get(name, ""))
        if (
            takes is not None
            and details
            and _stays_open(details, left + timedelta(minutes=takes), asked.stay)
        ):
            return letter
    return None


def _stays_open(details: Details, since: datetime, minutes: int) -> bool:
    times = (since + timedelta(minutes=number) for number in range(minutes))
    return all(is_open(details, time.isoformat(timespec="minutes")) for time in times)


def _fastest_via(asked: Journey) -> Steps:
    return (yield from _via(asked, read_minutes))


def _shortest_via(asked: Journey) -> Steps:
    return (yield from _via(asked, read_metres))


def _via(asked: Journey, read: Callable[[str], float | None]) -> Steps:
    here, there = asked.stops
    ways = {letter: [(here, name), (name, there)] for letter, name in asked.options.items()}
    keys = yield from find_keys([here, there, *asked.options.values()])
    said = yield from _travel(asked.mode, keys, [leg for way in ways.values() for leg in way])
    values = _read_each(said, read)
    return _least({letter: _sum(values, way) for letter, way in ways.items()})


def _find_steps(asked: Journey) -> Generator[list[Wish], list[str], list[str]]:
    """The steps from one place to the other; none where a place is not found."""
    here, there = asked.stops
    keys = yield from find_keys(asked.stops)
    if here not in keys or there not in keys:
        return []
    (said,) = yield [
        ("Directions", {"originId": keys[here], "destinationId": keys[there], "travelMode": asked.mode})
    ]
    return read_steps(said)


def _road(asked: Journey) -> Steps:
    steps = yield from _find_steps(asked)
    roads = read_roads(steps)
    return letter_of(asked.options, roads[asked.rank - 1]) if len(roads) >= asked.rank else None


def _next_step(asked: Journey) -> Steps:
    steps = yield from _find_steps(asked)
    after = (one for before, one in pairwise(steps) if road_of(before) == asked.word != road_of(one))
    return next((letter for one in after if (letter := letter_of(asked.options, one))), None)


def _count(asked: Journey) -> Steps:
    steps = yield from _find_steps(asked)
    return letter_of(asked.options, str(sum(_STEPS[asked.word].match(one) is not None for one in steps)))


JOURNEYS: Mapping[str, Callable[[Journey], Steps]] = {
    "minutes": _minutes,
    "quickest": _quickest,
    "order": _order,
    "budget": _budget,
    "arrival": _arrival,
    "departure": _departure,
    "meeting": _meeting,
    "visit": _visit,
    "road": _road,
    "next_step": _next_step,
    "count": _count,
    "fastest_via": _fastest_via,
    "shortest_via": _shortest_via,
}
