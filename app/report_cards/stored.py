"""Report cards as they are stored: begun, gone on with stage by stage, read and listed.

The same suite asked of the same endpoint on the same map is one card: asking again goes on with it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.core.identity import canonical_json, digest
from app.predictions.runs import EndpointRow
from app.questions.programs import NO_ROUTER
from app.report_cards import queries
from app.report_cards.entries import CardRun
from app.report_cards.suites import Suite

FIRST = 2**62
MOST_TOLD = 4_000
State = Literal["begun", "generated", "started", "complete"]


class CardEntry(BaseModel):
    """An entry of a card's suite, and what became of it."""

    model_config = ConfigDict(frozen=True)

    key: str = Field(
        description="its name within the suite; that of a variant ends with a colon and the variant",
        examples=["gsqa/direct"],
    )
    benchmark: str
    solver: str
    tool_set: str | None = Field(description="null: the solver calls no tools")
    dataset: str | None = Field(description="the version that is asked; null until it is there")
    run: int | None = Field(description="the run that answers; null until it is started")
    status: str | None = Field(description="of the run")
    scored: bool = Field(description="whether the run has its scores")
    left_out: str | None = Field(description="why nothing is asked, in a sentence")
    without_questions: dict[str, dict[str, int]] = Field(
        description="templates that gave no question on this map: the reasons, and how often each refused one"
    )

    @property
    def lacked_router(self) -> bool:
        """Whether templates gave no question since there was no router, or it could not be opened."""
        return any(NO_ROUTER in reasons for reasons in self.without_questions.values())

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.left_out is not None or (self.status == "complete" and self.scored)


class StoredCard(BaseModel):
    """A report card: what is asked of whom, and how far that is."""

    model_config = ConfigDict(frozen=True)

    card: int
    name: str = Field(description="suite, endpoint and map")
    suite: str
    suite_hash: str = Field(description="of what the suite asks")
    endpoint: str = Field(description="the name of the stored endpoint")
    judge: str | None = Field(description="the stored endpoint that judges; null: none does")
    snapshot: str = Field(description="the map, NAME@TIMESTAMP")
    state: State = Field(
        description="begun: the map is there; generated: the questions, too; started: the runs are under way; "
        "complete: every run has its scores"
    )
    error: str | None = Field(description="why the last try failed")
    created_at: datetime
    entries: list[CardEntry]

    def runs(self) -> list[CardRun]:
        """The runs that answer, in the order of the suite."""
        return [
            CardRun(one.run, one.key, one.benchmark, one.solver, one.tool_set)
            for one in self.entries
            if one.run is not None
        ]


class CardPage(BaseModel):
    """Report cards, the newest first."""

    report_cards: list[StoredCard]
    next: str | None


def begin_card(
    connection: Connection,
    suite: Suite,
    endpoint: EndpointRow,
    judge: str | None,
    snapshot: str,
    now: datetime,
) -> int:
    """The card of this request, made where there is none; commits.

    A card is of an endpoint's record, not of its name: a name that is given to another model begins another card.
    """
    binds = {
        "name": f"{suite.name} of {endpoint.name} on {snapshot}",
        "request_hash": digest(suite.content_hash, endpoint.id, snapshot),
        "suite": suite.name,
        "suite_hash": suite.content_hash,
        "definition": canonical_json(suite.as_json()),
        "endpoint": endpoint.name,
        "judge": judge,
        "snapshot": snapshot,
        "now": now,
    }
    found: int | None = connection.execute(queries.FIND, binds).scalar_one_or_none()
    if found is not None:
        connection.execute(queries.GO_ON, binds | {"card_id": found})
        connection.commit()
        return found
    made: int | None = connection.execute(queries.INSERT, binds).scalar_one_or_none()
    if made is None:  # somebody else began it just now
        connection.rollback()
        return begin_card(connection, suite, endpoint, judge, snapshot, now)
    entries = [
        {
            "card_id": made,
            "key": one.key,
            "place": place,
            "benchmark": one.entry.benchmark,
            "solver": one.entry.solver,
            "tool_set": one.entry.tool_set,
        }
        for place, one in enumerate(suite.parts)
    ]
    connection.execute(queries.INSERT_ENTRIES, entries)
    connection.commit()
    return made


def read_card(connection: Connection, card_id: int) -> StoredCard:
    """A card with its entries. Raises NotFound."""
    row = connection.execute(queries.READ, {"card_id": card_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no report card {card_id}; `trigpoint report-cards` lists all of them.")
    return _cards(connection, [row])[0]


def read_suite_of(connection: Connection, card_id: int) -> Suite:
    """The suite of a card as it was when the card was begun. Raises NotFound."""
    row = connection.execute(queries.READ, {"card_id": card_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no report card {card_id}; `trigpoint report-cards` lists all of them.")
    return Suite.model_validate(row.definition)


def list_cards(connection: Connection, before: int | None, limit: int) -> list[StoredCard]:
    """At most `limit` cards, the newest first, only those made before card `before`."""
    binds = {"before": FIRST if before is None else before, "limit": limit}
    return _cards(connection, connection.execute(queries.LIST, binds).all())


def note_version(connection: Connection, card_id: int, key: str, version_id: int) -> None:
    """An entry has its questions; commits."""
    connection.execute(queries.SET_VERSION, {"card_id": card_id, "key": key, "version_id": version_id})
    connection.commit()


def note_run(connection: Connection, card_id: int, key: str, run_id: int) -> None:
    """An entry has its run; commits."""
    connection.execute(queries.SET_RUN, {"card_id": card_id, "key": key, "run_id": run_id})
    connection.commit()


def leave_out(connection: Connection, card_id: int, key: str, reason: str) -> None:
    """Nothing is asked for an entry, and why; commits."""
    connection.execute(queries.LEAVE_OUT, {"card_id": card_id, "key": key, "reason": reason[:MOST_TOLD]})
    connection.commit()


def go_on(connection: Connection, card_id: int, state: State) -> None:
    """A stage is done; commits."""
    connection.execute(queries.SET_STATE, {"card_id": card_id, "state": state})
    connection.commit()


def note_error(connection: Connection, card_id: int, error: str) -> None:
    """Why this try failed; the next one goes on where it was. Commits."""
    connection.execute(queries.SET_ERROR, {"card_id": card_id, "error": error[:MOST_TOLD]})
    connection.commit()


def _cards(connection: Connection, rows: Sequence[Row[Any]]) -> list[StoredCard]:
    entries: dict[int, list[CardEntry]] = defaultdict(list)
    if rows:
        for row in connection.execute(queries.ENTRIES, {"card_ids": [one.id for one in rows]}):
            entries[row.card_id].append(_entry(row))
    return [_card(row, entries[row.id]) for row in rows]


def _card(row: Row[Any], entries: list[CardEntry]) -> StoredCard:
    is_complete = row.state == "started" and all(one.is_over for one in entries)
    values = {name: row._mapping[name] for name in StoredCard.model_fields if name in row._mapping}
    values |= {"card": row.id, "state": "complete" if is_complete else row.state, "entries": entries}
    return StoredCard.model_validate(values)


def _entry(row: Row[Any]) -> CardEntry:
    return CardEntry(
        key=row.key,
        benchmark=row.benchmark,
        solver=row.solver,
        tool_set=row.tool_set,
        dataset=None if row.version_id is None else f"{row.dataset}@{row.version}",
        run=row.run_id,
        status=row.status,
        scored=row.is_scored,
        left_out=row.left_out,
        without_questions=_without_questions(row.templates or {}),
    )


def _without_questions(reports: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    return {name: report["refused"] for name, report in reports.items() if not report["selected"]}
