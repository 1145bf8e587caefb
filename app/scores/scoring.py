"""Scores a run: reads stored predictions and gold, writes scores, board aggregates and expectations.

One transaction, which the caller commits. Safe to repeat: the same inputs give bit-equal rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.identity import canonical_json
from app.core.log import get_logger
from app.predictions.presentations import presentations
from app.scores import queries, verdicts
from app.scores.agents.writing import write_figures
from app.scores.aggregating import ALL, Groups, Marked, Part, aggregate_scopes, scopes_of
from app.scores.ahead import read_predictions
from app.scores.as_published import Placed, score_as_published
from app.scores.comparing import compare_with_others
from app.scores.diagnosing import diagnose_run
from app.scores.episodes import with_steps
from app.scores.expectations import Judged, expectations
from app.scores.grounds import Grounds, read_grounds
from app.scores.grouping import groups_of
from app.scores.judging import judge, lock_run, write_scores
from app.scores.paper_rules import PROFILE, benchmarks_with_rules, find_profile_for
from app.scores.profiles import TRIGPOINT, Profile, all_profiles
from app.scores.score import Outcome, Score
from app.scores.shown import Shown, write_shown
from app.scores.sql_counts import count_sql
from app.scores.standing import LAYOUT, NO_CALLS, read_calls
from app.solvers.random import distributions
from app.solvers.run_kinds import JUDGEMENT

logger = get_logger(__name__)


class Scored(NamedTuple):
    """How many answers were scored, and by what; `locations` is null where there are no published rules."""

    answers: int
    locations: Placed | None
    profile: str = TRIGPOINT.name


def runs_of_old_profile(connection: Connection) -> list[int]:
    """Finished runs whose boards are of an older version of the profile, and so shown as not scored, or lack scopes."""
    of_papers = [(name, find_profile_for(name, PROFILE)) for name in benchmarks_with_rules()]
    found: set[int] = set()
    for benchmark, profile in [*((None, one) for one in all_profiles()), *of_papers]:
        binds = {**profile.version_binds(), "layout": LAYOUT, "benchmark": benchmark}
        found |= set(connection.execute(queries.RUNS_OF_OLD_PROFILE, binds).scalars())
    return sorted(found)


def score_run(
    connection: Connection, run_id: int, grounds: Grounds | None = None, profile: Profile = TRIGPOINT
) -> Scored:
    """Score every answered prediction of the run and renew its aggregates, in one transaction, as the worker role.

    `no_answer` counts 0 without a score row, unless the question cannot be answered and the reply says so. A scope with
    an error or a missing prediction gets no mean, only its counts. What was judged ahead of a first scoring stands. The
    version's expectations are computed with its first run and with every run of `random`. `grounds` are those of the
    run's version, where they were read before, by the same profile.
    Raises NotFound for a run that there is not, ProofError for gold that a scorer cannot read.
    """
    run = lock_run(connection, run_id)
    grounds = grounds or read_grounds(connection, run, profile)
    questions = _asked(run, grounds.questions)
    if run.kind == JUDGEMENT:
        return _score_judge(connection, run, questions)
    predictions = read_predictions(connection, run, profile)
    judged = {row.id: (row.outcome, row.value) for row in predictions if row.outcome is not None}
    left = [row for row in predictions if row.state == "answered" and row.id not in judged]
    scores = {
        row.id: judge(questions[row.question_id], row.answer or "", row.rotation, steps)
        for row, steps in with_steps(connection, left, questions)
    }
    scores |= _right_refusals(predictions, questions)
    write_scores(connection, run_id, profile.name, predictions, questions, scores, profile.gold_key)
    if profile is TRIGPOINT:
        diagnose_run(connection, run_id)
        write_figures(connection, run_id)
    judged |= {number: (score.outcome.value, score.value) for number, score in scores.items()}
    placed = None
    if grounds.published is not None and profile is TRIGPOINT:
        unpublished = [row for row in predictions if not row.stands_as_published]
        placed = score_as_published(connection, grounds.published.answers(run_id, unpublished))
    parts = [question.part for question in questions.values()]
    marks = [mark_prediction(row, judged, questions[row.question_id].part) for row in predictions]
    scopes = _scopes(run, questions, grounds)
    strata = {name: scope.strata for name, scope in grounds.scopes.items()} if run.sample is None else {}
    aggregates = aggregate_scopes(parts, scopes, marks, _owed(run, questions), strata)
    sql = count_sql(parts, [(row.question_id, row.sql) for row in predictions if row.sql])
    public = [part for part in parts if not part.hidden]
    shown = Shown(profile, aggregates, list(zip(predictions, marks)), public, _public(marks, public), sql)
    calls = read_calls(connection, run.id)
    write_shown(connection, run, shown, calls)
    compare_with_others(connection, run, profile, grounds.scopes, grounds.others, shown.compared)
    if grounds.paper is not None and profile is TRIGPOINT:
        by_paper = grounds.paper.read(connection, run, _owed(run, questions))
        write_shown(connection, run, by_paper, calls)
        compare_with_others(
            connection,
            run,
            by_paper.profile,
            grounds.paper.compared,
            grounds.others_by_paper,
            by_paper.compared,
        )
    _renew_expectations(connection, run, profile, list(grounds.questions.values()), grounds.groups)
    answers = sum(row.state == "answered" for row in predictions)
    logger.info("run scored", run=run_id, predictions=len(predictions), answers=answers)
    return Scored(answers, placed, profile.name)


def _public(marks: Sequence[Marked], public: Sequence[Part]) -> list[Marked]:
    told = {part.question_id for part in public}
    return [mark for mark in marks if mark.question_id in told]


def _right_refusals(predictions: Sequence[Row[Any]], questions: Mapping[str, Judged]) -> dict[int, Score]:
    """Scores of replies that give no answer and are right: their questions cannot be answered, and they say so."""
    found = {
        row.id: judge(questions[row.question_id], row.answer or "", row.rotation)
        for row in predictions
        if row.state == "no_answer" and not questions[row.question_id].answerable
    }
    return {number: score for number, score in found.items() if score.outcome is Outcome.CORRECT}


def _score_judge(connection: Connection, run: Row[Any], questions: Mapping[str, Judged]) -> Scored:
    """A judge's run has scores of its own profiles alone, and so stands on no board beside what it marks."""
    answers, names = 0, []
    has_hidden = any(question.part.hidden for question in questions.values())
    calls = NO_CALLS if has_hidden else read_calls(connection, run.id)
    for profile, aggregates in verdicts.score_verdicts(connection, run, questions, _owed(run, questions)):
        write_shown(connection, run, Shown(profile, aggregates), calls)
        answers = sum(aggregates[0].states[state] for state in ("correct", "wrong"))
        names.append(profile.name)
    logger.info("verdicts scored", run=run.id, verdicts=answers)
    return Scored(answers, None, ", ".join(names))


def _asked(run: Row[Any], questions: Mapping[str, Judged]) -> dict[str, Judged]:
    """The questions that the run asks: all of them, or its sample."""
    asked = questions.keys() if run.sample is None else set(run.sample)
    return {name: question for name, question in questions.items() if name in asked}


def _scopes(run: Row[Any], questions: Mapping[str, Judged], grounds: Grounds) -> Mapping[str, Sequence[Part]]:
    """The questions that count in each scope of the run; there is always a whole, though none may count in it."""
    scopes = {ALL: [], **grounds.parts}
    if run.sample is not None:
        parts = [question.part for question in questions.values()]
        asked = [one for one in grounds.traits if one.id in questions]
        scopes = {ALL: [], **scopes_of(parts, groups_of(asked))}
    if run.public_only:
        scopes[ALL] = [part for part in scopes[ALL] if not part.hidden]
    return scopes


def _owed(run: Row[Any], questions: Mapping[str, Judged]) -> dict[str, int]:
    """How many predictions the run owes each question."""
    options = {name: len(question.options or ()) for name, question in questions.items()}
    shown = {count: len(presentations(run.presentation, count)) for count in set(options.values())}
    return {name: run.repeats * shown[count] for name, count in options.items()}


def mark_prediction(prediction: Row[Any], judged: Mapping[int, tuple[str, float]], part: Part) -> Marked:
    """What a prediction came to. A right refusal of a hidden question keeps its state and counts by its value alone.

    Boards give the exact number of replies without an answer. If such a reply to a hidden question were counted as
    correct there, everybody could see that the question cannot be answered.
    """
    state, value = judged.get(prediction.id, (prediction.state, 0.0))
    if part.hidden and prediction.state == "no_answer":
        state = prediction.state
    return Marked(prediction.question_id, state, value)


def _renew_expectations(
    connection: Connection, run: Row[Any], profile: Profile, questions: Sequence[Judged], groups: Groups
) -> None:
    key = {"version_id": run.version_id, "profile": profile.name, "profile_version": profile.version}
    if run.solver != "random" and connection.execute(queries.HAS_EXPECTATIONS, key).scalar_one():
        return
    found = expectations(questions, distributions(connection, run.version_id), groups)
    rows = canonical_json([row._asdict() for row in found])
    connection.execute(queries.UPSERT_EXPECTATIONS, {**key, "rows": rows})
