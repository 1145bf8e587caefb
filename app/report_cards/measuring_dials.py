"""The scores of a card's runs by what makes questions hard: a curve for each run and dial. Read as the api role."""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.leaderboard.dials import DIALS, DialName, read_curves
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
    """None where nothing can be compared. The run's own curve: a board may show a newer run of the same name."""
    about = run.about
    try:
        dial = read_curves(connection, about.reference, {about.id: about.label}, TRIGPOINT, name)
    except NotFound:
        return None
    return DialOfCard(dataset=about.reference, dial=dial)
