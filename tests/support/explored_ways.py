"""A constructed way of an agent that explores: it looks for stations, moves seven kilometres at a time in a spiral, looks
for places beside one, measures a drive, and answers two stations, of which the first is in the key."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
from pyproj import Geod

from app.core.settings import Settings
from app.published.episode_models import EpisodeSums, ShownEpisode, ShownStep
from app.scores.registry import EpisodeStep
from app.scores.scorers.hits import score_hits
from tests.support.explored import Planted, call, move, pois_at, say, station, stations_at, store
from tests.support.factories import make_run
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving
from tests.support.stored_episodes import MadeStep, add_steps, counts

NUMBER = 520
USER = (9.52, 47.1)
STEP_M = 7_000.0
AZIMUTHS = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
KEY = tuple(station(NUMBER, place) for place in (1, 2))
OTHER = station(NUMBER, 7)
_GEOD = Geod(ellps="WGS84")


def planted_way(moves: int) -> Planted:
    """The way with so many moves: a search before the first and after each, then a look and a drive."""
    at = USER
    steps = [stations_at(*at, OTHER)]
    for number, direction in zip(range(moves), _spiral(), strict=False):
        lon, lat, _ = _GEOD.fwd(*at, AZIMUTHS[direction], STEP_M)
        reached = (round(lon, 7), round(lat, 7))
        steps += [move(*at, direction, reached), stations_at(*reached, *KEY[: number + 1])]
        at = reached
    first = (KEY[0]["lon"], KEY[0]["lat"])
    steps += [pois_at(*first), _drive(USER, first)]
    return Planted("way", NUMBER, None, list(KEY), steps, say(KEY[0], OTHER))


def way_of(moves: int) -> ShownEpisode:
    """The way as pages read it, without a database."""
    way = planted_way(moves)
    answer = way.answer or ""
    read = score_hits(answer, way.gold, None).parsed
    sums = dict.fromkeys(EpisodeSums.model_fields, 0)
    return ShownEpisode(
        run=1,
        dataset="explored@1",
        label="toy/rover",
        solver="georover",
        solver_version=1,
        model=None,
        agent=None,
        sampling={},
        currency=None,
        question="0" * 32,
        template="Destination_With_Activity",
        repeat=0,
        rotation=0,
        text="Where do I charge and have a coffee?",
        options=None,
        messages=[],
        steps=[_shown(step, ordinal) for ordinal, step in enumerate(way.steps)],
        sums=EpisodeSums.model_validate(sums),
        state="answered",
        ended_by=None,
        answer=answer,
        failure=None,
        read=read,
        gold=way.gold,
        outcome="correct",
        score=1.0,
        errors=[],
    )


@contextmanager
def make_way(settings: Settings, moves: int) -> Iterator[tuple[httpx.Client, str, int]]:
    """A client of a service that has a run with the way, the path of its page, and a run beside it, that moved once."""
    ways = [Planted("hidden", NUMBER + 1, None, list(KEY), [], None), planted_way(moves)]
    version, run = store(settings, ways)
    short = planted_way(1)
    beside = make_run(
        settings, version, [None, short.answer], "toy/short", "georover", details=[counts(), counts()]
    )
    question = version.questions[1]
    add_steps(
        settings,
        beside,
        question,
        [MadeStep(step.kind, dict(step.request), dict(step.response)) for step in short.steps],
    )
    score(settings, beside)
    with serving(settings) as address, patient_client(address) as client:
        yield client, f"/runs/{run}/questions/{question}", beside


def _spiral() -> Iterator[str]:
    length = 1
    while True:
        yield from ["N"] * length + ["E"] * length
        yield from ["S"] * (length + 1) + ["W"] * (length + 1)
        length += 2


def _drive(start: tuple[float, float], end: tuple[float, float]) -> EpisodeStep:
    arguments = {"coord1": list(start), "coord2": list(end)}
    return call("Cal_Distance", arguments, arguments | {"distance_m": 6_400.0})


def _shown(step: EpisodeStep, ordinal: int) -> ShownStep:
    return ShownStep(
        ordinal=ordinal,
        attempt=0,
        kind=step.kind,
        state="done",
        model=None,
        thought=None,
        said=None,
        wanted=[],
        tool=step.request["tool"],
        arguments=dict(step.request["arguments"]),
        snapshot=None,
        sentence=step.response["sentence"],
        result=step.response["result"],
        withheld_bytes=None,
        fault=None,
        failure=None,
        repeated=False,
        reused=False,
        finish_reason=None,
        prompt_tokens=None,
        completion_tokens=None,
        cost=None,
        milliseconds=None,
        sent_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
