"""How solvers without a model explore: each is a generator of calls of the set `georover`, and an answer.

They know what a question asks for by its parameters, not by its words, and see the map only through the tools.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

from sqlalchemy import Connection

from app.agent_tools.georover.coordinates import LonLat
from app.agent_tools.georover.moving import CHANGE_CURRENT_LOCATION
from app.agent_tools.georover.searching import SEARCH_NEARBY_POI, SEARCH_STATIONS, StationArguments
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.saying import say_words
from app.solvers.agents.playing import Play, next_step_of
from app.solvers.base import Answer, NextStep, Opener, QuestionView, RunView, Unusable, solver
from app.solvers.calls import TOOL, AskedSnapshot, Call, CallResult, tool_call
from app.solvers.exploring.answers import FEWEST, Station, metres_between, say_stations
from app.solvers.exploring.results import read_new_location, read_pois, read_stations
from app.solvers.exploring.stops import Stop, load_maps, load_stops, refuse_other_questions

TOOLS: Final = "georover"
MOST_CALLS: Final = 19
"""Calls of tools in an episode: an agent of `georover` that makes a twentieth has no answer."""
STEP_M: Final = 7_000
"""Metres from one point of the spiral to the next: views of 5 km then leave no gap."""
Told = Generator[Call, CallResult, ToolOutcome]


class Explorer:
    """One episode without a model: what is asked for, what was seen, and how many calls are left."""

    def __init__(self, question: QuestionView, run: RunView, stop: Stop, asked: AskedSnapshot) -> None:
        self.question = question
        self.run = run
        self.stop = stop
        self.calls_left = MOST_CALLS
        self.seen: dict[str, Station] = {}
        self._members: dict[str, frozenset[str]] = {}
        self._asked = asked
        self._kinds = {say_words(one) for one in stop.classes}

    def search_stations(self, centre: LonLat) -> Generator[Call, CallResult, list[Station]]:
        """The stations around a point that were not seen before, those nearest to the user first."""
        arguments = StationArguments(coord=centre, destination=self.stop.destination)
        told = yield from self._call(
            SEARCH_STATIONS, arguments.model_dump(mode="json", exclude_defaults=True)
        )
        new = [one for one in read_stations(told) if one.id not in self.seen]
        for one in new:
            metres = metres_between(self.stop.user, one.point)
            self.seen[one.id] = Station(one.id, one.name, one.point, metres)
            self._members[one.id] = one.members
        return self.in_order(self.seen[one.id] for one in new)

    def fits(self, station: Station) -> Generator[Call, CallResult, bool]:
        """Whether a place of the kind that is asked for, and that is no part of the station, is near it."""
        told = yield from self._call(SEARCH_NEARBY_POI, {"coord": list(station.point)})
        return any(
            self._kinds & one.kinds and one.id not in self._members[station.id] for one in read_pois(told)
        )

    def move(self, start: LonLat, direction: str) -> Generator[Call, CallResult, LonLat]:
        """The point that lies a step in a direction."""
        told = yield from self._call(
            CHANGE_CURRENT_LOCATION.name,
            {"start_location": list(start), "distance": str(STEP_M), "direction": direction},
        )
        return read_new_location(told)

    def look_around(self) -> Generator[Call, CallResult, None]:
        """Search at the user's place, and on along the spiral where that shows too few stations for an answer."""
        place = self.stop.user
        yield from self.search_stations(place)
        for direction in spiral_directions():
            if len(self.seen) >= FEWEST or self.calls_left < 2:
                return
            place = yield from self.move(place, direction)
            yield from self.search_stations(place)

    def answer(self, found: list[Station]) -> Answer:
        """The stations in their order, filled up with the nearest others that were seen."""
        taken = {one.id for one in found}
        others = [one for one in self.in_order(self.seen.values()) if one.id not in taken]
        stations = [*found, *others[: max(0, FEWEST - len(found))]]
        if not stations:
            return Answer("no_answer", None, {"calls": MOST_CALLS - self.calls_left})
        return Answer("answered", say_stations(stations), {"calls": MOST_CALLS - self.calls_left})

    @staticmethod
    def in_order(stations: Any) -> list[Station]:
        """Stations by their distance from the user; equally far ones by id."""
        return sorted(stations, key=lambda one: (one.metres, one.id))

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> Told:
        self.calls_left -= 1
        result = yield tool_call(self._asked, TOOLS, tool, arguments)
        outcome = result.expect(ToolOutcome)
        if outcome.kind is not None:
            raise Unusable(f"{tool} did not answer: {outcome.sentence[:200]}")
        return outcome


def exploring(name: str, version: int) -> Callable[[Callable[[Explorer], Play]], Opener]:
    """Register the decorated function, which plays an episode, as a solver that explores without a model."""

    def register(play: Callable[[Explorer], Play]) -> Opener:
        def open_solver(connection: Connection, run: RunView) -> NextStep:
            stops, maps = load_stops(connection, run.version_id), load_maps(connection, run.version_id)
            return next_step_of(
                lambda question: play(Explorer(question, run, stops[question.id], maps[question.id]))
            )

        return solver(
            name,
            version,
            calls=(TOOL,),
            reads=("snapshot",),
            check=refuse_other_questions,
            most_steps=MOST_CALLS + 1,
        )(open_solver)

    return register


def spiral_directions() -> Generator[str, None, None]:
    """The directions of a walk around its start in square rings: N, E, S, S, W, W, N, N, N, E, E, E …"""
    length = 1
    while True:
        for pair in ("NE", "SW"):
            for direction in pair:
                yield from direction * length
            length += 1
