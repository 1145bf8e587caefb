"""Maps written as OPL, one object a line, for tests that read or import them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import osmium
import psycopg
import pytest

from app.core.settings import Settings
from osm_import.features import Feature, Reject
from osm_import.progress import Silent
from osm_import.reading import ExtractReader

# A grid of nodes a thousandth of a degree apart: n11 is at 9.001 47.001, n23 at 9.002 47.003, …
GRID = [f"n{x}{y} v1 x{9 + x / 1000:.7f} y{47 + y / 1000:.7f}" for x in range(1, 10) for y in range(1, 10)]


@pytest.fixture
def write_map(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes OPL lines (on top of the grid's nodes) as a sorted map file."""

    def write(
        *lines: str,
        name: str = "toy.osm.pbf",
        box: tuple[float, ...] | None = None,
        grid: bool = True,
        timestamp: str = "2024-05-06T07:08:09Z",
        sequence: int | None = None,
    ) -> Path:
        lines = tuple(line.strip() for line in lines)
        known = {line.split()[0] for line in lines}
        nodes = [line for line in GRID if line.split()[0] not in known] if grid else []
        ordered = sorted([*nodes, *lines], key=lambda line: ("nwr".index(line[0]), int(line.split()[0][1:])))
        header = osmium.io.Header()
        header.set("osmosis_replication_timestamp", timestamp)
        if sequence is not None:
            header.set("osmosis_replication_sequence_number", str(sequence))
        if box:
            header.add_box(osmium.osm.Box(*box))
        target = tmp_path / name
        data = ("\n".join(ordered) + "\n").encode()
        with osmium.SimpleWriter(str(target), header=header, overwrite=True) as writer:
            for entity in osmium.FileProcessor(osmium.io.FileBuffer(data, "opl")):
                writer.add(entity)
        return target

    return write


@pytest.fixture
def read(write_map: Callable[..., Path]) -> Callable[..., list[Feature | Reject]]:
    """A function that reads OPL lines and gives everything that comes out."""
    return lambda *lines: read_all(write_map(*lines))


def read_all(path: Path) -> list[Feature | Reject]:
    """Everything that comes out of a map file."""
    with ExtractReader(path, Silent()) as reader:
        return [*reader.rows(), *reader.relation_rows()]


@pytest.fixture(scope="module")
def module_database(make_database: Callable[[], Settings]) -> Settings:
    """One database for a module: making and dropping one costs more than most imports here."""
    return make_database()


@pytest.fixture
def database(module_database: Settings, superuser_of: Callable[[Settings], str]) -> Iterator[Settings]:
    """The module's database, with every snapshot removed after the test."""
    yield module_database
    with psycopg.connect(superuser_of(module_database)) as connection:
        connection.execute("drop event trigger if exists full_disk")
        for (schema,) in connection.execute(
            "select nspname from pg_namespace where nspname ~ '^(osm|reference)_'"
        ).fetchall():
            connection.execute(f"drop schema {schema} cascade".encode())
        connection.execute("delete from trigpoint.snapshot")
