"""How answers went wrong, counted over the runs that a card counts. Read as the api role."""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.report_cards import queries_measuring as queries
from app.report_cards.measuring_figures import figure_of, pool_of
from app.report_cards.measuring_runs import MeasuredRun
from app.report_cards.models import ErrorCount
from app.scores.diagnosis import DIAGNOSIS, VERSION, summarise

STATES = {
    "wrong": "read, and not right",
    "unparseable": "no option, name or number could be read",
    "no_answer": "empty, or says that the model does not know",
    "error": "failed on the way; the run gives no score",
    "missing": "not asked or not scored yet; the run gives no score",
}
"""What states that are not right are called."""


def count_errors(connection: Connection, runs: Sequence[MeasuredRun]) -> list[ErrorCount]:
    """States first, then answers that were cut off, then what diagnoses tell; what does not occur is counted as 0."""
    states = figure_of(pool_of(runs)).states
    owed = sum(sum(run.owed.values()) for run in runs)
    found = [
        ErrorCount(name=name, label=label, count=getattr(states, name), of=owed)
        for name, label in STATES.items()
    ]
    truncated = sum(run.truncated for run in runs)
    found.append(
        ErrorCount(name="truncated", label="cut off by the limit on tokens", count=truncated, of=owed)
    )
    return found + _diagnosed(connection, runs)


def _diagnosed(connection: Connection, runs: Sequence[MeasuredRun]) -> list[ErrorCount]:
    """What answers show beside their scores: another place than the right one, numbers too large or too small."""
    binds = {"runs": [run.about.id for run in runs], "diagnosis": DIAGNOSIS, "version": VERSION}
    rows = connection.execute(queries.DIAGNOSES, binds).mappings().all()
    told = summarise([dict(row) for row in rows])
    found = []
    if told.places:
        found = [
            ErrorCount(
                name="unnamed",
                label="names no place of the map, where the question is about one",
                count=told.places - told.named,
                of=told.places,
            ),
            ErrorCount(
                name="other_place",
                label="names a place of the map that is not a right one",
                count=told.named - told.right,
                of=told.named,
            ),
        ]
    if told.numbers:
        found += [
            ErrorCount(
                name="too_large", label="a number that is too large", count=told.over, of=told.numbers
            ),
            ErrorCount(
                name="too_small", label="a number that is too small", count=told.under, of=told.numbers
            ),
        ]
    return found
