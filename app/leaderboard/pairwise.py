"""Runs compared pair by pair, as stored when they were scored: those of a board, or some that were asked for.

Reads run, board_aggregate and run_comparison as the api role.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.leaderboard import models, queries
from app.leaderboard.board import LICENCE_URL, Kind, ProfileName, attribution_of_versions, read_board
from app.leaderboard.common import CommonPair, compare_common
from app.leaderboard.comparing import holm
from app.leaderboard.keeping import Kept
from app.leaderboard.makeup import read_makeup
from app.leaderboard.setups import differing, setup_of, tools_of
from app.questions.versions import find_version
from app.scores.aggregating import ALL
from app.scores.pairs import LEVEL, POWER, name_tests
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile, default_profile
from app.scores.withholding import step_of_mean

MOST_RUNS = 100
KINDS: Mapping[str, Kind] = {
    "dimension": "dimension",
    "strategy": "strategy",
    "city": "city",
    "answer_type": "answer_type",
    "gold": "gold",
    "register": "register",
    "recheck": "recheck",
    "context": "context",
    "options": "options",
    "sub_kind": "sub_kind",
    "zoom": "zoom",
    "tier": "tier",
    "density": "density",
}
Ends = tuple[float | None, float | None]


class _Wanted(NamedTuple):
    rules: Profile
    version_id: int
    dataset: str
    number: int
    scope: str
    runs: list[models.ComparedRun]
    step: float | None = None
    """Of the scores of runs that count hidden questions."""
    left_out: int = 0
    is_common: bool = False
    """Whether pairs stand on the public questions that both answered."""


def compare_runs(
    connection: Connection,
    runs: Sequence[int],
    scope: str = ALL,
    dataset: str | None = None,
    profile: ProfileName = "trigpoint",
) -> models.Comparisons:
    """These runs, two at least, over a scope: all, or KIND:NAME, such as template:T5; p adjusted over their pairs.

    Raises NotFound for a run or a scope that there is not, UsageError for runs of several data sets or versions (or not
    of `dataset`), Conflict for one that is not complete, counts only public questions, or was not compared yet. If a
    run was asked a sample, each pair is compared on the public questions that both answered.
    """
    wanted = sorted(set(runs))
    if not 2 <= len(wanted) <= MOST_RUNS:
        raise UsageError(f"Name two to {MOST_RUNS} different runs of one data set version.")
    found = _read_runs(connection, default_profile(), wanted, scope)
    missing = sorted(set(wanted) - {row.run for row in found})
    if missing:
        raise NotFound(f"There is no run {missing[0]}; `trigpoint run list` shows all runs.")
    references = sorted({row.reference for row in found})
    if len(references) > 1:
        raise UsageError(
            f"Runs of one data set version can be compared: these are of {', '.join(references)}."
        )
    version = find_version(connection, references[0])
    if dataset is not None and find_version(connection, dataset) != version:
        raise UsageError(f"These runs are of {references[0]}, and not of {dataset}.")
    rules = find_profile_for(version.benchmark, profile)
    found = _read_runs(connection, rules, wanted, scope)
    is_common = any(row.is_sample for row in found)
    for row in found:
        _check(row, scope, is_common=is_common)
    step = _step(connection, version.id, rules) if scope == ALL else None
    shown = [
        models.ComparedRun(
            run=row.run,
            name=row.name,
            solver=row.solver,
            score=row.score or 0.0,
            step=None if row.is_sample else step,
        )
        for row in found
    ]
    of_pairs = None if is_common else step
    wanted_here = _Wanted(
        rules, version.id, version.name, version.number, scope, shown, of_pairs, is_common=is_common
    )
    return _compare(connection, wanted_here)


def _read_runs(connection: Connection, rules: Profile, runs: Sequence[int], scope: str) -> Sequence[Row[Any]]:
    binds = {**rules.version_binds(), "runs": runs, "scope": scope}
    return connection.execute(queries.RUNS_TO_COMPARE, binds).all()


def _step(connection: Connection, version_id: int, rules: Profile) -> float | None:
    """The step of scores over all questions of the version."""
    size = read_makeup(connection, version_id, rules).sizes[ALL]
    return step_of_mean(size.hidden, size.n)


def compare_board(
    connection: Connection,
    reference: str,
    scope: str = ALL,
    limit: int = MOST_RUNS,
    kept: Kept | None = None,
    profile: ProfileName = "trigpoint",
) -> models.Comparisons:
    """The ranked runs of a board, or the best `limit` of them, over a scope. Raises NotFound for a scope it lacks."""
    kind, _, group = scope.partition(":")
    board = read_board(connection, reference, KINDS.get(kind), profile, kept)
    if scope == ALL:
        rows = board.rows
    else:
        sections = board.templates if kind == "template" else board.groups
        if group not in sections:
            raise NotFound(f"{board.dataset}@{board.version} has no {scope!r}: a scope is all, or KIND:NAME.")
        rows = sections[group].rows
    ranked = [row for row in rows if row.rank is not None and row.score is not None]
    shown = [
        models.ComparedRun(
            run=row.run, name=row.name, solver=row.solver, score=row.score or 0.0, step=row.step
        )
        for row in ranked[:limit]
    ]
    version = find_version(connection, f"{board.dataset}@{board.version}")
    rules = find_profile_for(version.benchmark, profile)
    left = max(0, len(ranked) - limit)
    step = board.step if scope == ALL else None
    return _compare(
        connection, _Wanted(rules, version.id, board.dataset, board.version, scope, shown, step, left)
    )


def _check(run: Row[Any], scope: str, *, is_common: bool) -> None:
    if run.public_only:
        raise Conflict(
            f"Run {run.run} counts only public questions: only runs that count all can be compared."
        )
    if run.status != "complete":
        raise Conflict(f"Run {run.run} is not complete: only complete runs can be compared.")
    if is_common and scope != ALL:
        return  # a sample may lack a score of a scope: whether there are questions of it is seen when they are compared
    if run.score is None and scope != ALL:
        raise NotFound(
            f"Run {run.run} has no score for {scope!r}: a scope is all, or KIND:NAME, such as template:T5."
        )
    if run.score is None:
        raise Conflict(
            f"Run {run.run} is not scored yet: a worker will score it, or give `trigpoint run rescore {run.run}`."
        )


def _compare(connection: Connection, wanted: _Wanted) -> models.Comparisons:
    runs = sorted(wanted.runs, key=lambda one: (-one.score, one.name, one.run))
    place = {one.run: number for number, one in enumerate(runs)}
    rules = wanted.rules
    binds = {
        **rules.version_binds(),
        "version_id": wanted.version_id,
        "scope": wanted.scope,
        "runs": list(place),
    }
    found = (
        compare_common(connection, wanted.version_id, list(place), wanted.scope, rules)
        if wanted.is_common
        else connection.execute(queries.PAIRS, binds).all()
    )
    if len(found) < len(runs) * (len(runs) - 1) // 2:
        raise Conflict(
            "Some of these runs are not compared yet: a worker will do it, or give `trigpoint run rescore RUN`."
        )
    adjusted = holm({(row.run, row.other): row.p for row in found})
    pairs = [
        _pair(row, adjusted[row.run, row.other], wanted.step, turned=place[row.run] > place[row.other])
        for row in found
    ]
    return models.Comparisons(
        dataset=wanted.dataset,
        version=wanted.number,
        profile=rules.name,
        profile_version=rules.version,
        scope=wanted.scope,
        test=name_tests(row.test for row in found),
        level=LEVEL,
        power=POWER,
        common=wanted.is_common,
        runs=runs,
        differ=_differences(connection, wanted),
        left_out=wanted.left_out,
        pairs=sorted(pairs, key=lambda pair: (place[pair.run], place[pair.other])),
        attribution=attribution_of_versions(connection, [wanted.version_id]),
        licence_url=LICENCE_URL,
    )


def _differences(connection: Connection, wanted: _Wanted) -> list[str]:
    """In what the runs differ, if one of them has tools."""
    rows = _read_runs(connection, wanted.rules, [one.run for one in wanted.runs], wanted.scope)
    if all(tools_of(row.presentation) is None for row in rows):
        return []
    return differing(setup_of(row.model, row.sampling, row.presentation) for row in rows)


def _pair(row: Row[Any] | CommonPair, adjusted: float, step: float | None, *, turned: bool) -> models.Pair:
    told = row._asdict() | {"step": step}
    ends, new_ends = (row.low, row.high), (row.new_low, row.new_high)
    if turned:
        told |= {"run": row.other, "other": row.run, "difference": -row.difference + 0.0}
        ends, new_ends = turn(ends), turn(new_ends)
    told |= dict(zip(("low", "high"), ends, strict=True))
    untested = row.p is None
    return models.Pair(
        **told,
        adjusted_p=None if untested else adjusted,
        tied=untested or adjusted > LEVEL,
        new_templates=new_templates(new_ends, row.new_p),
    )


def turn(ends: Ends) -> Ends:
    """The ends of the interval of the difference the other way round."""
    low, high = ends
    return (None if high is None else -high + 0.0, None if low is None else -low + 0.0)


def new_templates(ends: Ends, p: float | None) -> models.NewTemplates | None:
    """What is told of new templates; None where nothing is."""
    low, high = ends
    return None if low is None or high is None or p is None else models.NewTemplates(low=low, high=high, p=p)
