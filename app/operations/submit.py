"""Answers that were computed elsewhere: checked, stored, and scored as a run."""

from dataclasses import dataclass
from typing import Any, BinaryIO

from sqlalchemy import Engine

from app.core.clock import Clock, SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.states import Result, read_result
from app.predictions.submissions.importing import Source
from app.predictions.submissions.storing import (
    Submission,
    Taken,
    add_submission,
    begin_writing,
    check_answers,
    question_ids,
    read_submission,
)
from app.questions.versions import find_version
from app.scores.submitted import score_at_once

OWNER = "the command line"


@dataclass(frozen=True)
class SubmissionRequest:
    """Answers to a data set version, in which form they come, and what is said of who made them."""

    dataset: str
    answers: BinaryIO
    card: dict[str, Any]
    source: Source = "answers"


@dataclass(frozen=True)
class ScoredSubmission:
    """A submission that was scored at once, and its result."""

    taken: Taken
    answers: int
    version: str
    submission: Submission
    result: Result | None


def submit_and_score(
    settings: Settings, request: SubmissionRequest, *, self_reported: bool
) -> ScoredSubmission:
    """Check the answers, store and score them in one transaction. The same again is the same submission.

    Raises NotFound, BadSubmission where answers lack or are not well formed, OSError where they cannot be read.
    """
    with connect(settings, Role.WORKER) as connection:
        version = find_version(connection, request.dataset)
        file = request.answers
        checked = check_answers(
            version, question_ids(connection, version), file, request.card, request.source
        )
        now = SystemClock().now()
        taken = add_submission(connection, version, checked, file, now, self_reported=self_reported)
        score_at_once(connection, SystemClock(), OWNER, taken.id)
        connection.commit()
        found = read_submission(connection, taken.id, None, SystemClock().now())
        result = None if found.run is None else read_result(connection, found.run)
    return ScoredSubmission(taken, checked.answers, version.reference, found, result)


def accept_submission(
    engine: Engine, request: SubmissionRequest, key_id: int, clock: Clock
) -> tuple[Submission, bool]:
    """Check the answers and store them for a worker to score; the submission, and whether it is new.

    Raises NotFound, BadSubmission where answers lack or are not well formed.
    """
    with engine.connect() as connection:
        version = find_version(connection, request.dataset)
        ids = question_ids(connection, version)
    # No connection is held while the answers are read.
    checked = check_answers(version, ids, request.answers, request.card, request.source)
    now = clock.now()
    with engine.connect() as connection:
        begin_writing(connection)
        taken = add_submission(connection, version, checked, request.answers, now, key_id=key_id)
        found = read_submission(connection, taken.id, key_id, now)
        connection.commit()
    return found, taken.was == "new"
