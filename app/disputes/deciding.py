"""Deciding a dispute: its proof and the answers given are shown to maintainers; an erratum is published, or none.

An accepted dispute, its erratum, the runs that are carried over and their scores are one transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row

from app.access.audit import Actor, note
from app.core.clock import Clock
from app.core.errors import Conflict
from app.db.engine import use_service_tables
from app.disputes import queries
from app.disputes.models import Dispute, Disputed, GivenAnswer, NewDecision
from app.disputes.opening import dispute_of, no_dispute
from app.predictions.carrying import CarriedRun, carry_runs
from app.predictions.submissions.taking import SUBMITTED
from app.questions.errata import Change, lock_newest, publish_erratum
from app.questions.programs import MapRouters
from app.questions.rederiving import Correction, rederive
from app.questions.stored import load_questions
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from app.scores.carrying import score_carried
from app.scores.profiles import default_profile
from app.solvers import find_solver

READS_GOLD = "its solver reads gold, which has changed: evaluate it on the new version"


@dataclass(frozen=True)
class Decided:
    """A decision; of an accepted dispute also the new version, what was settled with it, and what became of runs."""

    dispute: Dispute
    settled: list[int]
    runs: list[CarriedRun]

    def as_json(self) -> dict[str, Any]:
        """As `dispute decide --json` prints it."""
        return {
            **self.dispute.model_dump(mode="json"),
            "settled": self.settled,
            "runs": [one._asdict() for one in self.runs],
        }


def read_whole(connection: Connection, dispute_id: int) -> Dispute:
    """A dispute with what was decided, of hidden questions too; for maintainers. Raises NotFound."""
    row = connection.execute(queries.READ_WHOLE, {"dispute_id": dispute_id}).one_or_none()
    if row is None:
        raise no_dispute(dispute_id)
    return dispute_of(row)


def read_disputed(connection: Connection, dispute_id: int) -> Disputed:
    """A dispute with gold, proof, and what finished runs answered; for maintainers. Raises NotFound."""
    found = read_whole(connection, dispute_id)
    binds = {"dispute_id": dispute_id}
    proof = connection.execute(queries.PROOF, binds).one()
    rows = connection.execute(queries.ANSWERS, {**binds, "profile": default_profile().name})
    answers = [GivenAnswer(**row._mapping) for row in rows]
    return Disputed(dispute=found, answers=answers, **proof._mapping)


def check_open(connection: Connection, dispute_id: int) -> None:
    """Lock a dispute that is to be decided. Raises NotFound, Conflict for one that is closed, or just being decided."""
    _lock_open(connection, dispute_id)
    under_way = connection.execute(queries.ERRATUM_UNDER_WAY, {"dispute_id": dispute_id}).scalar_one()
    if under_way is not None:
        raise Conflict(f"Dispute {dispute_id} is being decided by job {under_way}.")


def decide(
    connection: Connection,
    dispute_id: int,
    given: NewDecision,
    actor: Actor,
    clock: Clock,
    routers: MapRouters | None = None,
) -> Decided:
    """Decide an open dispute, as the worker; a rejection as the maintainer, too. The caller commits.

    Raises NotFound, Conflict where it is closed, or where nothing can be put right.
    """
    if given.verdict == "reject":
        return _reject(connection, dispute_id, given, actor, clock.now())
    return _accept(connection, dispute_id, given, actor, clock, routers)


def _reject(
    connection: Connection, dispute_id: int, given: NewDecision, actor: Actor, now: datetime
) -> Decided:
    _lock_open(connection, dispute_id)
    binds = {"dispute_id": dispute_id, "words": given.text, "key_id": actor.key_id, "now": now}
    connection.execute(queries.REJECT, binds)
    note(connection, actor, "dispute.reject", f"dispute {dispute_id}", now)
    return Decided(read_whole(connection, dispute_id), [], [])


def _accept(
    connection: Connection,
    dispute_id: int,
    given: NewDecision,
    actor: Actor,
    clock: Clock,
    routers: MapRouters | None,
) -> Decided:
    disputed = connection.execute(queries.DISPUTED, {"dispute_id": dispute_id}).one_or_none()
    if disputed is None:
        raise no_dispute(dispute_id)
    # The data set before the dispute: whoever has the first may wait for the second, never the other way round.
    base, recipe = lock_newest(connection, disputed.version_id)
    row = _lock_open(connection, dispute_id)
    _check_stands(connection, row, base)
    correction = None
    if given.verdict == "correct":
        (question,) = load_questions(connection, base, [row.question_id])
        correction = rederive(connection, question, routers)
    change = Change(row.question_id, row.reason, dispute_id, correction)
    erratum = publish_erratum(connection, base, recipe, change, clock)
    if correction is not None:
        _prove(connection, erratum, correction, routers)
    return _settle(connection, row, given, actor, base, erratum, clock.now())


def _settle(
    connection: Connection,
    row: Row[Any],
    given: NewDecision,
    actor: Actor,
    base: PublishedVersion,
    erratum: PublishedVersion,
    now: datetime,
) -> Decided:
    """Close the dispute, and all others of the question; carry over and score the runs of the version before."""
    outcome: Literal["voided", "corrected"] = "voided" if given.verdict == "void" else "corrected"
    binds = {
        "version_id": row.version_id,
        "question_id": row.question_id,
        "words": given.text,
        "key_id": actor.key_id,
        "outcome": outcome,
        "erratum_id": erratum.id,
        "now": now,
    }
    settled = sorted(connection.execute(queries.ACCEPT, binds).scalars())
    runs = carry_runs(connection, base.id, erratum.id, _refusal(outcome), now)
    for one in runs:
        if one.carried is not None:
            score_carried(connection, one.run, one.carried)
    told = {"outcome": outcome, "erratum": erratum.reference, "question": row.question_id}
    note(connection, actor, "dispute.accept", f"dispute {row.id}", now, told)
    return Decided(read_whole(connection, row.id), settled, runs)


def _refusal(outcome: str) -> Callable[[str], str | None]:
    """Why a solver's answers may not stand: where gold has changed, those that were read from it."""

    def refuse(solver: str) -> str | None:
        if outcome == "voided" or solver == SUBMITTED:
            return None
        return READS_GOLD if "gold" in find_solver(solver).reads else None

    return refuse


def _lock_open(connection: Connection, dispute_id: int) -> Row[Any]:
    row = connection.execute(queries.LOCK, {"dispute_id": dispute_id}).one_or_none()
    if row is None:
        raise no_dispute(dispute_id)
    if row.state != "open":
        raise Conflict(f"Dispute {dispute_id} is {row.state} already: nothing is left to be decided.")
    return row


def _check_stands(connection: Connection, row: Row[Any], base: PublishedVersion) -> None:
    """Raise Conflict where the newest version asks the question no longer, or otherwise."""
    binds = {"version_id": row.version_id, "question_id": row.question_id, "newest_id": base.id}
    if not connection.execute(queries.STANDS, binds).scalar_one():
        raise Conflict(
            f"{base.reference}, the newest version, asks this question no longer, or otherwise: nothing is to be put "
            "right. Reject the dispute, and say so."
        )


def _prove(
    connection: Connection, erratum: PublishedVersion, correction: Correction, routers: MapRouters | None
) -> None:
    """Raise Conflict where `trigpoint verify` would find the corrected question at fault."""
    found = verify(connection, load_questions(connection, erratum, [correction.id]), lambda _: None, routers)
    use_service_tables(connection)
    if not found.proved:
        faults = "; ".join(f"{one.path}: expected {one.expected}, got {one.got}" for one in found.failures)
        raise Conflict(f"Question {correction.id} is not proved once it is corrected ({faults}).")
