"""Second path of Visit_While_Open."""

from datetime import datetime
from typing import Any

from app.benchmarks.mapeval.second_path.trips import Pair, Ways, find_ways, name_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.hours import WEEK, times_of
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import place_called
from app.questions.second_path.verdicts import Verdict, wrong_rule

PLACES = (5,)
SOON = 8
"""Minutes by which a stay begins and ends before or after a place opens or closes. The question's own rule is stricter,
since routers differ by a minute once it is rounded."""


def _ways_out(count: int) -> list[Pair]:
    return [(0, place) for place in range(1, count)]


class _Visit:
    """A stay at a place, in minutes of the day; it can be made where one span holds it whole."""

    def __init__(self, said: str, moment: datetime, way: int, stay: float) -> None:
        self._spans = times_of(said).get(WEEK[moment.weekday()], [])
        self._begin = 60 * moment.hour + moment.minute + way
        self._end = self._begin + stay

    @property
    def can_be_made(self) -> bool:
        return any(opens <= self._begin and self._end < closes for opens, closes in self._spans)

    @property
    def room(self) -> float:
        """How many minutes its begin and its end are from any opening or closing."""
        edges = [edge for span in self._spans for edge in span]
        return min((abs(edge - time) for edge in edges for time in (self._begin, self._end)), default=1e4)

    @property
    def has_pause(self) -> bool:
        """Whether it begins in one span and ends in another."""
        held = [
            [number for number, (opens, closes) in enumerate(self._spans) if opens <= time < closes]
            for time in (self._begin, self._end)
        ]
        return all(held) and held[0] != held[1]


@second_path("mapeval", "Visit_While_Open")
def visit_while_open(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place whose opening hours hold a stay that begins on arrival."""
    ways = find_ways(layers, parameters, PLACES, _ways_out)
    visits = {place: _visit(layers, parameters, ways, place) for place in range(1, len(ways.places))}
    right = [place for place, visit in visits.items() if visit.can_be_made]
    room = min(visit.room for visit in visits.values())
    refusal = first_refusal(
        (ways.has_long_way, "long_way"),
        (room < SOON, "changes_soon"),
        (any(visit.has_pause for visit in visits.values()), "pause"),
        (len(right) != 1, "not_one_right"),
    )
    poi = layers["poi"]
    facts: dict[str, Any] = {
        "closed": [poi.keys[ways.places[place]] for place in visits if place not in right],
        "sure": ways.sure(layers, 60.0 * len(ways.seconds) * (room - 0.5)),
    }
    if len(right) != 1:
        return SecondAnswer({}, refusal, facts)
    key = ways.places[right[0]]
    return SecondAnswer({"text": name_of(layers, key), "objects": [poi.keys[key]]}, refusal, facts)


def _visit(layers: Layers, parameters: Parameters, ways: Ways, place: int) -> _Visit:
    row = layers["poi"].rows[ways.places[place]]
    if not row.tags.get("opening_hours"):
        raise Refused("unreadable_hours", osm_key=row.osm_key)
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    stay = parameter(parameters, "stay", (int, float))
    return _Visit(row.tags["opening_hours"], moment, ways.minutes((0, place)), stay)


@wrong_rule("mapeval", "Visit_While_Open")
def is_not_open_for_it(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and cannot be visited."""
    poi = layers["poi"]
    closed = [poi.position[key] for key in answer.facts["closed"]]
    return place_called(layers, text, closed) is not None, "open for the whole stay is another place"
