"""Scores submissions: each becomes a run and is scored as all runs are, in one transaction; one after the other."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Fenced, TrigpointError
from app.core.log import get_logger
from app.predictions.submissions import taking
from app.scores.scoring import score_run

logger = get_logger(__name__)


def score_submissions(connection: Connection, clock: Clock, owner: str) -> int:
    """Score all that wait, as the worker role, and commit each; how many there were."""
    taking.give_up(connection, clock.now())
    connection.commit()
    done = 0
    while (claimed := taking.claim(connection, clock.now(), owner)) is not None:
        connection.commit()
        _score(connection, clock, claimed)
        done += 1
    connection.commit()
    return done


def score_at_once(
    connection: Connection,
    clock: Clock,
    owner: str,
    submission_id: int,
    parsed: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Score one that waits in the transaction that added it. The caller commits; raises what scoring raises.

    `parsed` is, by question id, what was read from the answers before they came here.
    """
    claimed = taking.claim(connection, clock.now(), owner, only=submission_id)
    if claimed is not None:
        _make_run(connection, clock, claimed, parsed or {})


def _make_run(
    connection: Connection,
    clock: Clock,
    claimed: taking.Claimed,
    parsed: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    run_id = taking.take(connection, claimed, clock.now())
    taking.keep_parsed(connection, run_id, parsed)
    score_run(connection, run_id)
    taking.finish(connection, claimed, run_id, None, clock.now())


def _score(connection: Connection, clock: Clock, claimed: taking.Claimed) -> None:
    """A fault of ours or of its answers ends it with its reason; one that was withdrawn meanwhile is left alone."""
    try:
        _make_run(connection, clock, claimed)
    except Fenced as reason:
        connection.rollback()
        logger.info("submission left alone", submission=claimed.id, reason=str(reason))
        return
    except TrigpointError as error:
        connection.rollback()
        taking.finish(connection, claimed, None, str(error), clock.now())
        logger.warning("submission failed", submission=claimed.id, reason=str(error))
    connection.commit()
    logger.info("submission done", submission=claimed.id)
