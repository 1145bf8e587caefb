"""What a planner of rules does with questions about ways along roads: it looks for words, and takes places in their order."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from tests.support.planner_graphs import Sketch
from tests.support.planner_words import class_of

MODES = {"car": "driving", "bicycle": "bicycling", "foot": "walking"}
_PLACE = re.compile(
    r"(?:\b(?:from|to|at|and|drive)|,) ((?:(?! (?:from|to|at) )[^()]|\([^()]*\)(?= \())+?) \((?!synthetic\))([^()]+)\)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b\d\d:\d\d\b")
_STAY = re.compile(r"(\d+) minutes (?:at|there)")
Drawing = Callable[[Sketch, str, Sequence[str]], object]


def find_drawing(text: str) -> Drawing | None:
    """What draws the graph of a question about ways; None where it is about none."""
    if not re.search(r"\b(?:by car|by bicycle|on foot|driv)", text, re.IGNORECASE):
        return None
    return next((draw for words, draw in _DRAWINGS if re.search(words, text, re.IGNORECASE)), None)


def _mode(text: str) -> str:
    found = re.search(r"by (car|bicycle)|on (foot)", text)
    return MODES[(found[1] or found[2]) if found else "car"]


def _stops(sketch: Sketch, text: str, most: int | None = None) -> list[str]:
    """The places in their order. Raises ValueError where there are none, or fewer than `most`."""
    found = [(name.strip(), class_of(kind)) for name, kind in _PLACE.findall(text)][:most]
    if len(found) < (most or 2):
        raise ValueError(f"these are no ends of a way: {found}")
    return [sketch.place(*one) for one in found]


def _seconds(sketch: Sketch, origin: str, destination: str, text: str) -> str:
    way = sketch.make("travel_time", {"origin": origin, "destination": destination}, mode=_mode(text))
    return sketch.make("extract_duration", {"route": way})


def _legs(sketch: Sketch, text: str) -> list[str]:
    stops = _stops(sketch, text)
    return [_seconds(sketch, one, other, text) for one, other in pairwise(stops)]


def _directions(sketch: Sketch, text: str) -> str:
    origin, destination = _stops(sketch, text, 2)
    return sketch.make("directions", {"origin": origin, "destination": destination}, mode=_mode(text))


def _turns(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    found = re.search(r"(left turns|right turns|roundabouts)", text)
    return sketch.make(
        "count_in_route", {"route": _directions(sketch, text)}, what=found[1] if found else "turns"
    )


def _next_step(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    road = re.search(r"after (.+?)\?", text)
    return sketch.make("steps_analysis", {"route": _directions(sketch, text)}, after=road[1] if road else "")


def _stay(text: str) -> int:
    found = _STAY.search(text)
    return int(found[1]) if found else 0


def _clock(sketch: Sketch, text: str) -> str:
    return sketch.at(_CLOCK.findall(text)[0])


def _latest_departure(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    """From the end to the start, each leg with the stay after it."""
    time, legs = _clock(sketch, text), _legs(sketch, text)
    for number, leg in enumerate(reversed(legs)):
        took = sketch.make("add_durations", {"durations": leg}, minutes=_stay(text)) if number else leg
        time = sketch.make("calculate_latest_departure", {"arrival": time, "duration": took})
    return time


def _arrival(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    legs = _legs(sketch, text)
    stays = [_stay(text)] * (len(legs) - 1)
    return sketch.make(
        "calculate_finish_time", {"start": _clock(sketch, text), "durations": legs}, stays_min=stays
    )


def _minutes(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    legs = _legs(sketch, text)
    return sketch.make("add_durations", {"durations": legs}) if len(legs) > 1 else legs


def _best_order(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    start, *stops = _stops(sketch, text)
    return sketch.make("tsp_tw", {"start": start, "stops": stops}, mode=_mode(text))


def _via(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    """The option by way of which the way takes the least time, or has the fewest kilometres."""
    origin, destination = _stops(sketch, text, 2)
    places = [sketch.place(one) for one in options]
    reads = "extract_distance" if re.search(r"kilomet|\bkm\b", text) else "extract_duration"
    ways = [
        sketch.make(
            "directions", {"origin": origin, "destination": destination, "waypoints": one}, mode=_mode(text)
        )
        for one in places
    ]
    numbers = [sketch.make(reads, {"route": one}) for one in ways]
    return sketch.make("least_of", {"candidates": places, "numbers": numbers}, which="least")


def _meeting(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    """The option to which the longer one of two travel times is the least."""
    starts, places = _stops(sketch, text, 2), [sketch.place(one) for one in options]
    longer = [
        sketch.make(
            "arithmetic",
            {"numbers": [_seconds(sketch, start, one, text) for start in starts]},
            formula="max({0}, {1})",
        )
        for one in places
    ]
    return sketch.make("least_of", {"candidates": places, "numbers": longer}, which="least")


def _quickest(sketch: Sketch, text: str, options: Sequence[str]) -> object:
    places = [sketch.place(one) for one in options]
    near = {"anchor": _stops(sketch, text, 1)[0], "candidates": places}
    return sketch.make("nearest", near, by="travel_time", mode=_mode(text))


_DRAWINGS: Sequence[tuple[str, Drawing]] = (
    (r"(?:how many|number of) (?:left turns|right turns|roundabouts)", _turns),
    (r"(?:what comes next|what do I do) after", _next_step),
    (r"\border\b", _best_order),
    (r"at the latest|latest (?:time|start)", _latest_departure),
    (r"arriv|reach the last|get to the last", _arrival),
    (r"two people|friend|we are two|meeting up", _meeting),
    (r"\bvia\b|by way of|pass(?:es)? by|stop by", _via),
    (r"how many minutes|how long|travel time by|in minutes", _minutes),
    (r"quickest|least time|travel time the shortest", _quickest),
)
"""By words that a question has, the first that it has."""
