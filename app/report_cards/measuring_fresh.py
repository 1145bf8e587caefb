"""Whether a card's questions may have been seen before: fresh twins, and canaries. Read as the api role."""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.core.errors import Conflict, NotFound, UsageError
from app.leaderboard.contamination import measure_contamination
from app.report_cards.measuring_runs import MeasuredRun
from app.report_cards.models import FreshOfCard
from app.report_cards.variants import FRESH


def measure_fresh(connection: Connection, runs: Sequence[MeasuredRun]) -> list[FreshOfCard]:
    """The entries that were asked with fresh twins, in their order, each compared as `trigpoint contamination` does."""
    usual = {run.entry.key: run for run in runs if run.entry.variant is None}
    return [
        _measure(connection, usual[run.entry.entry], run)
        for run in runs
        if run.entry.variant == FRESH and run.entry.entry in usual
    ]


def _measure(connection: Connection, usual: MeasuredRun, run: MeasuredRun) -> FreshOfCard:
    told = {"key": usual.entry.key, "dataset": usual.about.reference}
    try:
        gap = measure_contamination(connection, usual.about.id, run.about.id)
    except (Conflict, NotFound, UsageError) as refused:
        return FreshOfCard(**told, gap=None, why=str(refused))
    return FreshOfCard(**told, gap=gap)
