"""Scoring a finished run again from its stored answers, or by another parser or geocoder beside its first scores."""

from dataclasses import dataclass, field

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.errors import Held, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.nominatim import NominatimClient, nominatim_base
from app.operations.check_reasoning import check_scored_run
from app.operations.endpoints import EndpointChoice, find_chat_endpoint
from app.predictions.scoring_lock import only_one
from app.questions.gold import DEFAULT_KEY
from app.scores.parsing.parsing import Pace
from app.scores.profiles import TRIGPOINT
from app.scores.reasoning_figures import forget_figures
from app.scores.rescoring import (
    GAZETTEER,
    RULES,
    Parser,
    Rescored,
    Servers,
    check_finished,
    check_gold_key,
    rescore,
)
from app.scores.rescoring import Progress as TellRescored

PARSERS = (RULES, "chat")


@dataclass(frozen=True)
class RescoreRequest:
    """Which run is scored again, and who reads its answers and finds its places."""

    run: int
    geocoder: str = GAZETTEER
    parser: str = RULES
    endpoint: EndpointChoice = field(default_factory=EndpointChoice)
    """Of the parser `chat`."""
    gold_key: str = DEFAULT_KEY
    """The key of the gold to score by, where Trigpoint's own rules score."""


def rescore_run(settings: Settings, request: RescoreRequest, tell: TellRescored) -> Rescored:
    """Score the run again, and check its reasoning again; both are committed.

    Another parser's or geocoder's scores are kept apart from the first, and check no reasoning.

    `tell` hears what is asked of a server, how much was, and how much there is. Raises NotFound, UsageError, Conflict
    for a run that is not finished, and Held while somebody else scores it.
    """
    _check(request)
    nominatim = None
    if request.geocoder != GAZETTEER:
        nominatim = NominatimClient(settings, nominatim_base(settings, request.geocoder))
    with connect(settings, Role.WORKER) as connection:
        check_finished(connection, request.run)
        check_gold_key(connection, request.run, request.gold_key)
        parser = None if request.parser == RULES else _open_parser(connection, settings, request.endpoint)
        with only_one(connection, request.run) as alone:
            if not alone:
                raise Held(
                    f"Run {request.run} is being scored at the moment; give the same command again when that is done."
                )
            servers = Servers(nominatim, parser)
            found = rescore(connection, request.run, servers, SystemClock(), tell, request.gold_key)
        if found.profile == TRIGPOINT.name:
            forget_figures(connection, request.run)
            connection.commit()
            check_scored_run(connection, request.run)
    return found


def _check(request: RescoreRequest) -> None:
    if request.parser not in PARSERS:
        raise UsageError(f"There is no parser {request.parser!r}; there are: {', '.join(PARSERS)}.")
    if request.gold_key != DEFAULT_KEY and (request.parser != RULES or request.geocoder != GAZETTEER):
        raise UsageError("--gold-key is for Trigpoint's own rules; remove --parser and --geocoder.")
    if request.parser == RULES and request.endpoint != EndpointChoice():
        raise UsageError(
            "Only --parser chat uses an endpoint; remove --endpoint, --model and --key-variable."
        )


def _open_parser(connection: Connection, settings: Settings, choice: EndpointChoice) -> Parser:
    """The parser; its endpoint is not looked at where a model is named: all answers may be stored already."""
    if choice.given is None:
        raise UsageError("The parser `chat` needs an endpoint: give --endpoint URL (and --model).")
    pace = Pace(
        settings.concurrency, settings.tries, settings.backoff_seconds, settings.request_timeout_seconds
    )
    return Parser(find_chat_endpoint(connection, settings, choice), pace)
