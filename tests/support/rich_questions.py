"""A data set on the toy town whose questions have more than text and one gold, stored as generated ones are.

No benchmark makes such questions yet: their prompts and gold are put into records that were generated and proved.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.assets import store_asset
from app.questions.generating import Generated, Recipe, generate
from app.questions.prompts import text_prompt
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.questions.versions import PublishedVersion
from tests.support.http_server import Answer, Request, serving_http
from tests.support.seeing import is_sight_trial, look
from tests.support.town import benchmarks, import_map

Change = Callable[[QuestionRecord], QuestionRecord]
LICENCE = "© OpenStreetMap contributors, ODbL-1.0"
CONTEXT = {
    "type": "context",
    "title": "Information of Krone",
    "document": {"hours": ["Monday 7 to 9", "<b>Sunday</b>"], "rating": 4},
}


def make_rich(
    settings: Settings,
    file: Any,
    name: str,
    changes: Mapping[str, Change],
    pictures: Sequence[bytes] = (),
    maps: Sequence[str] = (),
) -> tuple[PublishedVersion, dict[str, QuestionRecord]]:
    """Import the map, store the pictures, and publish one question of each of these templates, changed.

    The version stands on the map `town` and on those named by `maps`, which are imported already. Gives the version and
    the records by template.
    """
    import_map(settings, file, "town")
    with connect(settings, Role.WORKER) as connection:
        for one in pictures:
            store_asset(connection, one, LICENCE, "", SystemClock())
        recipe = Recipe(benchmarks()["gsqa"], find_snapshots(connection, ["town"]), 0, 5, 5, 0.0)
        generated = generate(connection, recipe, lambda *told: None)
        recipe = replace(recipe, snapshots=find_snapshots(connection, ["town", *maps]))
        first = {one.template: one for one in reversed(generated.records)}
        records = {template: change(first[template]) for template, change in changes.items()}
        made = Generated(recipe, list(records.values()), generated.reports)
        version = store(connection, name, 1, made, SystemClock())
        connection.commit()
    return version, records


def png(width: int = 2, height: int = 3, grey: int = 200) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    header = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 0, 0, 0, 0])
    rows = zlib.compress((b"\0" + bytes([grey]) * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def picture_of(content: bytes, alt: str) -> dict[str, Any]:
    """The part of a prompt that shows a PNG."""
    return {
        "type": "image", "sha256": hashlib.sha256(content).hexdigest(), "media_type": "image/png", "alt": alt
    }  # fmt: skip


def with_parts(*parts: Mapping[str, Any]) -> Change:
    """Puts parts before the question's text."""
    return lambda record: replace(record, prompt=[*parts, *text_prompt(record.text)])


def with_keys(**values: Mapping[str, Any]) -> Change:
    """Adds gold under further keys."""
    keys = {key: {"kind": "value", "value": value} for key, value in values.items()}
    return lambda record: replace(record, gold_keys=keys)


def unanswerable(record: QuestionRecord) -> QuestionRecord:
    """The question cannot be answered."""
    return replace(record, gold={}, gold_kind="unanswerable")


def both(*changes: Change) -> Change:
    """All of these changes, in order."""

    def change(record: QuestionRecord) -> QuestionRecord:
        for one in changes:
            record = one(record)
        return record

    return change


@contextmanager
def recording_endpoint(says: str, *, sees: bool = True) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A chat endpoint that always says the same: its address, and the bodies that it was sent.

    Where it is tried whether it sees pictures, which is not recorded, it does, unless it is to be blind.
    """
    asked: list[dict[str, Any]] = []

    def answer(request: Request) -> Answer:
        body = json.loads(request.body) if request.body else None
        is_trial = body is not None and is_sight_trial(body)
        if body is not None and not is_trial:
            asked.append(body)
        message = {"role": "assistant", "content": look(body) if is_trial and sees else says}
        said = {"data": [{"id": "m"}], "choices": [{"message": message, "finish_reason": "stop"}]}
        return Answer(200, {"Content-Type": "application/json"}, json.dumps(said).encode())

    with serving_http(answer) as address:
        yield f"{address}/v1", asked


def lines_by_template(rows: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Exported lines by their template."""
    return {row["template"]: row for row in rows}
