"""Runs of others over the versions of a card: beside which it stands. Read as the api role."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.leaderboard.setups import tools_of
from app.predictions.presentations import is_rotated
from app.report_cards import queries_measuring as queries
from app.report_cards.entries import CardRun
from app.report_cards.measuring_figures import figure_of, pool_of, split
from app.report_cards.measuring_runs import MeasuredRun, calls_model
from app.report_cards.models import ReferenceRow

MOST_OTHERS = 10
"""Names beside which a card stands: a page of more would not be read."""


class OtherRuns(NamedTuple):
    """Runs of one name, as boards call it, beside which a card stands."""

    name: str
    runs: Sequence[CardRun]


def find_others(connection: Connection, runs: Sequence[CardRun]) -> list[OtherRuns]:
    """The complete runs of other names over the versions of these runs, and those that call no model; by name.

    Versions of variants do not count: cards compare what overall figures count.

    Of several of a name, solver and set of tools the newest of a version counts, as on boards. Of more than MOST_OTHERS
    names those stay that have the most runs, then the newest.
    """
    own = {row.id: row for row in connection.execute(queries.RUNS, {"runs": [one.run for one in runs]}).all()}
    versions = sorted({own[one.run].version_id for one in runs if one.variant is None and one.run in own})
    of_model = {_model_of(row) for row in own.values() if calls_model(row.solver)}
    rows = list(connection.execute(queries.RUNS_BESIDE, {"versions": versions, "runs": list(own)}))
    rows.sort(key=_asks_less)
    newest = {
        (row.version_id, row.label, row.solver, tools_of(row.presentation)): row for row in rows
    }  # within a key rows come by id, so the last is the newest
    names = names_of(list(newest.values()))
    found: dict[str, list[CardRun]] = {}
    for (version, _, solver, tools), row in newest.items():
        if _model_of(row) not in of_model or not calls_model(solver):
            entry = CardRun(row.id, f"{row.benchmark}/{solver}/{version}", row.benchmark, solver, tools)
            found.setdefault(names[_model_of(row)], []).append(entry)
    most = sorted(found, key=lambda name: (-len(found[name]), -max(one.run for one in found[name])))
    return [OtherRuns(name, found[name]) for name in sorted(most[:MOST_OTHERS])]


def names_of(runs: Iterable[Row[Any]]) -> dict[str, str]:
    """What each model among the runs is called: as the run without tools that comes first, else as the first."""
    names: dict[str, str] = {}
    for row in sorted(
        runs, key=lambda one: (tools_of(one.presentation) is not None, _asks_less(one), one.id)
    ):
        names.setdefault(_model_of(row), _name_of_model(row))
    return names


def _name_of_model(run: Row[Any]) -> str:
    """The run's label, for a model without the size of the run's sample: each of its runs may have another."""
    if run.endpoint_id is None or run.sample is None:
        return str(run.label)
    told = f"sample of {run.sample}"
    label = run.label.removesuffix(f" ({told})")
    return str(label.replace(f", {told}", "").replace(f"({told}, ", "("))


def _model_of(run: Row[Any]) -> str:
    """What runs of one model share: their endpoint, since labels tell tools apart; else the label."""
    return f"label {run.label}" if run.endpoint_id is None else f"endpoint {run.endpoint_id}"


def _asks_less(run: Row[Any]) -> bool:
    """Whether a run asks some questions alone, or with options in every order: whole ones stand before it."""
    return run.sample is not None or is_rotated(run.presentation)


def headline(runs: Sequence[MeasuredRun]) -> list[MeasuredRun]:
    """The runs that overall figures count: of each version the first without tools, or the first if all have tools.

    Where all questions ask for what tools do, it is the first with tools, if there is one.
    """
    chosen: dict[int, MeasuredRun] = {}
    for run in sorted(runs, key=lambda one: one.has_tools != one.wants_tools):
        chosen.setdefault(run.about.version_id, run)
    return [run for run in runs if chosen[run.about.version_id] is run]


def reference_row(name: str, runs: Sequence[MeasuredRun]) -> ReferenceRow:
    """The figures of somebody else's runs."""
    counted = headline(runs)
    solvers = sorted({run.about.solver for run in counted})
    pool = pool_of(counted)
    return ReferenceRow(
        name=name,
        solver=", ".join(solvers),
        calls_model=any(run.calls_model for run in counted),
        overall=figure_of(pool),
        skills={key: figure_of(one) for key, one in sorted(split(pool, MeasuredRun.skill_of).items())},
    )
