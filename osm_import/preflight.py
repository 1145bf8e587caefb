"""Import stage: does the machine have room for this extract? Reads the file's size, disks and memory, writes nothing.

An import that cannot end is refused before anything is written, with figures. What cannot be known is not guessed: the
disk of a server elsewhere is `unknown`, and refuses nothing. Sizes are bytes.
"""

import shutil
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import psycopg

from app.core.errors import ImportFailed
from app.core.settings import Settings

# Measured in November 2026 and rounded up: Liechtenstein 2013 and 2022, Monaco 2012, the centre of Helsinki, and 10
# and 30 copies of Liechtenstein (`python -m perf.copies 30`). The schema is the sum of pg_total_relation_size over its
# tables, memory the greatest PSS of the import's processes together; test_preflight.py measures both again.
PBF_BYTES = {".osm.pbf": 1.0, ".pbf": 1.0, ".osm.gz": 1 / 2.2, ".osm.bz2": 1 / 1.6, ".osm": 1 / 19}
"""What a byte of a format would be as PBF: Liechtenstein 2022 has 8.8, 20.0, 14.8 and 174 bytes a node in them."""
BYTES_A_NODE = 8.8
"""A PBF's size by its nodes; 9.0 for Liechtenstein 2013."""
SCHEMA_FACTOR = 10.0
"""Tables and indexes by the size as PBF: 7.2 to 9.2 were seen."""
SORTING = 0.3
"""What index builds and the analysis need beside the schema, as a share of it."""
WAL = 1.5
"""Write-ahead log by the size of the schema, as far as max_wal_size lets it grow."""
MEMORY_BASE = 150 << 20
"""Two Python processes with their libraries: 143 to 153 MiB for the smallest maps."""
MEMORY_BUFFERS = (8.0, 80 << 20)
"""What is remembered of tags, and blocks in flight between the processes: times the size as PBF, at most so much."""
MEMORY_A_NODE = 40.0
"""16 bytes in the index of locations, 24 for each node of a road: 314 MiB for 3 million nodes, 557 for 9 million."""
SMALL_MEMORY = 512 << 20
"""A map that needs less is never refused for memory: what counts as free is a guess, and may be off by that much."""
MACHINE = Path("/")
"""The root of the file system whose /proc and /sys tell about memory."""

LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")
SERVER = """
select
    (select setting::bigint * 1024 * 1024 from pg_settings where name = 'max_wal_size'),
    case
        when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('data_directory')
    end
"""


class Need(NamedTuple):
    """What an extract asks for."""

    disk: int
    """Where PostgreSQL keeps its data: the schema, its log and its sorting."""
    memory: int
    """Of all processes of the import, PostgreSQL's not counted."""


class Estimate(NamedTuple):
    """What is needed and what is there."""

    need: Need
    free_disk: int | None
    """None where nobody can tell."""
    data_folder: Path | None
    free_memory: int | None


def preflight(settings: Settings, extract_path: Path, connection: psycopg.Connection[Any]) -> Estimate:
    """Compare what the import of a file needs with what is free.

    Raises ImportFailed with both figures where the disk or the memory is too small.
    """
    with connection.transaction():
        row = connection.execute(SERVER).fetchone()
    max_wal, data_directory = row or (0, None)
    need = estimate_need(extract_path, max_wal)
    folder = data_folder(settings, data_directory)
    estimate = Estimate(
        need, shutil.disk_usage(folder).free if folder else None, folder, free_memory(MACHINE)
    )
    refuse_shortage(extract_path.name, estimate)
    return estimate


def estimate_need(extract_path: Path, max_wal: int) -> Need:
    """What a file of this size and format needs at most; `max_wal` is the server's max_wal_size in bytes."""
    factor = next((one for ending, one in PBF_BYTES.items() if extract_path.name.endswith(ending)), 1.0)
    size = extract_path.stat().st_size * factor
    schema = size * SCHEMA_FACTOR
    times, most = MEMORY_BUFFERS
    return Need(
        disk=round(schema * (1 + SORTING) + min(max_wal, schema * WAL)),
        memory=round(MEMORY_BASE + min(most, size * times) + size / BYTES_A_NODE * MEMORY_A_NODE),
    )


def refuse_shortage(name: str, estimate: Estimate) -> None:
    """Raise ImportFailed where `estimate` says that something is too small."""
    need, free_disk, folder, memory = estimate
    if free_disk is not None and free_disk < need.disk:
        raise ImportFailed(
            f"Importing {name} needs about {_size(need.disk)} of disk, {_size(free_disk)} are free in {folder}, "
            "where PostgreSQL keeps its data. Free some (`trigpoint snapshots` shows what maps are kept), or set "
            "TRIGPOINT_DATABASE_URL to a server with more room. Nothing was written."
        )
    if memory is not None and memory < need.memory >= SMALL_MEMORY:
        raise ImportFailed(
            f"Importing {name} needs about {_size(need.memory)} of memory, {_size(memory)} are free. "
            "End other programs, raise the container's limit, or take a smaller extract. Nothing was written."
        )


def data_folder(settings: Settings, data_directory: str | None) -> Path | None:
    """Where PostgreSQL keeps its data, if that is on this machine; None where it is elsewhere or nobody can tell.

    `data_directory` is what the server says, which it tells to few roles; else it is the private server that `make up`
    starts, if the database is at that one's port.
    """
    address = urlsplit(settings.database_url)
    if address.hostname not in LOCAL_HOSTS:
        return None
    if data_directory and Path(data_directory).is_dir():
        return Path(data_directory)
    folder = (settings.local_dir / "postgres").resolve()
    try:
        # Line 4 of a running server's pid file is its port; only its user and root may read it.
        port = int((folder / "postmaster.pid").read_text().splitlines()[3])
    except (OSError, ValueError, IndexError):
        return None
    return folder if port == (address.port or 5432) else None


def free_memory(root: Path) -> int | None:
    """Bytes that programs may still take: what the machine has, or its control group allows; None off Linux.

    `root` is the root of the file system. Pages of files that can be dropped count as free.
    """
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
        found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except (OSError, ValueError, IndexError):
        return None
    return min(found + _group_limits(root), default=None)


def _group_limits(root: Path) -> list[int]:
    """What each control group (version 2) above this process leaves; one without a limit leaves nothing to say."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    own = next((line[3:].strip("/") for line in lines if line.startswith("0::")), None)
    if own is None:
        return []
    top = root / "sys/fs/cgroup"
    group = top / own
    left = []
    for folder in (group, *group.parents):
        if not folder.is_relative_to(top):
            break
        try:
            limit = int((folder / "memory.max").read_text())
            used = int((folder / "memory.current").read_text())
            statistics = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        except (OSError, ValueError):  # no such file, or "max"
            continue
        droppable = sum(int(statistics.get(kind, 0)) for kind in ("inactive_file", "active_file"))
        left.append(max(0, limit - used + droppable))
    return left


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6))} MB"
