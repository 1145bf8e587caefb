"""A finished run scored again: by both profiles as its worker did, or by a variant of `published` that asks a server.

Whatever is asked of others is stored as it comes, before scoring; a server that fails leaves no score behind, and the
same command goes on where it stopped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict, UsageError
from app.inference.chat import Endpoint
from app.map_tools.geocoding import Geocoded, geocode
from app.map_tools.nominatim import NominatimClient
from app.predictions.submissions.taking import SUBMITTED
from app.questions.gold import DEFAULT_KEY
from app.scores import queries
from app.scores.as_published import Answers, Placed, Ways, read_published_grounds, score_as_published
from app.scores.judging import lock_run, read_questions
from app.scores.paper_rules import PROFILE, Objects, Reader, benchmarks_with_rules, find_rules
from app.scores.parsing.agreeing import Both, agreement
from app.scores.parsing.parsing import Pace, Parsed, parse_answers
from app.scores.placing import addresses_of, by_gazetteer, by_nominatim
from app.scores.profiles import TRIGPOINT
from app.scores.scoring import score_run
from app.solvers import find_solver

GAZETTEER = "gazetteer"
RULES = "rules"
FINISHED = ("complete", "incomplete")
Progress = Callable[[str, int, int], None]
"""Told (what is asked for, how many were, how many are to be)."""


class Parser(NamedTuple):
    """A chat endpoint that parses answers, and how it is asked."""

    endpoint: Endpoint
    pace: Pace


class Servers(NamedTuple):
    """Who is asked; None where rules parse, and the questions' own maps place."""

    nominatim: NominatimClient | None = None
    parser: Parser | None = None

    @property
    def profile(self) -> str:
        """The profile whose rows are written."""
        chat, nominatim = "+chat" if self.parser else "", "+nominatim" if self.nominatim else ""
        return f"{PROFILE}{chat}{nominatim}"


@dataclass(frozen=True)
class Rescored:
    """What was scored under `profile`; `locations` counts answers to questions for a location."""

    run: int
    profile: str
    answers: int
    locations: Placed | None
    geocoder: str = GAZETTEER
    geocoded: Geocoded | None = None
    parser: str = RULES
    parsed: Parsed | None = None
    agreement: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """As `run rescore --json` prints it."""
        return {
            "run": self.run,
            "profile": self.profile,
            "answers": self.answers,
            "geocoder": self.geocoder,
            "locations": self.locations and self.locations._asdict(),
            "geocoded": self.geocoded and self.geocoded.as_json(),
            "parser": self.parser,
            "parsed": self.parsed and self.parsed.as_json(),
            "agreement": self.agreement,
        }


def check_finished(connection: Connection, run_id: int) -> None:
    """Raise NotFound for a run that there is not, Conflict for one that is not finished yet."""
    status = lock_run(connection, run_id).status
    connection.rollback()
    if status not in FINISHED:
        raise Conflict(f"Run {run_id} is {status}: it is scored when it is finished.")


def check_gold_key(connection: Connection, run_id: int, gold_key: str) -> None:
    """Raise UsageError where no question of the run's version has gold under the key."""
    run = lock_run(connection, run_id)
    known = [DEFAULT_KEY, *connection.execute(queries.GOLD_KEYS, {"version_id": run.version_id}).scalars()]
    connection.rollback()
    if gold_key not in known:
        raise UsageError(
            f"No question of run {run_id} has gold under the key {gold_key!r}; there are: {', '.join(known)}."
        )


def rescore(
    connection: Connection,
    run_id: int,
    servers: Servers,
    clock: Clock,
    progress: Progress,
    gold_key: str = DEFAULT_KEY,
) -> Rescored:
    """Score the run again and commit; where servers are asked, by the paper's rules, under a profile of its own.

    The caller alone scores the run. Raises Conflict for what cannot be scored so, and what asking raises: then nothing
    is scored.
    """
    if servers == Servers():
        scored = score_run(connection, run_id, profile=TRIGPOINT.under(gold_key))
        connection.commit()
        return Rescored(run_id, scored.profile, scored.answers, scored.locations)
    answers = _answers(connection, run_id)
    connection.rollback()
    read: Reader = answers.rules.read
    told: dict[str, str] = {}
    parsed, agreed, geocoded = None, None, None
    if servers.parser is not None:
        parsed = _parse(connection, answers, servers.parser, clock, progress)
        agreed = _agreement(answers, parsed)
        read, told = _reader(answers.rules.read, parsed), {"parser": parsed.model}
    place = by_gazetteer(connection)
    if servers.nominatim is not None:
        geocoded = _geocode(connection, answers, read, servers.nominatim, clock, progress)
        place, told = (
            by_nominatim(connection, servers.nominatim.base),
            told | {"geocoder": servers.nominatim.base},
        )
    answers = _answers(connection, run_id)
    locations = score_as_published(connection, answers, Ways(servers.profile, place, read, told))
    connection.commit()
    return Rescored(
        run_id,
        servers.profile,
        len(answers.rows),
        locations,
        told.get("geocoder", GAZETTEER),
        geocoded,
        told.get("parser", RULES),
        parsed,
        agreed,
    )


def _answers(connection: Connection, run_id: int) -> Answers:
    run = lock_run(connection, run_id)
    rules = find_rules(run.benchmark)
    if rules is None:
        raise Conflict(
            f"Run {run_id} is of benchmark {run.benchmark}: only {', '.join(benchmarks_with_rules())} has published "
            "rules, which geocoders and parsers serve. Leave --geocoder and --parser out."
        )
    if run.solver != SUBMITTED and "gold" in find_solver(run.solver).reads:
        raise Conflict(
            f"Run {run_id} is of solver {run.solver}, whose answers are gold: they are not sent to other servers. "
            "Leave --geocoder and --parser out."
        )
    predictions = connection.execute(queries.PREDICTIONS, {"run_id": run_id}).all()
    questions = read_questions(connection, run.version_id, TRIGPOINT)
    return read_published_grounds(connection, run.version_id, questions, rules).answers(run_id, predictions)


def _geocode(
    connection: Connection,
    answers: Answers,
    read: Reader,
    nominatim: NominatimClient,
    clock: Clock,
    progress: Progress,
) -> Geocoded:
    located = answers.located(answers.judged(read)).values()
    addresses = [address for one in located for address in addresses_of(one.score)]
    return geocode(
        connection, nominatim, clock, addresses, lambda done, total: progress("addresses", done, total)
    )


def _parse(
    connection: Connection, answers: Answers, parser: Parser, clock: Clock, progress: Progress
) -> Parsed:
    return parse_answers(
        connection,
        answers.run_id,
        parser.endpoint,
        [(answers.questions[row.question_id].scorer.name, row) for row in answers.to_parse()],
        parser.pace,
        clock,
        lambda done, total: progress("answers", done, total),
    )


def _reader(by_rules: Reader, parsed: Parsed) -> Reader:
    def read(scorer: str, answer: str) -> Objects:
        objects = parsed.objects.get((scorer, answer))
        return by_rules(scorer, answer) if objects is None else objects

    return read


def _agreement(answers: Answers, parsed: Parsed) -> dict[str, Any]:
    keys = [(answers.questions[row.question_id].scorer.name, row.answer or "") for row in answers.to_parse()]
    return agreement(Both(key[0], answers.rules.read(*key), parsed.objects[key]) for key in keys)
