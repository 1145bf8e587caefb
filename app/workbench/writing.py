"""What an author does with a draft: begins it, saves it, pins results, hands it in. Each function changes one draft.

Callers commit. A form names the revision that it was filled in on: where somebody, or another tab, has changed the
draft since, nothing is changed. So of two tabs none overwrites what the other saved.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.access.keys import Caller
from app.agent_tools.calling import TOOLS_VERSION, ToolAnswer
from app.core.errors import Conflict, NotAllowed, UsageError
from app.core.identity import digest
from app.core.names import bare_form
from app.db.naming import snapshot_reference
from app.questions.gold import NO_ANSWER
from app.questions.records import SnapshotRef
from app.workbench import queries
from app.workbench.forms import WrittenForm, find_form
from app.workbench.records import Draft, State, read_draft
from app.workbench.typed import Typed

FEWEST_OPTIONS = 2
MOST_PINS = 30


class Called(NamedTuple):
    """A call that was made for an author: its arguments as they were sent, and the answer."""

    arguments: Mapping[str, Any]
    answer: ToolAnswer


class Printed(NamedTuple):
    """A result as evidence: a hash of all of it, and its printed lines."""

    result_hash: str
    lines: Sequence[str]
    tools_version: int = TOOLS_VERSION


class Stale(Conflict):
    """The draft was changed since the form was filled in."""


def begin_draft(
    connection: Connection,
    caller: Caller,
    form: WrittenForm,
    dataset: str,
    snapshot: SnapshotRef,
    now: datetime,
) -> str:
    """A new draft that the caller writes; its id.

    Raises Conflict where the data set's name belongs to questions of another kind, or its drafts stand on another map.
    """
    connection.exec_driver_sql(queries.LOCK_DATASET, {"dataset": dataset})
    _refuse_other_kinds(connection, dataset)
    binds = {"dataset": dataset, "snapshot_id": snapshot.id, "benchmark": form.benchmark}
    row = connection.exec_driver_sql(queries.OTHER_MAP, binds).one_or_none()
    if row is not None:
        there = snapshot_reference(row.snapshot_name, row.data_timestamp)
        raise Conflict(
            f"The drafts of {dataset} are questions of {row.benchmark} on {there}: a data set stands on one map. "
            f"Choose that map, or refresh {dataset} to a newer one first (`trigpoint refresh {dataset} --snapshot …`)."
        )
    id_ = secrets.token_hex(8)
    begun = {"id": id_, "author_id": caller.first_id, "class": next(iter(form.classes)), "now": now}
    connection.exec_driver_sql(queries.INSERT_DRAFT, {**binds, **begun})
    return id_


def save_draft(
    connection: Connection, caller: Caller, id_: str, seen: int, typed: Typed, now: datetime
) -> int:
    """Keep what the author typed; the draft's revision, which is as before where nothing differs.

    Raises NotAllowed for somebody else's draft, Stale, Conflict for one that is handed in.
    """
    draft = _for_change(connection, caller, id_, seen, ("writing", "flagged"))
    before = Typed(draft.class_, draft.dimension, draft.question, tuple(draft.options), draft.key)
    if typed == before:
        return draft.revision
    values = {
        "id": id_,
        "class": typed.class_,
        "dimension": typed.dimension,
        "question": typed.question,
        "options": Jsonb(list(typed.options)),
        "key": typed.key,
        "now": now,
    }
    connection.exec_driver_sql(queries.SAVE, values)
    return draft.revision + 1


def pin_result(
    connection: Connection,
    caller: Caller,
    id_: str,
    seen: int,
    called: Called,
    now: datetime,
) -> None:
    """Put a tool's result into the draft's context. Raises as `save_draft`, and Conflict where it is too much."""
    draft = _for_change(connection, caller, id_, seen, ("writing",))
    form = find_form(draft.benchmark)
    pin = print_answer(form, called.answer)
    if any(one.result_hash == pin.result_hash and one.lines == pin.lines for one in draft.evidence):
        raise Conflict("This result is in the context already.")
    words = draft.words + sum(len(line.split()) for line in pin.lines)
    if words > form.most_words or len(draft.evidence) >= MOST_PINS:
        raise Conflict(
            f"The context would have {words:,} words in {len(draft.evidence) + 1} results; at most {form.most_words:,} "
            f"words in {MOST_PINS} results are allowed. Unpin what the question does not need."
        )
    values = {
        "draft_id": id_,
        "tool": called.answer.tool,
        "arguments": Jsonb(dict(called.arguments)),
        "snapshot_id": draft.snapshot_id,
        "tools_version": pin.tools_version,
        "result_hash": pin.result_hash,
        "lines": Jsonb(list(pin.lines)),
        "now": now,
    }
    connection.exec_driver_sql(queries.INSERT_EVIDENCE, values)
    connection.exec_driver_sql(queries.TOUCH, {"id": id_, "now": now})


def unpin_result(
    connection: Connection, caller: Caller, id_: str, seen: int, evidence_id: int, now: datetime
) -> None:
    """Take a result out of the context; it stays stored. Raises as `save_draft`."""
    _for_change(connection, caller, id_, seen, ("writing",))
    connection.exec_driver_sql(queries.REMOVE_EVIDENCE, {"draft_id": id_, "id": evidence_id, "now": now})
    connection.exec_driver_sql(queries.TOUCH, {"id": id_, "now": now})


def take_newer(connection: Connection, caller: Caller, id_: str, seen: int, now: datetime) -> None:
    """Tell in the context what the calls give on the newer map; a call that gives nothing there is unpinned.

    The draft is being written again. Raises as `save_draft`.
    """
    _for_change(connection, caller, id_, seen, ("flagged",))
    connection.exec_driver_sql(queries.REMOVE_FAULTY, {"draft_id": id_, "now": now})
    connection.exec_driver_sql(queries.TAKE_NEWER, {"draft_id": id_})
    _set_state(connection, read_draft(connection, id_), "writing", now)


def hand_in(connection: Connection, caller: Caller, id_: str, seen: int, now: datetime) -> None:
    """Give the question to a second person. Raises as `save_draft`, and UsageError naming all that is missing."""
    draft = _for_change(connection, caller, id_, seen, ("writing",))
    missing = what_is_missing(draft)
    if missing:
        raise UsageError("The question cannot be handed in yet. " + " ".join(missing))
    _set_state(connection, draft, "waiting", now, draft.hash())


def take_back(connection: Connection, caller: Caller, id_: str, seen: int, now: datetime) -> None:
    """Write on; what others answered counts no more unless the question is handed in unchanged. As `save_draft`."""
    draft = _for_change(connection, caller, id_, seen, ("waiting", "agreed", "disputed", "dropped"))
    _set_state(connection, draft, "writing", now)


def drop_draft(connection: Connection, caller: Caller, id_: str, seen: int, now: datetime) -> None:
    """Give the question up; its author can take it back. Raises as `save_draft`."""
    draft = _for_change(
        connection, caller, id_, seen, ("writing", "waiting", "agreed", "disputed", "flagged")
    )
    _set_state(connection, draft, "dropped", now)


def what_is_missing(draft: Draft) -> list[str]:
    """Why the question cannot be handed in, a sentence each."""
    forms = [bare_form(text) for text in draft.options]
    checks = {
        "Write the question.": not draft.question,
        f"Give {FEWEST_OPTIONS} options at least.": len(draft.options) < FEWEST_OPTIONS,
        "Two options are alike.": len(set(forms)) < len(forms),
        f"Leave out the option “{NO_ANSWER}”: it is added to every question.": bare_form(NO_ANSWER) in forms,
        "Say which option is right.": draft.key is None,
        "Pin a result at least: it is the evidence.": not draft.evidence,
    }
    return [said for said, is_missing in checks.items() if is_missing]


def print_answer(form: WrittenForm, answer: ToolAnswer) -> Printed:
    """What is kept of an answer."""
    result = answer.result.model_dump(mode="json")
    lines = [line.rstrip() for line in form.print_result(answer.tool, result, answer.sentence)]
    return Printed(digest(answer.tool, result), lines)


def _for_change(
    connection: Connection, caller: Caller, id_: str, seen: int, states: Iterable[State]
) -> Draft:
    """The draft, held until the transaction ends. Raises NotFound, NotAllowed, Stale, Conflict."""
    draft = read_draft(connection, id_, for_update=True)
    if draft.author_id != caller.first_id:
        raise NotAllowed("This draft is somebody else's: only its author changes it.")
    if draft.revision != seen:
        raise Stale(
            "The question was changed since this page was loaded, in another tab or by its reviewers. Nothing of this "
            "page was saved."
        )
    if draft.state not in states:
        raise Conflict(f"The question is {draft.state}, so this cannot be done with it. Load the page again.")
    return draft


def _set_state(
    connection: Connection, draft: Draft, state: State, now: datetime, content_hash: str | None = None
) -> None:
    values = {"id": draft.id, "state": state, "key": draft.key, "content_hash": content_hash, "now": now}
    connection.exec_driver_sql(queries.SET_STATE, values)


def _refuse_other_kinds(connection: Connection, dataset: str) -> None:
    row = connection.exec_driver_sql(queries.FOREIGN_DATASET, {"dataset": dataset}).one_or_none()
    if row is not None:
        raise Conflict(
            f"{dataset} is a data set of questions that nobody wrote by hand; choose another name."
        )
