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
        ErrorCount(name=name, label=label, count=getattr(states, name), of=owed, exclusive=True)
        for name, label in STATES.items()
    ]
    truncated = sum(run.truncated for run in runs)
    found.append(
        ErrorCount(
            name="truncated",
            label="cut off by the limit on tokens",
            count=truncated,
            of=owed,
            exclusive=False,
        )
    )
    return found + _diagnosed(connection, runs)


def _diagnosed(connection: Connection, runs: Sequence[MeasuredRun]) -> list[ErrorCount]:
    """What answers show beside their scores: another place than the right one, numbers too large or too small."""
    binds = {"runs": [run.about.id for run in runs], "diagnosis": DIAGNOSIS, "version": VERSION}
    rows = connection.execute(queries.DIAGNOSES, binds).mappings().all()
    told = summarise([dict(row) for row in rows])
    found: list[tuple[str, str, int, int]] = []
    if told.places:
        found += [
            (
                "unnamed",
                "names no place of the map, where the question is about one",
                told.places - told.named,
                told.places,
            ),
            (
                "other_place",
                "names a place of the map that is not a right one",
                told.named - told.right,
                told.named,
            ),
        ]
    if told.numbers:
        found += [
            ("too_large", "a number that is too large", told.over, told.numbers),
            ("too_small", "a number that is too small", told.under, told.numbers),
        ]
    return [
        ErrorCount(name=name, label=label, count=count, of=of, exclusive=False)
        for name, label, count, of in found
    ]
