"""Scores of a run that is still being worked: answers are judged beside the calls, so that little is left at its end.

Reads stored answers and gold, writes score rows, which the run's first scoring lets stand. Who judges first changes no
bit: judging is pure, and rows are keyed by prediction and scorer version.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores import queries_ahead as queries
from app.scores.as_published import Answers, place_and_write, read_answers
from app.scores.grounds import Grounds, read_grounds
from app.scores.judging import judge, lock_run, upsert_scores
from app.scores.profiles import TRIGPOINT
from app.scores.published import answers as published
from app.scores.registry import Scorer
from app.scores.score import Score
from app.solvers.judge import JUDGE


class Ahead:
    """One run, the grounds of its version and how far its answers are judged; `open_ahead` makes it. For one thread."""

    def __init__(self, run: Row[Any], grounds: Grounds, answers: Answers | None) -> None:
        self.run_id: int = run.id
        self.grounds = grounds
        self._questions = grounds.questions
        self._answers = answers
        self._after = 0

    def score(self, connection: Connection) -> int:
        """Judge what was stored since the last call and write its scores; how many. The caller commits.

        Raises ProofError for gold that a scorer cannot read.
        """
        binds = {"run_id": self.run_id, "after": self._after}
        rows = connection.execute(queries.ANSWERS_AFTER, binds).all()
        if not rows:
            return 0
        self._after = rows[-1].id
        ours, theirs = self._judge(rows)
        upsert_scores(connection, TRIGPOINT.name, rows, self._questions, ours)
        if self._answers is not None:
            place_and_write(connection, self._among(rows), theirs)
        return len(ours)

    def _judge(self, rows: Any) -> tuple[dict[int, Score], dict[int, Score]]:
        """Scores by our rules and by the published ones, by prediction."""
        ours: dict[int, Score] = {}
        theirs: dict[int, Score] = {}
        for row in rows:
            time.sleep(
                0
            )  # between two answers the interpreter goes to whoever waits for it: calls come first
            ours[row.id] = judge(self._questions[row.question_id], row.answer or "", row.rotation)
            if self._answers is not None:
                theirs |= self._among([row]).judged(published.by_rules)
        return ours, theirs

    def _among(self, rows: Any) -> Answers:
        assert self._answers is not None
        known = self._answers.questions
        return replace(self._answers, rows=[row for row in rows if row.question_id in known])


def open_ahead(connection: Connection, run_id: int) -> Ahead | None:
    """What is needed to judge a run's answers; None for a judge's run, whose verdicts are scored at its end.

    Ends the transaction. Raises NotFound, ProofError.
    """
    run = lock_run(connection, run_id)
    connection.rollback()
    if run.solver == JUDGE:
        return None
    grounds = read_grounds(connection, run.version_id, TRIGPOINT)
    is_published = run.benchmark == published.BENCHMARK
    answers = read_answers(connection, run, [], grounds.questions) if is_published else None
    connection.rollback()
    return Ahead(run, grounds, answers)


class ScoredAhead(NamedTuple):
    """Score rows from before a run's first scoring, by profile and prediction; none where it has a board."""

    rows: Mapping[tuple[str, int], Row[Any]]

    def standing(
        self, profile: str, predictions: Sequence[Row[Any]], scorers: Mapping[str, Scorer]
    ) -> dict[int, tuple[str, float]]:
        """Outcome and value of those predictions whose row was written by the very scorer, in its version."""
        found = {}
        for prediction in predictions:
            row = self.rows.get((profile, prediction.id))
            scorer = scorers.get(prediction.question_id)
            if (
                row is not None
                and scorer is not None
                and (row.scorer, row.scorer_version) == (scorer.name, scorer.version)
            ):
                found[prediction.id] = (row.outcome, row.value)
        return found

    def left_of(self, profile: str, answers: Answers) -> Answers:
        """The answers that are still to be judged under `profile`."""
        scorers = {name: question.scorer for name, question in answers.questions.items()}
        standing = self.standing(profile, answers.rows, scorers)
        return replace(answers, rows=[row for row in answers.rows if row.id not in standing])


def find_scored_ahead(connection: Connection, run_id: int) -> ScoredAhead:
    """What was scored of the run before its first scoring."""
    binds = {"run_id": run_id, "profiles": [TRIGPOINT.name, published.PROFILE]}
    rows = connection.execute(queries.SCORED_AHEAD, binds)
    return ScoredAhead({(row.profile, row.prediction_id): row for row in rows})
