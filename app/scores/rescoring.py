"""A finished run scored again: by both profiles as its worker did, or by a variant of `published` that asks a server.

Whatever is asked of others is stored as it comes, before scoring; a server that fails leaves no score behind, and the
same command goes on where it stopped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict
from app.map_tools.geocoding import Geocoded, geocode
from app.map_tools.nominatim import NominatimClient
from app.scores import queries
from app.scores.as_published import Answers, Placed, Reader, Ways, read_answers, score_as_published
from app.scores.judging import lock_run, read_questions
from app.scores.profiles import TRIGPOINT
from app.scores.published import answers as published
from app.scores.published.placing import Placer, addresses_of, by_nominatim
from app.scores.scoring import score_run

GAZETTEER = "gazetteer"
FINISHED = ("complete", "incomplete")
Progress = Callable[[str, int, int], None]
"""Told (what is asked for, how many were, how many are to be)."""


@dataclass(frozen=True)
class Rescored:
    """What was scored under `profile`; `locations` counts answers to questions for a location."""

    run: int
    profile: str
    answers: int
    locations: Placed | None
    geocoder: str
    geocoded: Geocoded | None = None

    def as_json(self) -> dict[str, Any]:
        """As `run rescore --json` prints it."""
        return {
            "run": self.run,
            "profile": self.profile,
            "answers": self.answers,
            "geocoder": self.geocoder,
            "locations": self.locations and self.locations._asdict(),
            "geocoded": self.geocoded and self.geocoded.as_json(),
        }


def check_finished(connection: Connection, run_id: int) -> None:
    """Raise NotFound for a run that there is not, Conflict for one that is not finished yet."""
    status = lock_run(connection, run_id).status
    connection.rollback()
    if status not in FINISHED:
        raise Conflict(f"Run {run_id} is {status}: it is scored when it is finished.")


def rescore(
    connection: Connection, run_id: int, nominatim: NominatimClient | None, clock: Clock, progress: Progress
) -> Rescored:
    """Score the run again and commit; with a geocoder, of a GS-QA run, under a profile of its own.

    Raises Conflict for what cannot be scored so, and what the geocoder raises: then nothing is scored.
    """
    if nominatim is None:
        scored = score_run(connection, run_id)
        connection.commit()
        return Rescored(run_id, TRIGPOINT.name, scored.answers, scored.locations, GAZETTEER)
    answers = _answers(connection, run_id)
    read: Reader = published.by_rules
    scores = answers.judged(read)
    addresses = [one for found in answers.located(scores).values() for one in addresses_of(found.score)]
    connection.rollback()
    geocoded = geocode(
        connection, nominatim, clock, addresses, lambda done, total: progress("addresses", done, total)
    )
    place: Placer = by_nominatim(connection, nominatim.base)
    ways = Ways("published+nominatim", place, read, {"geocoder": nominatim.base})
    answers = _answers(connection, run_id)
    placed = score_as_published(connection, answers, ways)
    connection.commit()
    return Rescored(run_id, ways.profile, len(answers.rows), placed, nominatim.base, geocoded)


def _answers(connection: Connection, run_id: int) -> Answers:
    run = lock_run(connection, run_id)
    if run.benchmark != published.BENCHMARK:
        raise Conflict(
            f"Run {run_id} is of benchmark {run.benchmark}: only {published.BENCHMARK} has published rules, which "
            "geocoders and parsers serve. Leave --geocoder and --parser out."
        )
    predictions = connection.execute(queries.PREDICTIONS, {"run_id": run_id}).all()
    return read_answers(connection, run, predictions, read_questions(connection, run.version_id, TRIGPOINT))
