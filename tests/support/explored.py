"""Episodes of agents that explore, planted with a known error: in the form in which `georover`'s calls are stored.

Each has a user, a key of three stations, and calls. What an episode must be called is part of its kind, not of its
steps, and was decided by reading the definitions of the classes (docs/agents.md).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.seeds import below
from app.core.settings import Settings
from app.scores.agents.conflation import Sought
from app.scores.registry import EpisodeStep
from tests.support.factories import MadeVersion, QuestionSpec, make_run, make_version
from tests.support.scored_runs import score
from tests.support.stored_episodes import MadeStep, add_steps, counts

VIEW = 5_000.0
SOUGHT = Sought("charging_station", frozenset({"cafe"}))
"""What all questions ask for."""


@dataclass(frozen=True)
class Planted:
    """An episode, the class that it must get (None: it is right, or nothing went wrong), and its answer."""

    kind: str
    number: int
    error: str | None
    key: list[dict[str, Any]]
    steps: list[EpisodeStep]
    answer: str | None
    ended_by: str | None = None

    @property
    def gold(self) -> dict[str, Any]:
        """What gold of its question says."""
        tier = ("10", "20", "none")[self.number % 3]
        user = {"lon": _lon(self.number), "lat": 47.1}
        return {"stations": self.key, "tier": tier, "need_moves": 1, "user": user, "density": "mid"}


def call(tool: str, arguments: Mapping[str, Any], result: Mapping[str, Any]) -> EpisodeStep:
    """A call that was answered."""
    return EpisodeStep("tool", {"tool": tool, "arguments": arguments}, {"result": result, "sentence": "…"})


def fails(tool: str, arguments: Mapping[str, Any], kind: str = "bad_argument") -> EpisodeStep:
    """A call that was answered by an error."""
    error = {"kind": kind, "message": "write a point as [longitude, latitude] in degrees"}
    return EpisodeStep("tool", {"tool": tool, "arguments": arguments}, {"error": error})


def stations_at(lon: float, lat: float, *seen: Mapping[str, Any]) -> EpisodeStep:
    """A search for stations that sees these."""
    found = [
        {key: one[key] for key in ("osm_keys", "name", "lon", "lat")}
        | {"id": one["osm_key"], "distance_m": 9.0}
        for one in seen
    ]
    result = {"coord": [lon, lat], "radius_m": VIEW, "destination": "charging_station", "stations": found}
    return call("Search_Stations", {"coord": [lon, lat]}, result)


def pois_at(lon: float, lat: float, *seen: Mapping[str, Any]) -> EpisodeStep:
    """A search for places that sees these."""
    found = [
        {"id": one["osm_key"], "name": one["name"], "distance_m": 9.0, "type": one["class"]} for one in seen
    ]
    return call(
        "Search_Nearby_POI", {"coord": [lon, lat]}, {"coord": [lon, lat], "radius_m": 1_000.0, "pois": found}
    )


def place(number: int, klass: str) -> dict[str, Any]:
    """A place of a class, of no key."""
    return {"osm_key": f"w9{number:06}", "name": f"Place {number}", "class": klass}


def move(lon: float, lat: float, direction: str, reached: Sequence[float]) -> EpisodeStep:
    """A move of 7 km to a point."""
    arguments = {"start_location": [lon, lat], "distance": "7000", "direction": direction}
    result = {
        "start_location": [lon, lat],
        "distance_m": 7_000.0,
        "direction": direction,
        "new_location": list(reached),
    }
    return call("Change_Current_Location", arguments, result)


def station(number: int, place: int) -> dict[str, Any]:
    """A station, as keys have it, with a café beside it."""
    key = f"n{1000 * number + place}"
    beside = {
        "osm_key": f"w{1000 * number + place}",
        "name": f"Café {number} {place}",
        "class": "cafe",
        "metres": 300.0,
    }
    return {
        "osm_key": key,
        "osm_keys": [key],
        "name": f"Station {number} {place}",
        "lon": _lon(number) + place / 100,
        "lat": 47.15,
        "geodesic_m": 5_600.0 + place,
        "drive_m": None,
        "activity": beside,
    }


def say(*stations: Mapping[str, Any]) -> str:
    """An answer that names these stations."""
    return json.dumps(
        [{"station_name": one["name"], "station_location": [one["lon"], one["lat"]]} for one in stations],
        ensure_ascii=False,
    )


def planted(each: int = 20) -> list[Planted]:
    """So many episodes of each kind, all of them different."""
    return [
        make(number * each + turn, kind)
        for number, (kind, make) in enumerate(_KINDS.items())
        for turn in range(each)
    ]


def store(settings: Settings, episodes: Sequence[Planted], name: str = "explored") -> tuple[MadeVersion, int]:
    """A data set with a question for each episode, and a scored run of an agent that made them; the first is hidden."""
    questions = [
        QuestionSpec(
            template="Destination_With_Activity",
            answer_type="destinations",
            text=f"I am at {one.gold['user']['lon']}, 47.1 (longitude, latitude). Where do I charge and have a coffee?",
            gold=one.gold,
            parameters={
                "user": f"{one.gold['user']['lon']},47.1,mid",
                "activity": "cafe",
                "destination": SOUGHT.destination,
                "number": one.number,
            },
            binds={"activity": ",".join(sorted(SOUGHT.activities))},
            split="public" if place else "hidden",
            scorer="hits",
        )
        for place, one in enumerate(episodes)
    ]
    version = make_version(settings, questions, name=name, benchmark="evgeoqa")
    ended = [{} if one.ended_by is None else {"outcome": one.ended_by} for one in episodes]
    run = make_run(
        settings,
        version,
        [one.answer for one in episodes],
        "toy/rover",
        "georover",
        details=[counts() | end for end in ended],
        presentation={"agent": {"tools": "georover", "manner": "json", "lenient": False}},
    )
    for question, one in zip(version.questions, episodes, strict=True):
        steps = [MadeStep(step.kind, dict(step.request), dict(step.response)) for step in one.steps]
        add_steps(settings, run, question, steps)
    score(settings, run)
    return version, run


def _lon(number: int) -> float:
    return round(9.0 + number / 1000, 6)


class _Town:
    """What is around the user of an episode: three stations of the key, and three that are none."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.key = [station(number, place) for place in (1, 2, 3)]
        self.others = [station(number, place) for place in (7, 8, 9)]
        self.lon, self.lat = _lon(number), 47.1

    def sees(self, *seen: Mapping[str, Any], step: int = 0) -> EpisodeStep:
        return stations_at(round(self.lon + step / 50, 6), self.lat, *seen)

    def beside(self, one: Mapping[str, Any], *seen: Mapping[str, Any]) -> EpisodeStep:
        return pois_at(one["lon"], one["lat"], *seen)

    def looks(self, *, first: int = 0, count: int) -> list[EpisodeStep]:
        """Searches from different points that see stations of no key, and the places beside them."""
        steps = []
        for step in range(first, first + count):
            other = self.others[below(3, self.number, step)]
            steps.append(
                self.sees(other, step=step)
                if step % 2
                else self.beside({"lon": self.lon + step / 50, "lat": 47.2})
            )
        return steps

    def ends(
        self,
        kind: str,
        error: str | None,
        steps: Sequence[EpisodeStep],
        answer: str | None,
        ended_by: str | None = None,
    ) -> Planted:
        return Planted(kind, self.number, error, self.key, list(steps), answer, ended_by)


def _missed(town: _Town) -> str:
    return say(*town.others)


def _invalid_call(number: int, kind: str) -> Planted:
    town = _Town(number)
    steps = [town.sees(*town.others), fails("Search_Nearby_POI", {"coord": "here"})]
    return town.ends(kind, "argument_error", steps, _missed(town))


def _unreadable(number: int, kind: str) -> Planted:
    town = _Town(number)
    answer = f"The best one is {town.key[0]['name']}."
    return town.ends(kind, "argument_error", town.looks(count=4), answer)


def _never_written(number: int, kind: str) -> Planted:
    town = _Town(number)
    return town.ends(kind, "argument_error", town.looks(count=3), None, "unusable_replies")


def _invalid_before_the_limit(number: int, kind: str) -> Planted:
    town = _Town(number)
    steps = [*town.looks(count=19), fails("Cal_Distance", {"coord1": 5})]
    return town.ends(kind, "argument_error", steps, None, "step_limit")


def _repeats(number: int, kind: str) -> Planted:
    town = _Town(number)
    different = 2 + below(13, number, "different")
    steps = town.looks(count=different)
    return town.ends(
        kind, "calls_used_up_by_repeats", [*steps, *[steps[-1]] * (20 - different)], None, "call_limit"
    )


def _inefficient(number: int, kind: str) -> Planted:
    town = _Town(number)
    return town.ends(kind, "calls_used_up_inefficiently", town.looks(count=20), None, "call_limit")


def _few_repeats(number: int, kind: str) -> Planted:
    """Twenty calls of which one to four repeat another; a station of the key was seen with its café, too."""
    town = _Town(number)
    repeats = 1 + below(4, number, "repeats")
    right = town.key[1]
    seen = [town.sees(right), town.beside(right, right["activity"])]
    steps = [*seen, *town.looks(first=2, count=18 - repeats)]
    return town.ends(kind, "calls_used_up_inefficiently", [*steps, *[steps[0]] * repeats], None, "step_limit")


def _conflated(number: int, kind: str) -> Planted:
    town = _Town(number)
    right = town.key[below(3, number, "right")]
    steps = [
        town.sees(*town.others, right),
        town.beside(right, right["activity"], town.others[0]["activity"]),
    ]
    return town.ends(kind, "factual_conflation", steps, _missed(town))


def _conflated_fourth(number: int, kind: str) -> Planted:
    """The right station stands fourth in the answer."""
    town = _Town(number)
    right = town.key[0]
    steps = [town.sees(right), town.beside(right, right["activity"])]
    return town.ends(kind, "factual_conflation", steps, say(*town.others, right))


def _conflated_with_another_place(number: int, kind: str) -> Planted:
    """The right station is seen, and beside it another café than that of the key."""
    town = _Town(number)
    right = town.key[below(3, number, "right")]
    steps = [town.sees(*town.others, right), town.beside(right, place(number, "cafe"))]
    return town.ends(kind, "factual_conflation", steps, _missed(town))


def _wrong_one_preferred(number: int, kind: str) -> Planted:
    """The answer begins with a station beside which a bank was seen, and leaves out one with a café."""
    town = _Town(number)
    wrong, other, unseen = town.others
    steps = [
        town.sees(wrong, other),
        town.beside(wrong, place(number, "bank")),
        town.beside(other, place(number + 1, "restaurant; cafe")),
    ]
    answer = say(unseen, wrong, other) if number % 2 else say(wrong, unseen)
    return town.ends(kind, "factual_conflation", steps, answer)


def _list_filled_up(number: int, kind: str) -> Planted:
    """Stations without a café stand in the answer after the one that was seen to have one, or since none was."""
    town = _Town(number)
    wrong, other, unseen = town.others
    beside = [place(number, "cafe")] if number % 2 else []
    steps = [
        town.sees(wrong, other),
        town.beside(wrong, place(number, "bank")),
        town.beside(other, *beside),
        town.beside({"lon": wrong["lon"] + 0.0005, "lat": wrong["lat"]}, place(number + 1, "cafe")),
    ]
    return town.ends(kind, "insufficient_exploration", steps, say(other, wrong, unseen))


def _repaired(number: int, kind: str) -> Planted:
    """Invalid calls that later ones repair, and no station of the key within view."""
    town = _Town(number)
    steps = [
        fails("Search_Stations", {"coord": [200, 1]}),
        fails("Search_Chargers", {"coord": [9, 47]}, "unknown_tool"),
        town.sees(*town.others),
    ]
    return town.ends(kind, "insufficient_exploration", steps, _missed(town))


def _nothing_seen(number: int, kind: str) -> Planted:
    town = _Town(number)
    return town.ends(kind, "insufficient_exploration", town.looks(count=below(15, number)), _missed(town))


def _station_without_place(number: int, kind: str) -> Planted:
    """The right station is seen, and a museum beside it; the café of another one of the key, which is not seen, too."""
    town = _Town(number)
    steps = [
        town.sees(town.key[0]),
        town.beside(town.key[0], place(number, "museum")),
        pois_at(town.lon, town.lat, town.key[1]["activity"]),
    ]
    return town.ends(kind, "insufficient_exploration", steps, _missed(town))


def _no_road(number: int, kind: str) -> Planted:
    """An error that is not the call's: no road leads there. Twenty calls were made, and there is an answer."""
    town = _Town(number)
    steps = [*town.looks(count=19), fails("Cal_Distance", {"coord1": [9, 47], "coord2": [9, 48]}, "no_route")]
    return town.ends(kind, "insufficient_exploration", steps, _missed(town))


def _right(number: int, kind: str) -> Planted:
    town = _Town(number)
    steps = [*town.looks(count=3), fails("Search_Stations", {"coord": "?"})]
    return town.ends(kind, None, steps, say(town.others[0], town.others[1], town.key[2]))


def _right_after_many_calls(number: int, kind: str) -> Planted:
    town = _Town(number)
    steps = town.looks(count=5) * 4
    return town.ends(kind, None, steps, say(town.key[0]))


_KINDS: Mapping[str, Callable[[int, str], Planted]] = {
    make.__name__.strip("_"): make
    for make in (
        _invalid_call,
        _unreadable,
        _never_written,
        _invalid_before_the_limit,
        _repeats,
        _inefficient,
        _few_repeats,
        _conflated,
        _conflated_fourth,
        _conflated_with_another_place,
        _wrong_one_preferred,
        _list_filled_up,
        _repaired,
        _nothing_seen,
        _station_without_place,
        _no_road,
        _right,
        _right_after_many_calls,
    )
}
