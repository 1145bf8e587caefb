"""Reports: a run, or a data set's runs, by dimension, strategy, template, register, city, script and popularity.

Reads predictions and scores of hidden questions as the maintainer. These count in the whole alone, and there in steps.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.errors import NotFound, UsageError
from app.leaderboard import models, queries_report
from app.leaderboard.averaging import (
    mean_of_all,
    mean_of_groups,
    overall_averages,
    quartile_labels,
    standardise,
)
from app.leaderboard.board import ProfileName, read_board
from app.leaderboard.measures import measured
from app.leaderboard.positions import accuracy_by_position
from app.leaderboard.report_models import (
    Cell,
    DiagnosisOfRun,
    MatchedCities,
    MatchedCity,
    Means,
    OverallAverages,
    Report,
    RunReport,
)
from app.leaderboard.states import States
from app.predictions.presentations import is_rotated, presentations
from app.questions.gold import UNANSWERABLE
from app.questions.popularity import fewest_tags
from app.questions.versions import find_version
from app.scores.aggregating import ALL, Aggregate, Marked, Part, aggregate_scope, mean_value
from app.scores.diagnosing import summarise_run
from app.scores.grouping import Curves, city_names, name_groups, read_curves
from app.scores.paper_rules import find_profile_for, find_rules
from app.scores.profiles import Profile
from app.scores.registry import get_scorer
from app.scores.withholding import LEAST_HIDDEN, Group, partition, step_of_mean, whole
from app.templates.catalogue import averages_dimensions, find_reference

NO_SCRIPT = "no name"


@dataclass(frozen=True)
class Question:
    """A question by what reports tell apart; None where it does not have that, or its version does not tell."""

    part: Part
    options: int
    dimension: str | None
    strategy: str | None
    answer_type: str
    register: str | None
    city: str | None
    script: str | None
    wikidata: str | None
    tags: str | None
    curves: Curves
    is_answerable: bool = True

    @property
    def popularity(self) -> str | None:
        """Its stratum: wikidata and quarter of tag counts."""
        return None if self.tags is None else f"wikidata {self.wikidata}, tags {self.tags}"


GroupOf = Callable[[Question], str | None]


@dataclass(frozen=True)
class Scores:
    """What became of a run's predictions, by question; how many it owes each; whether it has all of them."""

    marks: Mapping[str, Sequence[Marked]]
    owed: Mapping[str, int]
    complete: bool

    def over(self, questions: Sequence[Question]) -> Aggregate:
        """The aggregate over questions, at least one; a run that is not complete has counts alone, as on boards."""
        found = aggregate_scope("report", [one.part for one in questions], self.marks, self.owed)
        return found if self.complete else found._replace(score=None, low=None, high=None)

    def mean_of(self, question_id: str) -> float:
        """A question's value."""
        return mean_value(self.marks[question_id], self.owed[question_id])


def report_run(connection: Connection, run_id: int) -> Report:
    """The report of one run; raises NotFound for one that there is not."""
    return report_runs(connection, [run_id])


def report_runs(connection: Connection, run_ids: Sequence[int], profile: ProfileName = "trigpoint") -> Report:
    """The report of runs of one version, in this order, each once.

    Raises NotFound for one that there is not, UsageError where they are of several versions.
    """
    _at_one_moment(connection)
    found = [_find_run(connection, run_id) for run_id in dict.fromkeys(run_ids)]
    references = list(dict.fromkeys(run.reference for run in found))
    if len(references) > 1:
        raise UsageError(
            f"The runs are of {', '.join(references)}: a report is about one version. Make a report for each version."
        )
    board = read_board(connection, references[0], profile=profile)
    return _report(connection, board, found[0].version_id, [run.id for run in found])


def _find_run(connection: Connection, run_id: int) -> Row[Any]:
    run = connection.execute(queries_report.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    return run


def report_dataset(connection: Connection, reference: str, profile: ProfileName = "trigpoint") -> Report:
    """The report of the runs that the data set's board shows, in its order."""
    _at_one_moment(connection)
    board = read_board(connection, reference, profile=profile)
    version = find_version(connection, reference)
    return _report(connection, board, version.id, [row.run for row in board.rows])


def _at_one_moment(connection: Connection) -> None:
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")


def _report(connection: Connection, board: models.Board, version_id: int, run_ids: Sequence[int]) -> Report:
    rules = find_profile_for(board.benchmark, board.profile)
    rows = [
        row
        for row in connection.execute(queries_report.QUESTIONS, {"version_id": version_id})
        if rules.counts(row.scorer, row.gold_kind, is_hidden=row.hidden)
    ]
    questions = read_questions(rows, rules)
    return Report(
        dataset=board.dataset,
        version=board.version,
        benchmark=board.benchmark,
        profile=board.profile,
        profile_version=board.profile_version,
        metric=board.metric,
        better=board.better,
        right=board.right,
        measures=board.measures,
        interval=board.interval,
        n=board.n,
        hidden=board.hidden,
        left_out=board.left_out,
        step=board.step,
        least_hidden=LEAST_HIDDEN,
        names_stored=any(row.names is not None for row in rows),
        chance=_chance(questions),
        runs=[_report_run(connection, run_id, questions, board.benchmark, rules) for run_id in run_ids],
        reference=find_reference(board.benchmark),
        snapshots=board.snapshots,
        attribution=board.attribution,
        licence_url=board.licence_url,
    )


def read_questions(rows: Sequence[Row[Any]], rules: Profile) -> list[Question]:
    """The version's questions, tag counts in quarters of all of them.

    A question that names several objects is as well known as the least known of them.
    """
    fewest = {row.id: fewest_tags(row.popularity) for row in rows if row.popularity}
    quarter = quartile_labels(list(fewest.values()))
    cities = city_names({(row.city, row.data_timestamp) for row in rows if row.city is not None})
    return [
        Question(
            part=Part(
                row.id,
                row.template,
                not rules.of_paper and get_scorer(row.scorer).graded,
                row.hidden,
                row.place,
            ),
            options=row.options or 0,
            dimension=row.dimension,
            strategy=row.strategy,
            answer_type=row.answer_type,
            register=row.register,
            city=cities.get((row.city, row.data_timestamp)),
            script=None if row.names is None else row.names["script"] or NO_SCRIPT,
            wikidata=("yes" if all(one["wikidata"] for one in row.popularity) else "no")
            if row.popularity
            else None,
            tags=quarter[fewest[row.id]] if row.popularity else None,
            curves=read_curves(row),
            is_answerable=row.gold_kind != UNANSWERABLE,
        )
        for row in rows
    ]


def _chance(questions: Sequence[Question]) -> float | None:
    if not questions or not all(question.options for question in questions):
        return None
    return sum(1 / question.options for question in questions) / len(questions)


def _report_run(
    connection: Connection, run_id: int, questions: Sequence[Question], benchmark: str, rules: Profile
) -> RunReport:
    run = connection.execute(queries_report.RUN, {"run_id": run_id}).one()
    if run.sample is not None:
        questions = [one for one in questions if one.part.question_id in set(run.sample)]
    if run.public_only:
        questions = [one for one in questions if not one.part.hidden]
    owed = {
        one.part.question_id: run.repeats * len(presentations(run.presentation, one.options))
        for one in questions
    }
    scores = Scores(_marks(connection, run_id, questions, rules), owed, run.status == "complete")
    overall, states = _whole(questions, scores)
    read = _states([one for one in questions if not one.part.hidden], scores)

    def cells(group_of: GroupOf, kind: str = "") -> dict[str, Cell]:
        found = make_cells(questions, scores, group_of)
        return {name: found[name] for name in name_groups(kind, found)}

    dimensions = cells(lambda one: one.dimension)
    return RunReport(
        run=run.id,
        name=run.label,
        solver=run.solver,
        status=run.status,
        rotated=is_rotated(run.presentation),
        overall=overall,
        states=states,
        parse_rate=read.read_rate,
        badly_read=read.is_badly_read,
        answers=run.answers,
        truncated=run.truncated,
        measures=_measures(connection, run_id, benchmark, rules),
        averages=_averages(questions, dimensions) if averages_dimensions(benchmark) else None,
        means=_means(questions, scores),
        dimensions=dimensions,
        strategies=cells(lambda one: one.strategy),
        templates=cells(lambda one: one.part.template),
        answer_types=cells(lambda one: one.answer_type),
        registers=cells(lambda one: one.register),
        contexts=cells(lambda one: one.curves.context, "context"),
        option_counts=cells(lambda one: one.curves.options, "options"),
        sub_kinds=cells(lambda one: one.curves.sub_kind),
        zooms=cells(lambda one: one.curves.zoom, "zoom"),
        tiers=cells(lambda one: one.curves.tier, "tier"),
        densities=cells(lambda one: one.curves.density, "density"),
        cities=cells(lambda one: one.city),
        scripts=cells(lambda one: one.script),
        wikidata=cells(lambda one: one.wikidata),
        tags=cells(lambda one: one.tags),
        positions=None if rules.of_paper else _positions(connection, run.id, questions, scores),
        matched=match_cities(questions, scores),
        diagnosis=_diagnosis(connection, run_id),
    )


def _diagnosis(connection: Connection, run_id: int) -> DiagnosisOfRun | None:
    found = summarise_run(connection, run_id)
    return None if found is None else DiagnosisOfRun.model_validate(found._asdict())


def _marks(
    connection: Connection, run_id: int, questions: Sequence[Question], rules: Profile
) -> Mapping[str, Sequence[Marked]]:
    binds = {"run_id": run_id, **rules.scorer_binds()}
    marks: dict[str, list[Marked]] = {one.part.question_id: [] for one in questions}
    for row in connection.execute(queries_report.MARKS, binds):
        # An answer that is not scored yet is missing; one to a question that does not count is left out.
        if row.state is not None and row.question_id in marks:
            marks[row.question_id].append(Marked(row.question_id, row.state, row.value))
    return marks


def _measures(
    connection: Connection, run_id: int, benchmark: str, rules: Profile
) -> dict[str, models.MeasuredValue]:
    """The means of the paper's measures, as boards have them; none by other rules."""
    paper = find_rules(benchmark) if rules.of_paper else None
    if paper is None:
        return {}
    binds = {"run_id": run_id, **rules.version_binds()}
    stored = {row.scope: row.components for row in connection.execute(queries_report.COMPONENTS, binds)}
    by_type = {name.removeprefix("answer_type:"): one for name, one in stored.items() if name != ALL}
    return measured(paper, stored.get(ALL), by_type)


def make_cells(questions: Sequence[Question], scores: Scores, group_of: GroupOf) -> dict[str, Cell]:
    """A cell a group, by name; groups count public questions alone."""
    return {name: _cell(group, scores) for name, group in _groups(questions, group_of).items()}


def _groups(questions: Sequence[Question], group_of: GroupOf) -> dict[str, Group[Question]]:
    """By group, sorted by name. Questions of no group are a group of their own, which is not shown."""
    found = partition(questions, group_of, lambda one: one.part.hidden)
    return {name: found[name] for name in sorted(name for name in found if name is not None)}


def _cell(group: Group[Question], scores: Scores) -> Cell:
    left = len(group.left_out)
    if not group.counted:
        return Cell(n=0, left_out=left, score=None, low=None, high=None)
    found = scores.over(group.counted)
    step = step_of_mean(sum(one.part.hidden for one in group.counted), found.n)
    return Cell(n=found.n, left_out=left, score=found.score, step=step, low=found.low, high=found.high)


def _whole(questions: Sequence[Question], scores: Scores) -> tuple[Cell, States]:
    group = whole(questions, lambda one: one.part.hidden)
    return _cell(group, scores), _states(group.counted, scores)


def _states(questions: Sequence[Question], scores: Scores) -> States:
    return States(**scores.over(questions).states) if questions else States()


def _positions(
    connection: Connection, run_id: int, questions: Sequence[Question], scores: Scores
) -> dict[str, Cell] | None:
    """Cells by position; None where questions are hidden: where few keys are at a letter, they would be told."""
    if any(one.part.hidden for one in questions):
        return None
    return {
        one.position: Cell(n=one.n, left_out=0, score=one.rate, low=one.low, high=one.high)
        if scores.complete
        else Cell(n=one.n, left_out=0, score=None, low=None, high=None)
        for one in accuracy_by_position(connection, run_id).positions
    }


def _averages(questions: Sequence[Question], dimensions: Mapping[str, Cell]) -> OverallAverages:
    templates = {
        name: len({one.part.template for one in questions if one.dimension == name}) for name in dimensions
    }
    told = all(one.dimension is not None for one in questions)
    found = overall_averages(
        {name: cell.score for name, cell in dimensions.items()} if told else {}, templates
    )
    return OverallAverages(**found._asdict())


def _means(questions: Sequence[Question], scores: Scores) -> Means | None:
    if not scores.complete:
        return None
    public = [one for one in questions if not one.part.hidden]
    answerable = [one for one in public if one.is_answerable]
    of_all, by_dimension = _two_means(public, scores)
    of_answerable, of_their_dimensions = _two_means(answerable, scores)
    return Means(
        questions=of_all,
        dimensions=by_dimension,
        answerable_questions=of_answerable,
        answerable_dimensions=of_their_dimensions,
    )


def _two_means(questions: Sequence[Question], scores: Scores) -> tuple[float | None, float | None]:
    """Over all questions, and over dimensions: None where a question has none."""
    groups: dict[str, list[float]] = {}
    for one in questions:
        groups.setdefault(one.dimension or "", []).append(scores.mean_of(one.part.question_id))
    return mean_of_all(groups), None if "" in groups else mean_of_groups(groups)


def match_cities(questions: Sequence[Question], scores: Scores) -> MatchedCities | None:
    """Cities over the strata of popularity that all of them have, as `standardise` says; None for a single city.

    Questions that name no object have no popularity and do not count. Templates are not matched: cities whose
    capacities differ ask them in other shares. Nor do hidden questions.
    """
    values: dict[str, dict[str, list[float]]] = {}
    for city in sorted({one.city for one in questions if one.city is not None}):
        here = [one for one in questions if one.city == city]
        values[city] = {}
        for stratum, group in _groups(here, lambda one: one.popularity).items():
            if group.counted and scores.over(group.counted).score is None:
                return None
            values[city][stratum] = [scores.mean_of(one.part.question_id) for one in group.counted]
    found = standardise(values)
    if found is None:
        return None
    cities = {city: MatchedCity(**of._asdict()) for city, of in found.groups.items()}
    return MatchedCities(weights=dict(found.weights), cities=cities)
