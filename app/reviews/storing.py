"""Draw a version's sample; write marks beside the version, in the caller's transaction, as the maintainer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict, UsageError
from app.core.words import is_printable
from app.db.naming import reference_if_any
from app.questions.prompts import prompt_as_text
from app.questions.versions import PublishedVersion
from app.reviews import queries
from app.reviews.marks import MarksFile, fail
from app.reviews.sampling import Listed, draw_sample

LONGEST_NAME = 80
NO_MAP = "no map"


@dataclass(frozen=True)
class SampledQuestion:
    """What a reviewer sees of a question; `gold` only where it was asked for and may be shown.

    `drawing` is a map of what the text prints, as SVG of ours; None without one.
    """

    id: str
    template: str
    split: str
    snapshot: str
    text: str
    options: Sequence[str] | None
    gold: dict[str, Any] | None
    drawing: str | None = None


class Loaded(NamedTuple):
    """What a load did to a reviewer's marks."""

    added: int
    changed: int
    unchanged: int


def sample_version(
    connection: Connection,
    version: PublishedVersion,
    size: int,
    seed: int,
    with_gold: bool,
    include_hidden: bool,
) -> list[SampledQuestion]:
    """The questions of a sample, in the version's order; hidden gold only with `include_hidden`.

    Raises Conflict where another sample of the version is being reviewed already.
    """
    _check_stored_sample(connection, version, seed, size)
    binds = {
        "version_id": version.id,
        "ids": _draw(connection, version, size, seed),
        "with_gold": with_gold,
        "with_hidden": with_gold and include_hidden,
    }
    return [
        SampledQuestion(
            id=row.id,
            template=row.template,
            split=row.split,
            snapshot=reference_if_any(row.snapshot, row.data_timestamp) or NO_MAP,
            text=prompt_as_text(row.prompt),
            options=row.options,
            gold=row.gold,
        )
        for row in connection.exec_driver_sql(queries.SHOWN, binds)
    ]


def load_marks(
    connection: Connection, version: PublishedVersion, file: MarksFile, reviewer: str, now: datetime
) -> Loaded:
    """Add a reviewer's marks; a mark that says the same as the reviewer's last one is not written again.

    Raises UsageError for a file of another version or with a question that its sample does not hold, Conflict where
    another sample is being reviewed already.
    """
    name = _reviewer(reviewer)
    if file.dataset != version.reference:
        raise UsageError(
            f"{file.path}: dataset is {file.dataset!r}, not {version.reference!r}. Nothing was loaded."
        )
    key = {"version_id": version.id}
    connection.exec_driver_sql(queries.LOCK_REVIEW, key)
    stored = _check_stored_sample(connection, version, file.seed, file.size)
    ids = _draw(connection, version, file.size, file.seed)
    sampled = set(ids)
    for mark in file.marks:
        if mark.question not in sampled:
            fail(
                file.path, mark.place, f"id {mark.question[:40]!r} is not in the sample of this size and seed"
            )
    if not stored:
        connection.exec_driver_sql(queries.WRITE_SAMPLE, {**key, "seed": file.seed, "size": file.size})
        connection.exec_driver_sql(queries.WRITE_SAMPLED, {**key, "ids": ids})
    before = {
        row.question_id: (row.mark, row.note)
        for row in connection.exec_driver_sql(queries.CURRENT_MARKS, key)
        if row.reviewer == name
    }
    new = [mark for mark in file.marks if before.get(mark.question) != (mark.mark, mark.note)]
    if new:
        rows = [
            {
                **key,
                "question_id": mark.question,
                "reviewer": name,
                "mark": mark.mark,
                "note": mark.note,
                "loaded_at": now,
            }
            for mark in new
        ]
        connection.exec_driver_sql(queries.WRITE_MARK, rows)
    changed = sum(mark.question in before for mark in new)
    return Loaded(len(new) - changed, changed, len(file.marks) - len(new))


def list_marks(connection: Connection, version: PublishedVersion) -> list[dict[str, Any]]:
    """The marks that count, for maintainers: {question, template, reviewer, mark, note}."""
    return [
        {
            "question": row.question_id,
            "template": row.template,
            "reviewer": row.reviewer,
            "mark": row.mark,
            "note": row.note,
        }
        for row in connection.exec_driver_sql(queries.CURRENT_MARKS, {"version_id": version.id})
    ]


def _draw(connection: Connection, version: PublishedVersion, size: int, seed: int) -> list[str]:
    listed = [
        Listed(row.id, row.template, row.split, reference_if_any(row.snapshot, row.data_timestamp) or NO_MAP)
        for row in connection.exec_driver_sql(queries.LISTED, {"version_id": version.id})
    ]
    return draw_sample(listed, size, seed)


def _check_stored_sample(connection: Connection, version: PublishedVersion, seed: int, size: int) -> bool:
    row = connection.exec_driver_sql(queries.SAMPLE, {"version_id": version.id}).one_or_none()
    if row is not None and (row.seed, row.size) != (seed, size):
        raise Conflict(
            f"{version.reference} is being reviewed on the sample of --size {row.size} --seed {row.seed}; a second "
            f"one, of --size {size} --seed {seed}, would let results choose the sample. Go on with the first."
        )
    return row is not None


def _reviewer(name: str) -> str:
    said = name.strip()
    if not said or len(said) > LONGEST_NAME or not is_printable(said):
        raise UsageError(
            f"--reviewer {name[:40]!r}: give a name of 1 to {LONGEST_NAME} printable characters."
        )
    return said
