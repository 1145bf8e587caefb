"""Scores of a judge's run: stored verdicts, the answers that they are of, and gold → points, without inference.

Every verdict is scored under two profiles: `judge_pure` takes all marks from the judge, `judge_hybrid` (UrbanGeoEval)
those of the reasoning, and those of answers only where the rubric says so; the others are computed by the question's
own scorer. The value is (reason + answer) / total, so that a mean is the paper's percentage (its Table 8) over 100.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.predictions.costs import Cost, cost_of
from app.scores import queries_verdicts as queries
from app.scores.aggregating import Aggregate, Marked, aggregate
from app.scores.episodes import read_steps
from app.scores.expectations import Judged
from app.scores.judging import judge, write_scores
from app.scores.profiles import TRIGPOINT, VERDICT, Profile, profiles_of, register_profile
from app.scores.registry import EpisodeStep
from app.scores.score import Component, Outcome, Score
from app.scores.withholding import step_of_mean
from app.solvers.judging.reading import READER_VERSION, Unreadable, Verdict, read_verdict
from app.solvers.judging.rubrics import Rubric, find_rubric, rubric_of
from app.solvers.run_kinds import JUDGEMENT

HYBRID = register_profile(
    Profile(
        "judge_hybrid",
        1000 * READER_VERSION + TRIGPOINT.version,
        MappingProxyType({VERDICT: READER_VERSION, **TRIGPOINT.scorers}),
        JUDGEMENT,
    )
)
"""The judge's points for the reasoning, computed ones for answers; its version moves with either's rules."""
PURE = register_profile(
    Profile("judge_pure", READER_VERSION, MappingProxyType({VERDICT: READER_VERSION}), JUDGEMENT)
)
"""All points are the judge's."""
JUDGE_SAYS = "judge"
Steps = Mapping[int, Sequence[EpisodeStep]]


class Points(NamedTuple):
    """The answer's points out of the rubric's maximum, who gave them, and whether there was an answer to read."""

    value: float
    by: str
    attempted: bool = True


@dataclass(frozen=True)
class JudgedRun:
    """What a judge's run came to: `scores` by profile, `tasks` the mean points by rubric and profile.

    Points are of public questions alone. `asked` counts requests, those after a reply that was no verdict, and verdicts
    that were there already.
    """

    run: int
    judged: int
    scores: dict[str, dict[str, Any]]
    tasks: dict[str, dict[str, Any]]
    asked: dict[str, int]
    cost: Cost

    def as_json(self) -> dict[str, Any]:
        """As `run judge --json` prints it."""
        return {
            "judged": self.judged,
            "scores": self.scores,
            "tasks": self.tasks,
            **self.asked,
            **self.cost.as_json(),
        }


def score_verdicts(
    connection: Connection, run: Row[Any], questions: Mapping[str, Judged], owed: Mapping[str, int]
) -> list[tuple[Profile, list[Aggregate]]]:
    """Write the scores of both profiles; the aggregates that follow. The caller commits.

    A verdict that can no longer be read is an error of ours in the counts, and forbids a mean; so is one whose answer
    has gone.
    """
    key = {"run_id": run.id, "judged_run": run.presentation["judging"]["run"]}
    rows = connection.execute(queries.VERDICTS, key).all()
    parts = [
        question.part._replace(graded=True)
        for question in questions.values()
        if not (run.public_only and question.part.hidden)
    ]
    counted = {part.question_id for part in parts}
    steps = _steps_of_judged(connection, rows, questions)
    aggregates = []
    for profile in profiles_of(JUDGEMENT):
        scores = {
            row.id: score
            for row in rows
            if (score := _score(row, questions[row.question_id], profile, steps)) is not None
        }
        scored = _as_scored_by(profile, questions)
        write_scores(connection, run.id, profile.name, rows, scored, scores)
        marks = [_mark(row, scores) for row in rows if row.question_id in counted]
        aggregates.append((profile, aggregate(parts, marks, owed)))
    return aggregates


def judged_run(connection: Connection, run_id: int, judged: int) -> JudgedRun:
    """What a judge's run, scored, came to and cost."""
    key = {"run_id": run_id}
    profiles = profiles_of(JUDGEMENT)
    names, versions = [one.name for one in profiles], [one.version for one in profiles]
    scores = {
        row.profile: {
            "n": row.n,
            "score": row.score,
            "step": step_of_mean(row.hidden, row.n) if row.n == row.questions else None,
            "low": row.low,
            "high": row.high,
        }
        for row in connection.execute(queries.OVERALL, key)
    }
    tasks: dict[str, dict[str, Any]] = {}
    points = connection.execute(queries.MEAN_POINTS, key | {"profiles": names, "versions": versions})
    for row in points:
        rubric = find_rubric(row.rubric)
        task = tasks.setdefault(row.rubric, {"n": row.n, "reason": row.reason, "maximum": rubric.total})
        task[row.profile] = row.answer
    asked = connection.execute(queries.ASKED, key).one()._asdict()
    return JudgedRun(run_id, judged, scores, tasks, asked, cost_of(connection, run_id))


def _as_scored_by(profile: Profile, questions: Mapping[str, Judged]) -> dict[str, Judged]:
    """The questions with the scorer that the rows of a profile name."""
    return {
        name: question._replace(scorer=replace(question.scorer, name=VERDICT, version=profile.version))
        for name, question in questions.items()
    }


def score_verdict(verdict: Verdict, rubric: Rubric, answer: Points) -> Score:
    """The score of a verdict whose answer has these points; `correct` where nothing is lacking."""
    points = verdict.reason + answer.value
    components = {
        name: Component(mark, rubric.criteria[name].maximum, True) for name, mark in verdict.criteria.items()
    }
    components["reason"] = Component(verdict.reason, rubric.reason, True)
    components["answer"] = Component(answer.value, rubric.answer.maximum, answer.attempted)
    parsed = {
        "faults": [fault._asdict() for fault in verdict.faults],
        "clamped": list(verdict.clamped),
        "lowered": list(verdict.lowered),
        "answer_by": answer.by,
    }
    value = min(1.0, points / rubric.total)
    return Score(Outcome.CORRECT if value == 1.0 else Outcome.WRONG, value, components, parsed)


def _steps_of_judged(
    connection: Connection, verdicts: Sequence[Row[Any]], questions: Mapping[str, Judged]
) -> Steps:
    """The steps of the judged answers whose scorers ask for them, by the id of the judged prediction."""
    asking = [
        row.judged_id
        for row in verdicts
        if row.judged_id is not None and questions[row.question_id].scorer.judge_episode is not None
    ]
    return read_steps(connection, asking)


def computed_points(
    question: Judged, rubric: Rubric, answer: str, rotation: int, steps: Sequence[EpisodeStep] = ()
) -> Points:
    """The answer's points by the question's own scorer."""
    score = judge(question, answer, rotation, steps)
    by = f"{question.scorer.name} {question.scorer.version}"
    return Points(score.value * rubric.answer.maximum, by, score.outcome is not Outcome.UNPARSEABLE)


def _score(row: Row[Any], question: Judged, profile: Profile, steps: Steps) -> Score | None:
    """The score of one verdict under a profile; None where there is none to read."""
    if row.state != "answered" or row.judged_answer is None:
        return None
    rubric = rubric_of(question.gold)
    verdict = read_verdict(row.answer, rubric)
    if isinstance(verdict, Unreadable):
        return None
    if profile.name == PURE.name or rubric.answer.judged:
        points = Points(verdict.answer, JUDGE_SAYS)
    else:
        own = steps.get(row.judged_id, ())
        points = computed_points(question, rubric, row.judged_answer, row.rotation, own)
    score = score_verdict(verdict, rubric, points)
    return replace(score, parsed={**score.parsed, "judged": row.judged_id})


def _mark(row: Row[Any], scores: Mapping[int, Score]) -> Marked:
    score = scores.get(row.id)
    if score is not None:
        return Marked(row.question_id, score.outcome.value, score.value)
    return Marked(row.question_id, "error" if row.state == "answered" else row.state, 0.0)
