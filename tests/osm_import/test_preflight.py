"""What an import needs, compared with imports that were measured; and refusals, with figures, before anything is written."""

import contextlib
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from app.core.errors import ImportFailed
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.preflight import (
    SMALL_MEMORY,
    Estimate,
    Need,
    data_folder,
    estimate_need,
    free_memory,
    preflight,
    refuse_shortage,
)
from tests.osm_import import raw_maps
from tests.support.command_line import trigpoint
from tests.support.processes import start_import
from tests.support.town import Imported

GB = 10**9


def sparse(path: Path, size: int) -> Path:
    """A file of that size which takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


# --- the estimate -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ending", "times"), [("osm.gz", 2.2), ("osm.bz2", 1.6), ("osm", 19), ("pbf", 1)])
def test_formats_count_as_the_pbf_they_would_be(tmp_path: Path, ending: str, times: float) -> None:
    pbf = estimate_need(sparse(tmp_path / "a.osm.pbf", GB), 0)
    other = estimate_need(sparse(tmp_path / f"a.{ending}", round(GB * times)), 0)
    assert other.disk == pytest.approx(pbf.disk, rel=1e-6)
    assert other.memory == pytest.approx(pbf.memory, rel=1e-6)


def test_needs_grow_with_the_file(tmp_path: Path) -> None:
    sizes = [10**5, 10**7, 10**9, 10**10]
    needs = [estimate_need(sparse(tmp_path / "a.osm.pbf", size), GB) for size in sizes]
    assert needs == sorted(needs)
    # A country of 1 GB: 10 GB of tables, 3 GB to sort them, and the log as far as the server lets it grow.
    assert needs[2].disk == 14 * GB
    assert needs[2].memory == pytest.approx(4.8 * GB, rel=0.02)


def schema_size(settings: Settings, superuser_of: Callable[[Settings], str]) -> int:
    with psycopg.connect(superuser_of(settings)) as connection:
        (size,) = connection.execute(
            "select sum(pg_total_relation_size(pg_class.oid))::bigint from pg_class "
            "inner join trigpoint.snapshot on relnamespace::regnamespace::text = schema_name where relkind = 'r'"
        ).fetchone() or (0,)
    return int(size)


def test_the_schema_of_a_country_fits_the_estimate(
    liechtenstein: Imported, superuser_of: Callable[[Settings], str]
) -> None:
    size = schema_size(liechtenstein.settings, superuser_of)
    need = estimate_need(liechtenstein.file, 0)
    assert size < need.disk < 3 * size


def test_the_memory_of_an_import_fits_the_estimate(database: Settings, extracts: Path) -> None:
    path = extracts / "liechtenstein-2013-08-03.osm.pbf"
    process = start_import(database, path)
    peak = 0
    while process.poll() is None:
        peak = max(peak, memory_of(process.pid))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    err = process.communicate()[1]
    assert process.returncode == 0, err
    assert peak > 50 << 20
    assert peak < estimate_need(path, 0).memory < 3 * peak


def memory_of(pid: int) -> int:
    """Proportional set size of a process and its children; 0 once they are gone."""
    try:
        process = psutil.Process(pid)
        return sum(one.memory_full_info().pss for one in (process, *process.children(recursive=True)))
    except psutil.Error:
        return 0


# --- refusals -----------------------------------------------------------------------------------------------


def test_too_little_disk() -> None:
    estimate = Estimate(Need(120 * GB, GB), 35 * GB, Path("/data"), None)
    with pytest.raises(ImportFailed) as caught:
        refuse_shortage("europe.osm.pbf", estimate)
    said = str(caught.value)
    assert "Importing europe.osm.pbf needs about 120.0 GB of disk, 35.0 GB are free in /data" in said
    assert "TRIGPOINT_DATABASE_URL" in said


def test_too_little_memory() -> None:
    estimate = Estimate(Need(GB, 4 * GB), None, None, 512 * 10**6)
    with pytest.raises(ImportFailed, match=r"needs about 4\.0 GB of memory, 512 MB are free\."):
        refuse_shortage("a.osm.pbf", estimate)


@pytest.mark.parametrize("free", [None, 2 * GB])
def test_what_fits_or_is_unknown_passes(free: int | None) -> None:
    refuse_shortage("a.osm.pbf", Estimate(Need(GB, GB), free, None, free))


def test_a_file_larger_than_this_machine_is_refused(
    database: Settings, tmp_path: Path, superuser_of: Callable[[Settings], str]
) -> None:
    """A superuser is told where the data lie: the true disk and the true memory of this machine are compared."""
    planet = sparse(tmp_path / "planet.osm.pbf", 10**13)
    with psycopg.connect(superuser_of(database)) as connection:
        with pytest.raises(
            ImportFailed, match=r"planet\.osm\.pbf needs about \d+\.\d GB of disk, .* are free in /"
        ):
            preflight(database, planet, connection)
        small = preflight(database, sparse(tmp_path / "hamlet.osm.pbf", 1000), connection)
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert small.data_folder
    assert small.free_disk
    assert small.free_memory


def test_the_owner_may_not_be_told_where_the_data_lie(database: Settings, tmp_path: Path) -> None:
    """Then nothing is made up, and no transaction is spoilt; the memory is compared all the same."""
    remote = database.model_copy(update={"local_dir": tmp_path})
    with connect(remote, Role.OWNER) as holder:
        connection = holder.connection.driver_connection
        assert isinstance(connection, psycopg.Connection)
        estimate = preflight(remote, sparse(tmp_path / "hamlet.osm.pbf", 1000), connection)
        assert (estimate.free_disk, estimate.data_folder) == (None, None)
        with pytest.raises(ImportFailed, match=r"planet\.osm\.pbf needs about \d+\.\d GB of memory"):
            preflight(remote, sparse(tmp_path / "planet.osm.pbf", 10**13), connection)


@pytest.fixture
def small_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine megabytes are left for programs."""
    root = write_machine(tmp_path / "machine", {"box": (str(10**7), 10**6, 0)}, "box")
    monkeypatch.setattr("osm_import.preflight.MACHINE", root)


@pytest.fixture
def large_map(tmp_path: Path) -> Path:
    """A map that is large enough to be refused for memory, and whole: most of it is a table of strings."""
    path = tmp_path / "large.osm.pbf"
    path.write_bytes(raw_maps.pbf(raw_maps.with_grid()))
    strings = raw_maps.message(1, raw_maps.message(1, b"x" * 1000) * 8000)
    while estimate_need(path, 0).memory < SMALL_MEMORY:
        with path.open("ab") as file:
            file.write(raw_maps.blob("OSMData", strings, raw_maps.raw))
    return path


@pytest.mark.usefixtures("small_machine")
def test_an_import_without_room_writes_nothing(
    database: Settings, large_map: Path, superuser_of: Callable[[Settings], str]
) -> None:
    done = trigpoint(database, "import", str(large_map), "--json")
    assert (done.status, done.out) == (1, "")
    sentence = r"trigpoint: Importing large\.osm\.pbf needs about \d+ MB of memory, 9 MB are free\. .* Nothing was written\.$"
    assert re.match(sentence, done.err.splitlines()[-1])
    with psycopg.connect(superuser_of(database)) as connection:
        assert connection.execute("select count(*) from trigpoint.snapshot").fetchone() == (0,)
        made = "select count(*) from pg_namespace where nspname ~ '^(osm|reference)_'"
        assert connection.execute(made).fetchone() == (0,)

    done = trigpoint(database, "import", str(large_map), "--json", "--no-preflight")
    assert done.status == 0, done.err
    assert done.json["layers"]["poi"]["kept"] == 1


@pytest.mark.usefixtures("small_machine")
def test_a_small_map_is_never_refused_for_memory(database: Settings, tmp_path: Path) -> None:
    path = tmp_path / "small.osm.pbf"
    path.write_bytes(raw_maps.pbf(raw_maps.with_grid()))
    done = trigpoint(database, "import", str(path), "--json")
    assert (done.status, done.json["published"]) == (0, True), done.err


# --- where the data lie -------------------------------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose private server would run at port 5433."""
    folder = tmp_path / "local" / "postgres"
    folder.mkdir(parents=True)
    (folder / "postmaster.pid").write_text("4711\n/data\n1700000000\n5433\n\n127.0.0.1\n")
    return Settings(database_url="postgresql://127.0.0.1:5433/trigpoint", local_dir=tmp_path / "local")


def test_the_private_server(settings: Settings) -> None:
    assert data_folder(settings, None) == settings.local_dir / "postgres"


@pytest.mark.parametrize(
    "url", ["postgresql://127.0.0.1:5432/trigpoint", "postgresql://db.example:5433/trigpoint"]
)
def test_another_server_is_unknown(settings: Settings, url: str) -> None:
    assert data_folder(settings.model_copy(update={"database_url": url}), None) is None


def test_a_server_that_says_where(settings: Settings, tmp_path: Path) -> None:
    assert data_folder(settings, str(tmp_path)) == tmp_path
    elsewhere = settings.model_copy(update={"database_url": "postgresql://db.example/trigpoint"})
    assert data_folder(elsewhere, str(tmp_path)) is None


def test_no_pid_file(settings: Settings) -> None:
    (settings.local_dir / "postgres" / "postmaster.pid").unlink()
    assert data_folder(settings, None) is None
    assert data_folder(settings, "/no/such/folder") is None


# --- free memory --------------------------------------------------------------------------------------------


def write_machine(root: Path, groups: dict[str, tuple[str, int, int]], own: str) -> Path:
    """The files of a machine with 1,000,000 kB free: `groups` maps a group to its limit, use and droppable pages."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/meminfo").write_text("MemTotal: 2000000 kB\nMemFree: 10 kB\nMemAvailable: 1000000 kB\n")
    (root / "proc/self/cgroup").write_text(f"1:name=systemd:/old\n0::/{own}\n")
    for name, (limit, used, droppable) in groups.items():
        folder = root / "sys/fs/cgroup" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "memory.max").write_text(limit + "\n")
        (folder / "memory.current").write_text(f"{used}\n")
        (folder / "memory.stat").write_text(
            f"anon 1\ninactive_file {droppable - droppable // 2}\nactive_file {droppable // 2}\n"
        )
    return root


@pytest.mark.parametrize(
    ("groups", "free"),
    [
        ({}, 1_024_000_000),
        ({"pod/box": ("max", 5, 0)}, 1_024_000_000),
        ({"pod/box": ("500000000", 300_000_000, 100_000_000)}, 300_000_000),
        ({"pod": ("400000000", 300_000_000, 0), "pod/box": ("900000000", 0, 0)}, 100_000_000),
        ({"pod/box": ("9000000000", 0, 0)}, 1_024_000_000),
        ({"pod/box": ("100", 200, 0)}, 0),
        ({"other": ("100", 0, 0)}, 1_024_000_000),
    ],
)
def test_free_memory(tmp_path: Path, groups: dict[str, tuple[str, int, int]], free: int) -> None:
    assert free_memory(write_machine(tmp_path, groups, "pod/box")) == free


def test_free_memory_of_a_machine_that_says_nothing(tmp_path: Path) -> None:
    assert free_memory(tmp_path) is None


def test_free_memory_of_this_machine() -> None:
    free = free_memory(Path("/"))
    assert free is not None
    assert 0 < free <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
