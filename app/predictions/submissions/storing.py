"""Submissions: taken from a file that was checked, read, withdrawn, deleted. Writes submission and submission_answer.

Works as the role api as well as worker: both go in by one function of the database, and neither reads an answer there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.access.audit import Actor, note
from app.core.errors import BadSubmission, Conflict, NotFound, TooMany
from app.core.identity import canonical_json
from app.core.names import normal_form
from app.core.strict_json import shown_name
from app.core.words import look_of
from app.db.copying import copy_rows
from app.db.tables import SCHEMA
from app.predictions.submissions import queries
from app.predictions.submissions.card import Card, GivenCard
from app.predictions.submissions.checking import Checker, SubmittedAnswer, merged_card
from app.predictions.submissions.forms import foreign_form
from app.predictions.submissions.importing import READERS, Source
from app.questions.versions import PublishedVersion
from app.solvers.names import SOLVERS
from app.solvers.not_knowing import gives_none

MOST_A_DAY = 20
"""Submissions of one owner that count within a day; failed ones do not."""
MOST_HIDDEN = 10
"""Submissions of an owner to a data set that count its hidden questions within HIDDEN_FOR: each tells a stepped sum."""
HIDDEN_FOR = timedelta(days=60)
PATIENCE = timedelta(hours=1)
"""How long one may wait for a worker before it counts as overdue."""
OVERDUE = "it is overdue: ask whoever keeps this service whether a worker lives; it is scored once one does"
OUR_MARKS = (
    "self-reported",
    "run by us",
    "guided",
    "rotated",
    "sample",
    "incomplete",
    "running",
    "no rank",
    "not ranked",
)
"""What the service itself writes in brackets behind names on boards, or might be taken to have written."""
UNFIT_SESSIONS = {
    "unknown": "there is no such session of yours: name the session that your key opened for this question",
    "other": "its session was opened for another question, or another version: name the one of this question",
    "used": "its session counts for an answer that was submitted before: open a session for each answer",
    "twice": "its session is named by another answer, too: open a session for each answer",
    "tools": "its session has another set of tools than those before it: submit each set of tools by itself",
}
"""Why an answer cannot name a session, by the fault that the database finds."""
State = Literal["waiting", "scoring", "scored", "failed", "withdrawn", "deleted"]
NEXT: dict[State, str] = {
    "waiting": "wait until a worker scores it; if none is running, maintainers start one with `trigpoint worker`",
    "scoring": "its scores are being computed; nothing is to be done",
    "scored": "read the board, or withdraw it",
    "failed": "correct what the error says and submit again; it does not count for the quota",
    "withdrawn": "submit again, or delete it",
    "deleted": "nothing: it is gone",
}


class LogLine(BaseModel):
    """What happened to a submission."""

    at: datetime
    said: str


class Submission(BaseModel):
    """A submission and where it stands; never its contact."""

    model_config = ConfigDict(frozen=True)

    submission: int
    dataset: str = Field(examples=["demo_knowledge@1"])
    name: str
    card: Card | None = Field(description="null once it is deleted")
    self_reported: bool
    source: Source
    answers: int
    repeats: int
    public_only: bool = Field(
        description="whether its score counts only public questions, and has no rank: submissions of its owner that"
        " count hidden ones, too, are used up for a while"
    )
    state: State
    next: str = Field(description="what happens next, and what you can do")
    before: int | None = Field(
        description="number of submissions that are scored before it; null unless it waits"
    )
    age_seconds: float
    deadline: datetime | None = Field(
        description="the time until which it may stay in its state; null at the end"
    )
    run: int | None = Field(description="the run that holds its answers, once it is scored")
    error: str | None
    log: list[LogLine]
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class Checked:
    """Answers that are complete and well formed, and may be stored; `source` is whose form they came in."""

    source: Source
    card: GivenCard
    answers: int
    repeats: int
    digest: str


@dataclass(frozen=True)
class Taken:
    """A submission that is stored; `was` tells whether it was before."""

    id: int
    was: Literal["new", "same"]


def question_ids(connection: Connection, version: PublishedVersion) -> Sequence[str]:
    """The ids of all questions of a version, the hidden ones too, in its order."""
    return connection.execute(queries.QUESTION_IDS, {"version_id": version.id}).scalars().all()


def check_answers(
    version: PublishedVersion,
    ids: Sequence[str],
    file: BinaryIO,
    card: dict[str, Any],
    source: Source = "answers",
) -> Checked:
    """What the file holds, where each of the `ids` has its answers; `card` counts before the card in the file.

    Raises BadSubmission with the first faults, UsageError for the card.
    """
    checker = Checker(version.reference, ids)
    if (said := foreign_form(file, source, frozenset(ids))) is not None:
        raise BadSubmission(1, [(None, said)])
    hashed = sha256()
    for answer in _answers(checker, file, source):
        hashed.update(answer.hashed_text().encode())
    checker.finish()
    merged = merged_card(checker.card, card, version.reference)
    return Checked(source, merged, checker.answers, checker.repeats, hashed.hexdigest())


def begin_writing(connection: Connection) -> None:
    """What comes first in a transaction of the api role that adds or ends a submission."""
    connection.execute(queries.WRITE)


def add_submission(
    connection: Connection,
    version: PublishedVersion,
    checked: Checked,
    file: BinaryIO,
    now: datetime,
    *,
    key_id: int | None = None,
    self_reported: bool = True,
) -> Taken:
    """Store it with the answers of `file`, which was checked. The caller commits, and wakes a worker.

    The same again is the submission that there is. Raises Conflict for a name of somebody else's, or that looks like
    one, TooMany.
    """
    values = {
        "version_id": version.id,
        "key_id": key_id,
        "label": checked.card.name,
        "card": canonical_json(checked.card.public().model_dump(mode="json")),
        "contact": checked.card.contact,
        "self_reported": self_reported,
        "source": checked.source,
        "digest": checked.digest,
        "answers": checked.answers,
        "repeats": checked.repeats,
        "most_a_day": MOST_A_DAY,
        "most_hidden": MOST_HIDDEN,
        "hidden_for": HIDDEN_FOR,
        "now": now,
        "deadline": now + PATIENCE,
    }
    row = connection.execute(queries.ADD, values).one()
    if row.outcome == "name_taken":
        raise Conflict(
            f"Somebody else has submitted {checked.card.name!r} to {version.reference}: choose another name."
        )
    if row.outcome == "quota":
        raise TooMany(
            f"You have submitted {MOST_A_DAY} times within a day, with whatever key; try again tomorrow.",
            retry_after=3600.0,
        )
    if row.outcome == "same":
        return Taken(row.id, "same")
    _check_look(connection, version, row.id, checked.card.name, self_reported=self_reported)
    checker = _copy_answers(connection, version, row.id, file, checked.source)
    _claim_sessions(connection, row.id, key_id, checker)
    return Taken(row.id, "new")


def _check_look(
    connection: Connection, version: PublishedVersion, submission_id: int, name: str, *, self_reported: bool
) -> None:
    """Raise Conflict where readers would take the name for that of somebody else, or of a run made here.

    It comes after the submission is stored, so that of two that are sent at once the second sees the first.
    """
    binds = {"version_id": version.id, "submission_id": submission_id}
    for other in (*SOLVERS, *connection.execute(queries.OTHER_NAMES, binds).scalars()):
        is_equal = normal_form(other) == normal_form(name)
        is_taken = not is_equal or (other in SOLVERS and self_reported)
        if is_taken and look_of(other) == look_of(name):
            raise Conflict(
                f"{shown_name(name)} looks like {shown_name(other)}, which is another's name on the board of"
                f" {version.reference}: choose a name that nobody can take for it."
            )
    mark = next((one for one in OUR_MARKS if look_of(name).endswith(look_of(f"({one})"))), None)
    if self_reported and mark is not None:
        raise Conflict(
            f"{shown_name(name)} ends in ({mark}), which only this service writes: choose another name."
        )


def read_submission(
    connection: Connection, submission_id: int, key_id: int | None, now: datetime
) -> Submission:
    """A submission of that key, or anybody's where it is None. Raises NotFound."""
    row = connection.execute(queries.READ, {"submission_id": submission_id}).one_or_none()
    if row is None or (key_id is not None and row.key_id != key_id):
        raise no_submission(submission_id)
    return _submission(row, now)


def list_submissions(
    connection: Connection, key_id: int | None, before: int, limit: int, now: datetime
) -> list[Submission]:
    """At most `limit` submissions of that key, or of all, made before the one numbered `before`; the newest first."""
    rows = connection.execute(queries.LIST, {"key_id": key_id, "before": before, "limit": limit})
    return [_submission(row, now) for row in rows]


def end_submission(
    connection: Connection, submission_id: int, key_id: int | None, now: datetime, *, forget: bool
) -> None:
    """Take it off the boards, or `forget` all of it, its answers and its contact too. The caller commits.

    Raises NotFound for none, for another key's, and for one that is deleted.
    """
    binds = {"submission_id": submission_id, "key_id": key_id, "forget": forget, "now": now}
    if not connection.execute(queries.END, binds).scalar_one():
        raise no_submission(submission_id)


def end_on_record(
    connection: Connection, submission_id: int, who: Actor, now: datetime, *, forget: bool
) -> Submission:
    """The same for a maintainer, whoever's it is, with a line in the record. The caller commits. Raises NotFound."""
    end_submission(connection, submission_id, None, now, forget=forget)
    note(
        connection,
        who,
        f"submission.{'delete' if forget else 'withdraw'}",
        f"submission {submission_id}",
        now,
    )
    return read_submission(connection, submission_id, None, now)


def no_submission(submission_id: int) -> NotFound:
    """The error for a submission that there is not, or is another's."""
    return NotFound(f"There is no submission {submission_id} of yours.")


def _answers(checker: Checker, file: BinaryIO, source: Source) -> Iterator[SubmittedAnswer]:
    file.seek(0)
    return checker.answers_of(READERS[source](file))


def _copy_answers(
    connection: Connection, version: PublishedVersion, submission_id: int, file: BinaryIO, source: Source
) -> Checker:
    """Store the answers; what read them, which knows their lines."""
    checker = Checker(version.reference, question_ids(connection, version))
    rows = (
        (
            submission_id,
            one.id,
            one.repeat,
            one.answer,
            one.answer is None or gives_none(one.answer),
            one.session,
            None if one.usage is None else canonical_json(one.usage),
        )
        for one in _answers(checker, file, source)
    )
    copy_rows(
        connection,
        SCHEMA,
        "submission_answer",
        ("submission_id", "question_id", "repeat", "answer", "silent", "session_id", "usage"),
        rows,
    )
    return checker


def _claim_sessions(connection: Connection, submission_id: int, key_id: int | None, checker: Checker) -> None:
    """Have each session that an answer names belong to the submission. Raises BadSubmission where one cannot."""
    binds = {"submission_id": submission_id, "key_id": key_id}
    for row in connection.execute(queries.CLAIM_SESSIONS, binds):
        checker.faults.add(checker.line_of(row.question_id, row.repeat), UNFIT_SESSIONS[row.fault])
    checker.faults.refuse()


def _submission(row: Row[Any], now: datetime) -> Submission:
    return Submission(
        submission=row.id,
        dataset=row.dataset,
        name=row.label,
        card=Card.model_validate(row.card) if row.card else None,
        self_reported=row.self_reported,
        source=row.source,
        answers=row.answers,
        repeats=row.repeats,
        public_only=row.public_only,
        state=row.state,
        next=OVERDUE if row.state == "waiting" and row.deadline < now else NEXT[row.state],
        before=row.before,
        age_seconds=round((now - row.created_at).total_seconds(), 1),
        deadline=row.deadline,
        run=row.run_id,
        error=row.error,
        log=[LogLine.model_validate(line) for line in row.log],
        created_at=row.created_at,
        finished_at=row.finished_at,
    )
