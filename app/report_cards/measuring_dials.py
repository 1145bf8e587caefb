"""The scores of a card's runs by what makes questions hard: a curve for each run and dial. Read as the api role."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.leaderboard.dials import DIALS, DialName, read_dial
from app.leaderboard.models import Board, Row
from app.report_cards.measuring_runs import MeasuredRun
from app.report_cards.models import DialOfCard
from app.scores.profiles import TRIGPOINT


def measure_dials(connection: Connection, runs: Sequence[MeasuredRun]) -> list[DialOfCard]:
    """By dial, then by run: those of runs that are complete, where their questions differ enough in it."""
    found = [
        _measure(connection, run, name)
        for name in DIALS
        for run in runs
        if run.is_complete and all(run.marks[one.key] for one in run.questions)
    ]
    return [one for one in found if one is not None]


def _measure(connection: Connection, run: MeasuredRun, name: DialName) -> DialOfCard | None:
    try:
        return DialOfCard(dataset=run.about.reference, dial=read_dial(connection, _board_of(run), name))
    except NotFound:
        return None


def _board_of(run: MeasuredRun) -> Board:
    """A board of this run alone, with what dials read of one: boards may show a newer run of the same name."""
    dataset, _, number = run.about.reference.rpartition("@")
    row: dict[str, Any] = {"run": run.about.id, "name": run.about.label, "score": 0.0}
    told: dict[str, Any] = {
        "dataset": dataset,
        "version": int(number),
        "benchmark": run.about.benchmark,
        "profile": TRIGPOINT.name,
        "rows": [Row.model_construct(**row)],
    }
    return Board.model_construct(**told)
