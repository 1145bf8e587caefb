"""Second path of questions about trips, what they share: places, minutes of ways by an own search, and their bounds."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from app.benchmarks.mapeval.second_path.places import has_near_duplicate
from app.questions.second_path.answering import Parameters, Refused, parameter
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import compared_places

FEWEST_MINUTES, MOST_MINUTES = 2, 60
"""Of a way."""
HALF_SECONDS = 0.3
"""So near to half a minute a time may be rounded to either; the question's own rule is stricter, as routers differ."""
METRES_A_SECOND = {"bicycle": 4.0, "car": 8.0, "foot": 1.25}
"""How far one comes in a second to a point of a place that is mapped as an area."""
Pair = tuple[int, int]


class Ways(NamedTuple):
    """The places of a trip by their positions, and how many seconds the ways between them take."""

    places: list[int]
    mode: str
    seconds: dict[Pair, float]
    """By the numbers of the places in the trip, from 0."""

    def minutes(self, pair: Pair) -> int:
        """As it is printed."""
        return max(1, int(self.seconds[pair] / 60 + 0.5))

    def refusal(self) -> str | None:
        """Why no sum of the printed minutes may be asked for."""
        minutes = [self.minutes(pair) for pair in self.seconds]
        if min(minutes) < FEWEST_MINUTES:
            return "too_close"
        if self.has_long_way:
            return "long_way"
        off = [abs(seconds % 60 - 30) for seconds in self.seconds.values()]
        return "near_rounding" if min(off) < HALF_SECONDS else None

    @property
    def has_long_way(self) -> bool:
        """Whether a way takes too long; a time that may be rounded to either does not count."""
        return max(self.seconds.values()) > 60 * MOST_MINUTES + 40

    def sure(self, layers: Layers, slack_s: float) -> dict[str, float]:
        """How far each place may lie elsewhere: so that all ends of ways together change by less than the slack."""
        ends = 2 * len(self.seconds)
        metres = METRES_A_SECOND[self.mode] * slack_s / ends
        return {layers["poi"].keys[one]: metres for one in self.places}


def find_ways(layers: Layers, parameters: Parameters, sizes: Iterable[int], pairs: Any) -> Ways:
    """The ways of a trip of so many places; `pairs` gives those that matter, by the number of places.

    Raises Refused for other parameters, and where no way leads.
    """
    keys, mode = parameter(parameters, "places", list), parameter(parameters, "mode", str)
    if len(keys) not in sizes or mode not in METRES_A_SECOND:
        raise Refused("bad_parameters", places=keys, mode=mode)
    places = compared_places(layers, parameters, len(keys))
    if has_near_duplicate(layers, places):
        raise Refused("near_duplicate", places=keys)
    wanted: list[Pair] = pairs(len(places))
    points = [tuple(layers["poi"].coordinates[one].tolist()) for one in places]
    starts = sorted({one for one, _ in wanted})
    table = dict(
        zip(starts, layers.travelling(mode).seconds([points[one] for one in starts], points), strict=True)
    )
    seconds = {pair: table[pair[0]][pair[1]] for pair in wanted}
    if None in seconds.values():
        raise Refused("no_way", places=keys)
    return Ways(places, mode, {pair: took for pair, took in seconds.items() if took is not None})


def along(count: int) -> list[Pair]:
    """The ways of a trip in its given order."""
    return [(number, number + 1) for number in range(count - 1)]


def name_of(layers: Layers, place: int) -> str:
    """A place's name in one line."""
    return " ".join((layers["poi"].rows[place].name or "").split())
