"""Scores of a run that is still being worked: answers are judged beside the calls, so that little is left at its end.

Reads stored answers and gold, writes score rows, which the run's first scoring lets stand. Who judges first changes no
bit: judging is pure, and rows are keyed by prediction and scorer version.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.identity import canonical_json
from app.scores import queries_ahead as queries
from app.scores.as_published import Answers, place_and_write
from app.scores.episodes import with_steps
from app.scores.grounds import Grounds, read_grounds
from app.scores.judging import judge, lock_run, upsert_scores
from app.scores.paper_rules import PROFILE, find_rules
from app.scores.profiles import TRIGPOINT, Profile
from app.scores.score import Score
from app.solvers.run_kinds import JUDGEMENT


class Ahead:
    """One run, the grounds of its version and how far its answers are judged; `open_ahead` makes it. For one thread."""

    def __init__(self, run: Row[Any], grounds: Grounds) -> None:
        self.run_id: int = run.id
        self.grounds = grounds
        self._questions = grounds.questions
        self._answers = grounds.published and grounds.published.answers(run.id, [])
        self._after = 0

    def score(self, connection: Connection, *, is_last: bool = False) -> int:
        """Judge what was stored since the last call and write its scores; how many. The caller commits.

        Raises ProofError for gold that a scorer cannot read.
        """
        if not is_last:
            # What the server loses of this when it breaks down is judged at the run's end: nobody waits for its disk.
            connection.execute(queries.COMMIT_SOON)
        binds = {"run_id": self.run_id, "after": self._after}
        rows = connection.execute(queries.ANSWERS_AFTER, binds).all()
        if not rows:
            return 0
        self._after = rows[-1].id
        ours, theirs = self._judge(connection, rows)
        upsert_scores(connection, TRIGPOINT.name, rows, self._questions, ours)
        if self._answers is not None:
            place_and_write(connection, self._among(rows), theirs)
        return len(ours)

    def _judge(
        self, connection: Connection, rows: Sequence[Row[Any]]
    ) -> tuple[dict[int, Score], dict[int, Score]]:
        """Scores by our rules and by the published ones, by prediction."""
        ours: dict[int, Score] = {}
        theirs: dict[int, Score] = {}
        known = {} if self._answers is None else self._answers.questions
        for row, steps in with_steps(connection, rows, self._questions):
            # Between two answers the interpreter goes to whoever waits for it: calls come first.
            time.sleep(0)
            ours[row.id] = judge(self._questions[row.question_id], row.answer or "", row.rotation, steps)
            if row.question_id in known:
                theirs[row.id] = judge(known[row.question_id], row.answer or "", row.rotation)
        return ours, theirs

    def _among(self, rows: Any) -> Answers:
        assert self._answers is not None
        known = self._answers.questions
        return replace(self._answers, rows=[row for row in rows if row.question_id in known])


def open_ahead(connection: Connection, run_id: int, known: Grounds | None = None) -> Ahead | None:
    """What is needed to judge a run's answers; None for a judge's run, whose verdicts are scored at its end.

    `known` are grounds that were read before, of whatever version. Ends the transaction. Raises NotFound, ProofError.
    """
    run = lock_run(connection, run_id)
    connection.rollback()
    if run.kind == JUDGEMENT:
        return None
    grounds = known
    if grounds is None or grounds.version_id != run.version_id:
        grounds = read_grounds(connection, run, TRIGPOINT)
    grounds.others.read_ahead(connection, run.version_id, TRIGPOINT, len(grounds.public))
    connection.rollback()
    return Ahead(run, grounds)


def read_predictions(
    connection: Connection, run: Row[Any], profile: Profile = TRIGPOINT
) -> Sequence[Row[Any]]:
    """The run's predictions in the order of its questions, with what stands of them before its first scoring.

    `outcome` and `value` are by the profile, `stands_as_published` tells of the published ones; `answer` is null where
    nothing is left to be judged.
    """
    rules = find_rules(run.benchmark)
    binds = {
        "run_id": run.id,
        "profile": profile.name,
        "gold_key": profile.gold_key,
        "scorers": canonical_json(dict(profile.scorers)),
        "is_published": rules is not None,
        "published": PROFILE,
        "published_version": rules.version if rules else 0,
    }
    return connection.execute(queries.PREDICTIONS_TO_SCORE, binds).all()
