"""What others do with a draft: a second person answers without seeing the key; where the two differ, a third decides.

Callers commit. Only questions on which two people agree, or a third has decided, are published.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from app.access.keys import Caller
from app.core.errors import Conflict, NotAllowed, UsageError
from app.reviews.agreement import Agreement, agree
from app.workbench import queries
from app.workbench.records import NO_OPTION, Draft, State, read_draft
from app.workbench.typed import LONGEST_NOTE, read_text


def answer_draft(
    connection: Connection, caller: Caller, id_: str, seen: int, choice: int, note: str, now: datetime
) -> State:
    """Keep the second person's answer; what the draft is now: agreed, or disputed.

    Raises NotAllowed for the author, Conflict where the draft does not wait for an answer or was changed since.
    """
    draft = _for_answer(connection, caller, id_, seen, "waiting")
    _check_choice(draft, choice)
    state: State = "agreed" if choice == draft.key else "disputed"
    _keep(connection, draft, caller, "second", choice, note, now)
    _settle(connection, draft, state, draft.key, now)
    return state


def decide_draft(
    connection: Connection, caller: Caller, id_: str, seen: int, choice: int | None, note: str, now: datetime
) -> State:
    """Keep a third person's decision: the option that is right, or None, which drops the question; what it is now.

    Raises NotAllowed for who wrote or answered it, Conflict where the draft is not disputed or was changed since.
    """
    draft = _for_answer(connection, caller, id_, seen, "disputed")
    second = draft.given_now("second")
    if second is not None and second.key_id == caller.first_id:
        raise NotAllowed("You answered this question: somebody else decides.")
    if choice is not None:
        _check_choice(draft, choice)
    _keep(connection, draft, caller, "adjudication", choice, note, now)
    state: State = "dropped" if choice is None else "agreed"
    _settle(connection, draft, state, draft.key if choice is None else choice, now)
    return state


def agreement_of(drafts: Sequence[Draft]) -> Agreement | None:
    """How far authors and second people agree on the questions of which there are both; None where there is none.

    Of each question the first answer counts; an option is told by its place.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for draft in drafts:
        first = next((one for one in draft.given if one.kind == "second"), None)
        if first is not None and first.choice is not None:
            pairs[str(first.author_key), str(first.choice)] += 1
    return agree(pairs) if pairs else None


def _for_answer(connection: Connection, caller: Caller, id_: str, seen: int, state: State) -> Draft:
    draft = read_draft(connection, id_, for_update=True)
    if draft.author_id == caller.first_id:
        raise NotAllowed("You wrote this question: somebody else answers it.")
    if draft.state != state or draft.revision != seen:
        raise Conflict(
            "The question was changed since this page was loaded. Load it again; nothing was stored."
        )
    return draft


def _check_choice(draft: Draft, choice: int) -> None:
    if not NO_OPTION <= choice < len(draft.options):
        raise UsageError("Choose one of the options.")


def _keep(
    connection: Connection,
    draft: Draft,
    caller: Caller,
    kind: str,
    choice: int | None,
    note: str,
    now: datetime,
) -> None:
    values = {
        "draft_id": draft.id,
        "kind": kind,
        "content_hash": draft.content_hash,
        "author_key": draft.key,
        "key_id": caller.first_id,
        "choice": choice,
        "note": read_text(note, "The note", LONGEST_NOTE),
        "now": now,
    }
    connection.exec_driver_sql(queries.INSERT_ANSWER, values)


def _settle(connection: Connection, draft: Draft, state: State, key: int | None, now: datetime) -> None:
    values = {"id": draft.id, "state": state, "key": key, "content_hash": draft.content_hash, "now": now}
    connection.exec_driver_sql(queries.SET_STATE, values)
