"""Damaged maps, seeded: something whole is published, or one sentence says why nothing was."""

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from app.core.clock import ManualClock, SystemClock
from app.core.errors import TrigpointError
from app.core.seeds import below
from app.core.settings import PROJECT_ROOT, Settings
from app.db.naming import reference_schema
from osm_import import queries
from osm_import.extracts import open_extract
from osm_import.importing import import_extract
from osm_import.loading import LayerCount
from osm_import.progress import Silent
from osm_import.publishing import CHECKS, Loaded

SEED = 200
MUTATIONS = {"Helsinki.osm.pbf": 70, "liechtenstein-2013-08-03.osm.pbf": 70, "monaco-2012-07-06.osm": 60}
HANGS = 90.0
"""Seconds after which an import that takes three or four counts as hanging."""
CLOCK = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))

pytestmark = pytest.mark.long


def blocks_of(data: bytes, name: str) -> list[bytes]:
    """What a file is made of: a PBF's blobs with their headers, or pieces of an XML file's text."""
    if not name.endswith(".pbf"):
        lines = data.splitlines(keepends=True)
        size = max(1, len(lines) // 200)
        return [b"".join(lines[start : start + size]) for start in range(0, len(lines), size)]
    blocks, place = [], 0
    while place < len(data):
        end = place + 4 + int.from_bytes(data[place : place + 4])
        header = data[place + 4 : end]
        # The last field of a BlobHeader is its datasize (3, a varint): the blob's length.
        size = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(header[header.rindex(b"\x18") + 1 :]))
        blocks.append(data[place : end + size])
        place = end + size
    return blocks


def flip_bits(data: bytes, name: str, number: int) -> bytes:
    changed = bytearray(data)
    for flip in range(1 + below(3, SEED, "flips", number)):
        changed[below(len(data), SEED, "where", number, flip)] ^= 1 << below(8, SEED, "bit", number, flip)
    return bytes(changed)


def truncate(data: bytes, name: str, number: int) -> bytes:
    return data[: below(len(data), SEED, "length", number)]


def drop_block(data: bytes, name: str, number: int) -> bytes:
    blocks = blocks_of(data, name)
    del blocks[below(len(blocks), SEED, "drop", number)]
    return b"".join(blocks)


def duplicate_block(data: bytes, name: str, number: int) -> bytes:
    blocks = blocks_of(data, name)
    block = blocks[below(len(blocks), SEED, "duplicate", number)]
    blocks.insert(below(len(blocks) + 1, SEED, "to", number), block)
    return b"".join(blocks)


MUTATORS = (flip_bits, truncate, drop_block, duplicate_block)


class Outcome(NamedTuple):
    """What an import came to: a published schema with its counts, or the error's class and sentence."""

    schema: str | None
    layers: dict[str, dict[str, int]]
    error: str
    sentence: str


def attempt(settings: Settings, path: Path, name: str) -> Outcome:
    """One import, in a process of the pool; any error that is not ours goes through, and fails the test."""
    try:
        result = import_extract(settings, str(path), name, CLOCK, Silent())
    except TrigpointError as error:
        return Outcome(None, {}, type(error).__name__, str(error))
    return Outcome(result.schema, result.layers, "", "")


@pytest.fixture(scope="module")
def maps(extracts: Path) -> dict[str, bytes]:
    """The files to be damaged, as bytes; Monaco as XML text."""
    helsinki = PROJECT_ROOT / ".local" / "extracts" / "Helsinki.osm.pbf"
    if not helsinki.is_file():
        pytest.skip(f"{helsinki} is absent: scripts/extract fetches it")
    return {
        "Helsinki.osm.pbf": helsinki.read_bytes(),
        "liechtenstein-2013-08-03.osm.pbf": (extracts / "liechtenstein-2013-08-03.osm.pbf").read_bytes(),
        "monaco-2012-07-06.osm": gzip.decompress((extracts / "monaco-2012-07-06.osm.gz").read_bytes()),
    }


@pytest.fixture
def pool() -> Iterator[ProcessPoolExecutor]:
    """Two processes that import: a crash of the map reader ends one of them, and the test fails."""
    executor = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    yield executor
    for process in list(executor._processes.values()):
        process.kill()
    executor.shutdown(wait=True, cancel_futures=True)


def schemas_of(connection: psycopg.Connection[Any]) -> set[str]:
    found = connection.execute("select nspname from pg_namespace where nspname ~ '^(osm|reference)_'")
    return {row[0] for row in found}


def check_published(
    settings: Settings, connection: psycopg.Connection[Any], path: Path, outcome: Outcome
) -> None:
    """The checks of publishing, made again from outside over what readers see."""
    assert outcome.schema is not None
    snapshot_id = int(outcome.schema.rsplit("_", 1)[1])
    counts = {layer: LayerCount(**count) for layer, count in outcome.layers.items()}
    extract = open_extract(str(path), settings, Silent(), SystemClock())
    loaded = Loaded(snapshot_id, outcome.schema, extract, counts, ())
    with connection.transaction():
        connection.execute(queries.search_schemas(reference_schema(snapshot_id), outcome.schema))
        faults = [check.find_fault(connection, loaded) for check in CHECKS]
    assert not any(faults), (path, faults)


def check_outcome(
    settings: Settings, connection: psycopg.Connection[Any], path: Path, name: str, outcome: Outcome
) -> None:
    """Published whole, or one sentence and nothing; what was published is removed again."""
    rows = connection.execute(
        "select id, state, schema_name from trigpoint.snapshot where name = %s", (name,)
    ).fetchall()
    if outcome.schema is None:
        assert outcome.error in ("BadExtract", "ImportFailed"), (path, outcome)
        assert outcome.sentence.endswith((".", ")")), (path, outcome)
        assert "\n" not in outcome.sentence, (path, outcome)
        assert "Traceback" not in outcome.sentence
        assert len(outcome.sentence) < 500, (path, outcome)
        assert {row[1] for row in rows} <= {"failed"}, (path, rows)
        left = {row[2] for row in rows} | {reference_schema(row[0]) for row in rows}
        assert not left & schemas_of(connection), path
        return
    ((snapshot_id, state, schema),) = rows
    assert (state, schema) == ("published", outcome.schema)
    assert {schema, reference_schema(snapshot_id)} <= schemas_of(connection)
    check_published(settings, connection, path, outcome)
    remove(connection, snapshot_id, schema)


def remove(connection: psycopg.Connection[Any], snapshot_id: int, schema: str) -> None:
    connection.execute(queries.drop_schema(reference_schema(snapshot_id)))
    connection.execute(queries.drop_schema(schema))
    connection.execute("delete from trigpoint.snapshot where id = %s", (snapshot_id,))


@pytest.mark.parametrize("file", MUTATIONS)
def test_a_damaged_map(
    file: str,
    maps: dict[str, bytes],
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    pool: ProcessPoolExecutor,
    tmp_path: Path,
) -> None:
    settings, data = make_database(), maps[file]
    waiting: dict[str, tuple[Path, Future[Outcome]]] = {}
    for number in range(MUTATIONS[file]):
        mutator = MUTATORS[number % len(MUTATORS)]
        name = f"m{number}_{mutator.__name__}"
        path = tmp_path / f"{name}{file[file.index('.osm') :]}"
        path.write_bytes(mutator(data, file, number))
        waiting[name] = path, pool.submit(attempt, settings, path, name)
    came = Counter[str]()
    with psycopg.connect(superuser_of(settings), autocommit=True) as connection:
        for name, (path, future) in waiting.items():
            outcome = future.result(timeout=HANGS)
            check_outcome(settings, connection, path, name, outcome)
            came[outcome.error or "published"] += 1
            path.unlink()
        assert schemas_of(connection) == set()
    assert came["BadExtract"] > MUTATIONS[file] // 4, came
    assert came["published"] > 0, came
