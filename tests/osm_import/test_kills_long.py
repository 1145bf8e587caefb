"""Imports that are ended at seeded moments, by every hand: the next call publishes the same map as one left alone, and
whoever reads the map before it notices nothing.

Real processes, one real database: Liechtenstein of 2013 is published and read without pause; that of 2022 is imported.
"""

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import psycopg
import pytest

from app.core.clock import ManualClock
from app.core.seeds import below, unit
from app.core.settings import Role, Settings
from app.db.naming import quoted, reference_schema
from app.db.raw import connect_raw
from osm_import import queries
from osm_import.importing import import_extract
from osm_import.loading import COLUMNS
from osm_import.progress import Silent
from tests.support.processes import start_import, wait_for_stage, wait_until
from tests.support.turns import turn

SEED = 20
KILLS = 20
NAME = "liechtenstein"
START = "start"
STAGES = ("checksum", "reading", "indexing", "completing", "checking")
COMPLETED = {
    "poi_address",
    "poi_region",
    "place_name",
    "search_name",
    "street_name",
    "poi_twin",
    "destination",
}
TABLES = {*COLUMNS, "poi_class", "fact_key", *COMPLETED}
CLOCK = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
PATIENCE = 60.0

pytestmark = pytest.mark.long

Digest = dict[str, tuple[Any, ...]]
Connection = psycopg.Connection[Any]


# --- what is there ----------------------------------------------------------------------------------------


def digest(connection: Connection, snapshot_id: int) -> Digest:
    """Of every table of a snapshot its number of rows and a hash of all their columns; indexes, views, its own row."""
    (schema,) = connection.execute(
        "select schema_name from trigpoint.snapshot where id = %s", (snapshot_id,)
    ).fetchone() or ("",)
    tables = connection.execute("select tablename from pg_tables where schemaname = %s", (schema,)).fetchall()
    assert {table for (table,) in tables} == TABLES
    found: Digest = {}
    for (table,) in tables:
        rows = f"select count(*), md5(string_agg(one::text, '|' order by one::text)) from {quoted(schema)}.{table} as one"
        found[table] = connection.execute(rows.encode()).fetchone() or ()
    views = (
        "select viewname, replace(definition, %s, '') from pg_views where schemaname = %s order by viewname"
    )
    indexes = "select replace(indexdef, %s, '') from pg_indexes where schemaname = %s order by 1"
    found["views"] = tuple(connection.execute(views, (schema, reference_schema(snapshot_id))))
    found["indexes"] = tuple(connection.execute(indexes, (schema, schema)))
    own = "select layers, outline_source, st_asewkb(outline), checksum, data_timestamp, state from trigpoint.snapshot where id = %s"
    found["snapshot"] = connection.execute(own, (snapshot_id,)).fetchone() or ()
    return found


def schemas_of(connection: Connection) -> set[str]:
    found = connection.execute("select nspname from pg_namespace where nspname ~ '^(osm|reference)_'")
    return {row[0] for row in found}


def newest(connection: Connection) -> tuple[int, str, str]:
    """Id, state and schema of the snapshot that was begun last."""
    rows = "select id, state, schema_name from trigpoint.snapshot order by id desc limit 1"
    ((snapshot_id, state, schema),) = connection.execute(rows).fetchall()
    return snapshot_id, state, schema


def scans_of(path: Path) -> list[psutil.Process]:
    """The living processes that scan this very file."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        command = process.info["cmdline"] or []
        if (
            "osm_import.scanning" in command
            and str(path) in command
            and process.info["status"] != psutil.STATUS_ZOMBIE
        ):
            found.append(process)
    return found


# --- a reader ---------------------------------------------------------------------------------------------

FIGURES = """
select
    (select count(*) from {0}.pois),
    (select count(*) from {0}.roads),
    (select count(*) from {0}.pois where ST_DWithin(geog, 'POINT(9.5215 47.1410)'::geography, 2000)),
    (select round(sum(ST_Length(roads.geog))::numeric, 3)
     from {0}.roads inner join {0}.regions on ST_Intersects(roads.geom, regions.geom) where regions.name = 'Vaduz'),
    (select md5(string_agg(tags::text, '|' order by osm_type, osm_id)) from {0}.pois)
"""


class Reader(threading.Thread):
    """Asks the reference views of one snapshot the same all the time, on a standing connection and on fresh ones."""

    def __init__(self, settings: Settings, snapshot_id: int) -> None:
        super().__init__()
        self._settings = settings
        self._statement = FIGURES.format(quoted(reference_schema(snapshot_id))).encode()
        self._told_to_stop = threading.Event()
        self.reads = 0
        self.faults: list[str] = []
        self.figures = self._ask_anew()

    def run(self) -> None:
        with connect_raw(self._settings, Role.READER) as standing:
            standing.autocommit = True
            while not self._told_to_stop.wait(0.02):
                try:
                    for got in (standing.execute(self._statement).fetchone(), self._ask_anew()):
                        if got != self.figures:
                            self.faults.append(f"{got} instead of {self.figures}")
                except psycopg.Error as error:
                    self.faults.append(repr(error))
                self.reads += 1

    def stop(self) -> None:
        self._told_to_stop.set()
        self.join()

    def check(self, reads_before: int) -> None:
        """It has read since then, and never met a fault."""
        wait_until(lambda: self.reads > reads_before + 1, "the reader")
        assert self.faults == []

    def _ask_anew(self) -> tuple[Any, ...]:
        with connect_raw(self._settings, Role.READER) as fresh:
            return fresh.execute(self._statement).fetchone() or ()


class Scene(NamedTuple):
    """One database in which a map is read, and the next one of its name is imported."""

    settings: Settings
    superuser: Connection
    path: Path
    kept: set[str]
    """The schemas that are to be there throughout."""
    undisturbed: Digest
    begins: dict[str, float]
    """Seconds after its start at which each stage of an import begins that is left alone; `end` comes last."""
    reader: Reader

    def start(self) -> subprocess.Popen[str]:
        return start_import(self.settings, self.path, "--name", NAME)

    def moment(self, seconds: float) -> tuple[str, float]:
        """The stage that the import left alone was in so long after its start, and for how long."""
        stage = [stage for stage, begin in self.begins.items() if begin <= seconds][-1]
        return stage, seconds - self.begins[stage]

    def check_nothing_is_left(self) -> None:
        wait_until(lambda: not scans_of(self.path), "the end of the scan", 5)
        assert schemas_of(self.superuser) == self.kept
        assert self.superuser.execute(
            "select distinct state from trigpoint.snapshot order by 1"
        ).fetchall() in (
            [("published",)],
            [("failed",), ("published",)],
        )

    def check_next_call(self) -> None:
        """It publishes the map as if nothing had happened, and nothing else is left; then that map is removed."""
        result = import_extract(self.settings, str(self.path), NAME, CLOCK, Silent())
        snapshot_id, state, schema = newest(self.superuser)
        assert (state, schema) == ("published", result.schema)
        found = digest(self.superuser, snapshot_id)
        assert found == self.undisturbed, [key for key in found if found[key] != self.undisturbed[key]]
        assert schemas_of(self.superuser) == self.kept | {schema, reference_schema(snapshot_id)}
        self.forget()
        self.check_nothing_is_left()

    def forget(self) -> None:
        """Remove every map but the two that are kept."""
        for schema in schemas_of(self.superuser) - self.kept:
            self.superuser.execute(queries.drop_schema(schema))
        self.superuser.execute(
            "delete from trigpoint.snapshot where schema_name <> all(%s)", (list(self.kept),)
        )


@pytest.fixture(scope="module")
def scene(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    extracts: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Scene]:
    settings = make_database()
    path = tmp_path_factory.mktemp("kills") / "liechtenstein-2022.osm.pbf"
    path.write_bytes((extracts / "liechtenstein-2022-07-24.osm.pbf").read_bytes())
    import_extract(settings, str(extracts / "liechtenstein-2013-08-03.osm.pbf"), NAME, CLOCK, Silent())
    with psycopg.connect(superuser_of(settings), autocommit=True) as superuser:
        old, _, _ = newest(superuser)
        reader = Reader(settings, old)
        reader.start()
        try:
            begins = time_stages(start_import(settings, path, "--name", "undisturbed"))
            undisturbed = digest(superuser, newest(superuser)[0])
            kept = schemas_of(superuser)
            yield Scene(settings, superuser, path, kept, undisturbed, begins, reader)
        finally:
            reader.stop()


def time_stages(process: subprocess.Popen[str]) -> dict[str, float]:
    """When each stage of an import begins, in seconds; `start` and `end` are those of the process."""
    began, begins = time.monotonic(), {START: 0.0}
    assert process.stderr is not None
    for line in process.stderr:
        if line.strip() in STAGES:
            begins[line.strip()] = time.monotonic() - began
    assert process.wait(PATIENCE) == 0
    assert list(begins) == [START, *STAGES]
    return begins | {"end": time.monotonic() - began}


@pytest.fixture(autouse=True)
def read_throughout(scene: Scene) -> Iterator[None]:
    """Before, during and after each test the old map is read, and is what it was."""
    before = scene.reader.reads
    yield
    scene.forget()
    scene.reader.check(before)


# --- SIGKILL ----------------------------------------------------------------------------------------------


def end_at(process: subprocess.Popen[str], stage: str, seconds: float, sent: int) -> tuple[str, str]:
    """Send a signal so long after a stage's beginning, if it still runs then; gives stdout and stderr."""
    if stage != START:
        wait_for_stage(process, stage)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(sent)
    return process.communicate(timeout=PATIENCE)


def end_within(scene: Scene, seconds: float, sent: int) -> tuple[int, str]:
    """Start an import and send it a signal so long after its start; gives its exit status and stderr.

    Where it was done by then, on a machine that is less busy now, the moment comes sooner.
    """
    out, sooner = "something", 1.0
    while out:
        scene.forget()
        process = scene.start()
        out, err = end_at(process, *scene.moment(seconds * sooner), sent)
        sooner *= 0.8
    return process.returncode, err


@pytest.mark.parametrize("tenth", range(KILLS // 2))
def test_killed_at_a_seeded_moment(scene: Scene, tenth: int) -> None:
    """One moment in each twentieth of an import's whole time, start-up included: in the halves of tenths in turn."""
    number = 2 * tenth + turn() % 2
    seconds = scene.begins["end"] * (number + unit(SEED, "kill", number)) / KILLS
    status, err = end_within(scene, seconds, signal.SIGKILL)
    assert status == -signal.SIGKILL
    assert "Traceback" not in err
    wait_until(lambda: not scans_of(scene.path), "the end of the scan", 5)
    scene.check_next_call()


@pytest.mark.parametrize("stage", STAGES)
def test_killed_as_a_stage_begins(scene: Scene, stage: str) -> None:
    process = scene.start()
    out, _ = end_at(process, stage, 0, signal.SIGKILL)
    assert (process.returncode, out) == (-signal.SIGKILL, "")
    wait_until(lambda: not scans_of(scene.path), "the end of the scan", 5)
    assert newest(scene.superuser)[1] == ("published" if stage == "checksum" else "importing")
    scene.check_next_call()


@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_ended_within_the_switch(scene: Scene, sent: int, status: int) -> None:
    """All is checked, and the one row is about to be switched: somebody else's lock holds it there."""
    process = scene.start()
    wait_for_stage(process, "checking")
    with scene.superuser.transaction():
        snapshot_id, _, _ = newest(scene.superuser)
        scene.superuser.execute("select from trigpoint.snapshot where id = %s for update", (snapshot_id,))
        wait_until(lambda: active(scene, "wait_event_type = 'Lock'"), "the switch")
        process.send_signal(sent)
        if sent == signal.SIGKILL:
            process.wait()
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (status, ""), err
    assert "Traceback" not in err
    if sent != signal.SIGKILL:
        scene.check_nothing_is_left()
    scene.check_next_call()


def test_killed_once_it_was_published(scene: Scene) -> None:
    process = scene.start()
    wait_until(lambda: newest(scene.superuser)[1] == "importing", "the import")
    wait_until(lambda: newest(scene.superuser)[1] == "published", "the switch")
    process.kill()
    process.communicate(timeout=PATIENCE)
    scene.check_next_call()


# --- Ctrl-C, SIGTERM --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(("stage", "after"), [*pairwise(STAGES), (STAGES[-1], None)])
def test_stopped(scene: Scene, stage: str, after: str | None, sent: int, status: int) -> None:
    """As a stage begins, it ends with a word, and cleans up itself."""
    process = scene.start()
    out, err = end_at(process, stage, 0, sent)
    assert (process.returncode, out) == (status, ""), err
    assert err.splitlines()[-1] == "trigpoint: stopped."
    assert "Traceback" not in err
    assert after is None or after not in err.splitlines(), "it went on"
    scene.check_nothing_is_left()


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("number", range(5))
def test_stopped_at_a_seeded_moment(scene: Scene, number: int, sent: int, status: int) -> None:
    """Between the first object that is read and the last table that is indexed."""
    first, last = scene.begins["reading"], scene.begins["completing"]
    ended, err = end_within(scene, first + (last - first) * unit(SEED, "stop", sent, number), sent)
    assert ended == status, err
    assert err.splitlines()[-1] == "trigpoint: stopped."
    assert "Traceback" not in err
    scene.check_nothing_is_left()


# --- parts that die ---------------------------------------------------------------------------------------


def test_only_the_scan_is_killed(scene: Scene) -> None:
    process = scene.start()
    (scan,) = wait_until(lambda: scans_of(scene.path), "the scan")
    scan.kill()
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert err.splitlines()[-1] == (
        "trigpoint: The process that reads liechtenstein-2022.osm.pbf ended before its work was done "
        "(SIGKILL: it said nothing). Where it was killed, the machine may have too little memory: import again."
    )
    assert "Traceback" not in err
    scene.check_nothing_is_left()


def active(scene: Scene, condition: str) -> list[int]:
    """The server's processes that work for the import, as far as a condition on pg_stat_activity holds."""
    rows = scene.superuser.execute(
        "select pid from pg_stat_activity where datname = current_database() "
        f"and application_name = 'trigpoint owner' and {condition} order by pid".encode()
    )
    return [row[0] for row in rows]


@pytest.mark.parametrize(
    ("stage", "condition"),
    [
        ("reading", "query ilike 'copy%'"),
        ("reading", "query not ilike 'copy%'"),
        ("indexing", "state = 'active'"),
        ("completing", "state = 'active'"),
    ],
)
def test_a_connection_is_terminated(scene: Scene, stage: str, condition: str) -> None:
    """Of the tables', or the one that holds the lock and publishes."""
    process = scene.start()
    wait_for_stage(process, stage)
    pids = wait_until(lambda: active(scene, condition), "the import's connections")
    scene.superuser.execute(
        "select pg_terminate_backend(%s)", (pids[below(len(pids), SEED, stage, condition)],)
    )
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, ""), err
    sentence = err.splitlines()[-1]
    assert sentence.startswith("trigpoint: PostgreSQL stopped the import ("), err
    assert sentence.endswith("nothing was published. Look at `trigpoint doctor`, then import again.")
    assert "Traceback" not in err
    scene.check_nothing_is_left()
    scene.check_next_call()
