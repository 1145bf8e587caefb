"""Analyses over the runs of a board: skills, cities, effort, and one board against another. Public questions alone.

A question counts by the mean of its answers, and an answer that is none counts 0. Scores are shares of 1; what is not
defined is null.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core import seeds
from app.core.errors import NotFound, UsageError
from app.core.identity import canonical_json
from app.leaderboard import queries_analyses as queries
from app.leaderboard.models import Board
from app.questions.gold import DEFAULT_KEY
from app.scores.correlating import METHOD, Correlation, correlate
from app.scores.intervals import wilson_of
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile
from app.templates.catalogue import find_dimensions

FEWEST_RUNS = 4
"""Runs that a correlation over runs takes: three lie near a line too often."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class SkillPair(_Model):
    """How the scores of two skills go together over runs."""

    first: str
    second: str
    pearson: Correlation


class Skills(_Model):
    """Which skills go together: correlations of each two over runs."""

    runs: int
    by: str = Field(description="dimension or template")
    skills: list[str]
    pairs: list[SkillPair]
    interval: str = METHOD


class CityCell(_Model):
    """The score of a run on a template's questions about a map."""

    template: str
    city: str
    n: int
    score: float
    low: float
    high: float


class Cities(_Model):
    """The scores of one run by map and template."""

    run: int
    name: str
    cities: list[str]
    templates: list[str]
    cells: list[CityCell]


class EffortRow(_Model):
    """A run: its score, and what its answers took."""

    run: int
    name: str
    n: int
    score: float
    seconds: float | None = Field(description="median time of all calls for an answer; null without calls")
    letters: float = Field(description="median length of a reply, in characters")
    within: Correlation = Field(description="Spearman over questions: length of the reply against the score")


class Effort(_Model):
    """Time and length against the score, over runs."""

    runs: list[EffortRow]
    seconds: Correlation = Field(
        description="Spearman over runs: median time against the score; from 4 runs on"
    )
    letters: Correlation = Field(
        description="Spearman over runs: median length against the score; from 4 runs on"
    )
    interval: str = METHOD


class BothScores(_Model):
    """A model's scores on two boards."""

    name: str
    first: float
    second: float


class Versus(_Model):
    """One board against another over the models of both, such as Knowledge against Reasoning."""

    first: str
    second: str
    models: list[BothScores]
    pearson: Correlation
    spearman: Correlation
    interval: str = METHOD


class Outcome(NamedTuple):
    """What a run's answers to a question came to."""

    question: str
    template: str
    city: str
    value: float


def read_skills(connection: Connection, board: Board) -> Skills:
    """Correlations of dimensions, or of templates where one has no dimension, over the runs of the board.

    Raises UsageError for fewer than four runs, or fewer than two skills.
    """
    found = read_outcomes(connection, board)
    dimensions = find_dimensions(board.benchmark)
    templates = list(dict.fromkeys(one.template for rows in found.values() for one in rows))
    has_dimensions = all(dimensions.get(name) for name in templates)
    skill_of = {name: dimensions[name] if has_dimensions else name for name in templates}
    skills = list(dict.fromkeys(skill_of.values()))
    scores = {run: _means((skill_of[one.template], one.value) for one in rows) for run, rows in found.items()}
    runs = [run for run in scores if len(scores[run]) == len(skills)]
    if len(runs) < FEWEST_RUNS:
        raise UsageError(
            f"{_name(board)} has {len(runs)} runs with a score in every skill: a correlation over runs takes "
            f"{FEWEST_RUNS}. `trigpoint plot heatmap` shows the scores."
        )
    if len(skills) < 2:
        raise UsageError(f"{_name(board)} has one skill alone, {', '.join(skills)}: nothing can be compared.")
    pairs = [
        SkillPair(
            first=one,
            second=other,
            pearson=correlate(
                [scores[run][one] for run in runs],
                [scores[run][other] for run in runs],
                seed=seeds.draw(0, "skills", one, other),
            ),
        )
        for one, other in combinations(skills, 2)
    ]
    return Skills(
        runs=len(runs), by="dimension" if has_dimensions else "template", skills=skills, pairs=pairs
    )


def read_cities(connection: Connection, board: Board, run: int | None) -> Cities:
    """The scores of a run of the board, or of its first one. Raises NotFound for a run that has no score there."""
    found = read_outcomes(connection, board)
    chosen = next(iter(found), None) if run is None else run
    if chosen is None or chosen not in found:
        raise NotFound(
            f"{_name(board)} has no run {run or ''} with a score; there are: {', '.join(map(str, found))}."
        )
    by_cell: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in found[chosen]:
        by_cell[one.template, one.city].append(one.value)
    cells = []
    for (template, city), values in by_cell.items():
        mean = math.fsum(values) / len(values)
        low, high = wilson_of(mean, len(values))
        cells.append(CityCell(template=template, city=city, n=len(values), score=mean, low=low, high=high))
    name = next(row.name for row in board.rows if row.run == chosen)
    return Cities(
        run=chosen,
        name=name,
        cities=sorted({city for _, city in by_cell}),
        templates=list(dict.fromkeys(template for template, _ in by_cell)),
        cells=cells,
    )


def read_effort(connection: Connection, board: Board) -> Effort:
    """Times and lengths of the runs of the board. Raises NotFound where none has a score."""
    found = read_outcomes(connection, board)
    answers = _answers_of(connection, list(found))
    binds = {"runs": [one for one, _ in answers.values()]}
    letters: dict[int, dict[str, float]] = defaultdict(dict)
    replies: dict[tuple[int, str], int] = {}
    for row in connection.execute(queries.LENGTHS, binds):
        letters[row.run][row.question] = float(row.letters)
        replies[row.run, row.question] = row.replies
    seconds: dict[int, list[float]] = defaultdict(list)
    for row in connection.execute(queries.TIMES, binds):
        if (row.run, row.question) in replies:
            seconds[row.run].append(float(row.milliseconds) / 1000 / replies[row.run, row.question])
    rows = [
        _effort(run, answers[run][1], outcomes, seconds[answers[run][0]], letters[answers[run][0]])
        for run, outcomes in found.items()
    ]
    timed = [one for one in rows if one.seconds is not None]
    return Effort(
        runs=rows,
        seconds=_over_runs([one.seconds or 0.0 for one in timed], [one.score for one in timed]),
        letters=_over_runs([one.letters for one in rows], [one.score for one in rows]),
    )


def _effort(
    run: int, name: str, outcomes: Sequence[Outcome], seconds: Sequence[float], letters: Mapping[str, float]
) -> EffortRow:
    both = [(letters[one.question], one.value) for one in outcomes if one.question in letters]
    return EffortRow(
        run=run,
        name=name,
        n=len(outcomes),
        score=_mean([one.value for one in outcomes]),
        seconds=median(seconds) if seconds else None,
        letters=median(length for length, _ in both) if both else 0.0,
        within=correlate([one for one, _ in both], [one for _, one in both], "spearman", run),
    )


def _over_runs(first: Sequence[float], second: Sequence[float]) -> Correlation:
    if len(first) < FEWEST_RUNS:
        return Correlation(n=len(first), value=None)
    return correlate(first, second, "spearman")


def read_versus(connection: Connection, first: Board, second: Board) -> Versus:
    """The models with a score on both boards, by name; of several runs of a model, the first of each board.

    Raises UsageError where no model has a score on both.
    """
    scores = [_score_by_name(connection, board) for board in (first, second)]
    names = [name for name in scores[0] if name in scores[1]]
    if not names:
        told = "; ".join(
            f"{_name(board)}: {', '.join(one)}" for board, one in zip((first, second), scores, strict=True)
        )
        raise UsageError(f"No model has a run with a score on both boards ({told}).")
    x, y = ([one[name] for name in names] for one in scores)
    few = len(names) < FEWEST_RUNS
    undefined = Correlation(n=len(names), value=None)
    return Versus(
        first=_name(first),
        second=_name(second),
        models=[
            BothScores(name=name, first=one, second=other)
            for name, one, other in zip(names, x, y, strict=True)
        ],
        pearson=undefined if few else correlate(x, y),
        spearman=undefined if few else correlate(x, y, "spearman"),
    )


def _score_by_name(connection: Connection, board: Board) -> dict[str, float]:
    found = read_outcomes(connection, board)
    names = _answers_of(connection, list(found))
    scores: dict[str, float] = {}
    for run, outcomes in found.items():
        scores.setdefault(names[run][1], _mean([one.value for one in outcomes]))
    return scores


def read_outcomes(connection: Connection, board: Board) -> dict[int, list[Outcome]]:
    """By run, in the board's order: of runs that have a score."""
    runs = [row.run for row in board.rows if row.score is not None]
    return read_outcomes_of(connection, runs, find_profile_for(board.benchmark, board.profile))


def read_outcomes_of(
    connection: Connection, runs: Sequence[int], profile: Profile
) -> dict[int, list[Outcome]]:
    """By run, in the given order: of runs that have answers to public questions."""
    found: dict[int, list[Outcome]] = {run: [] for run in runs}
    binds = {
        "runs": list(runs),
        "profile": profile.name,
        "scorers": canonical_json(profile.stored_versions()),
        "gold_key": DEFAULT_KEY,
    }
    for row in connection.execute(queries.OUTCOMES, binds):
        found[row.run].append(Outcome(row.question, row.template, row.city, float(row.value)))
    return {run: outcomes for run, outcomes in found.items() if outcomes}


def _answers_of(connection: Connection, runs: Sequence[int]) -> dict[int, tuple[int, str]]:
    """By run: the run whose answers it is about, and that one's name."""
    return {
        row.run: (row.answers, row.name) for row in connection.execute(queries.RUNS, {"runs": list(runs)})
    }


def _means(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    parts: dict[str, list[float]] = defaultdict(list)
    for name, value in values:
        parts[name].append(value)
    return {name: _mean(part) for name, part in parts.items()}


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _name(board: Board) -> str:
    return f"{board.dataset}@{board.version}"
