"""Benchmarks: osm2pgsql as a peer: the same rows of five layers from the same file, with the same indexes.

Reads an extract, tag_tables.py and schema.sql; writes tables poi, park, water, road and region into schema public of a
fresh database. Invariant: rules of tagging and indexes are taken from where our import takes them.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

from app.core.errors import ImportFailed, UsageError
from app.core.scripts import script
from app.core.settings import PROJECT_ROOT
from osm_import import tag_tables

LAYERS = ("poi", "park", "water", "road", "region")
"""The layers that both sides make."""
STYLE = Path(__file__).with_name("style.lua")
TABLES = PROJECT_ROOT / ".local" / "bench" / "tagging.lua"
CODE_POINTS = 0x10000
"""Letters beyond the basic plane tell no script to the peer: none of the maps measured has any."""


def find_program() -> str:
    """The path of osm2pgsql. Raises UsageError that says how to get it."""
    program = shutil.which("osm2pgsql")
    if program is None:
        raise UsageError(
            "osm2pgsql, the peer that imports are measured against, is not installed. "
            "Run `scripts/packages peer`, or `apt-get install osm2pgsql`."
        )
    return program


def write_tables(path: Path = TABLES) -> Path:
    """The tables of tag_tables.py as a Lua file that style.lua reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"return {_lua(_tables())}\n", encoding="utf-8")
    return path


def load_command(extract: Path) -> list[str]:
    """The command line of one load; the database is told by `load_environment`."""
    return [find_program(), "--output=flex", f"--style={STYLE}", "--extra-attributes", str(extract)]


def load_environment(url: str, tables: Path) -> dict[str, str]:
    """The environment of a load into the database at `url`, with the password out of the command line."""
    parts = urlsplit(url)
    return os.environ | {
        "TRIGPOINT_TAGGING": str(tables),
        "PGHOST": parts.hostname or "",
        "PGPORT": str(parts.port or 5432),
        "PGUSER": parts.username or "",
        "PGPASSWORD": parts.password or "",
        "PGDATABASE": parts.path.strip("/"),
    }


def load(extract: Path, url: str) -> None:
    """Load one extract, without indexes. Raises ImportFailed with what osm2pgsql said last."""
    done = subprocess.run(
        load_command(extract),
        env=load_environment(url, write_tables()),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ImportFailed(f"osm2pgsql failed: {' / '.join(done.stderr.strip().splitlines()[-3:])}")


def index_commands(folder: Path) -> list[list[str]]:
    """One psql a layer, to be run at once with the environment of a load; their SQL is written into `folder`."""
    commands = []
    for layer, statements in index_statements().items():
        file = folder / f"index-{layer}.sql"
        file.write_text("\n".join(statements), encoding="utf-8")
        commands.append(["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--file={file}"])
    return commands


def index_statements() -> dict[str, list[str]]:
    """What schema.sql does with the tables of the five layers once they are full, by layer, in its order."""
    schema = (PROJECT_ROOT / "osm_import" / "schema.sql").read_text(encoding="utf-8")
    statements: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    statements["poi"] += re.findall(r"^create table poi_class \(.*?\);", schema, re.MULTILINE | re.DOTALL)
    of_table = re.compile(
        r"^(?:alter table (?P<a>\w+) add primary key|create index \w+ on (?P<b>\w+)|insert into (?P<c>poi_class))"
        r"[^;]*;",
        re.MULTILINE,
    )
    for found in of_table.finditer(schema):
        table = found["a"] or found["b"] or found["c"]
        layer = "poi" if table == "poi_class" else table
        if layer in statements:
            statements[layer].append(found[0])
    statements["poi"].append("analyze poi_class;")  # osm2pgsql has analysed the layers
    return statements


def _tables() -> dict[str, object]:
    """What style.lua looks things up in, by the names it uses."""
    node_keys = frozenset([*tag_tables.POI, *tag_tables.PARK])
    return {
        "node_keys": node_keys,
        "shape_keys": node_keys | {*tag_tables.WATER_AREA, "water", "highway", "boundary", "place"},
        "poi": _rules(tag_tables.POI),
        "not_a_value": tag_tables.NOT_A_VALUE,
        "poi_only_with": {
            f"{key}={value}": [second, allowed]
            for (key, value), (second, allowed) in tag_tables.POI_ONLY_WITH.items()
        },
        "poi_only_named": frozenset(f"{key}={value}" for key, value in tag_tables.POI_ONLY_NAMED),
        "poi_never": [list(pair) for pair in sorted(tag_tables.POI_NEVER)],
        "poi_public_keys": tag_tables.POI_PUBLIC_KEYS,
        "poi_public_classes": tag_tables.POI_PUBLIC_CLASSES,
        "private": tag_tables.PRIVATE,
        "park": _rules(tag_tables.PARK),
        "water_area": _rules(tag_tables.WATER_AREA),
        "water_line": tag_tables.WATER_LINE,
        "water_line_natural": tag_tables.WATER_LINE_NATURAL,
        "road": tag_tables.ROAD,
        "drivable": tag_tables.DRIVABLE,
        "region_classes": tag_tables.REGION_CLASSES,
        "region_places": tag_tables.REGION_PLACES,
        "admin_level_classes": tag_tables.ADMIN_LEVEL_CLASSES,
        "region_unknown": tag_tables.REGION_UNKNOWN,
        "lifecycle": list(tag_tables.LIFECYCLE),
        "scripts": _scripts(),
    }


def _rules(table: Mapping[str, str]) -> list[object]:
    """[key, set of values] in the table's order."""
    return [[key, tag_tables.words(values)] for key, values in table.items()]


def _scripts() -> list[list[object]]:
    """[first code point, last, script] of every run of letters of one script."""
    runs = groupby(range(CODE_POINTS), lambda point: script(chr(point)))
    found = [(script, list(points)) for script, points in runs if script]
    return [[points[0], points[-1], script] for script, points in found]


def _lua(value: object) -> str:
    """A Lua constant; a set becomes a table of trues."""
    match value:
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case int():
            return str(value)
        case list():
            return "{" + ", ".join(map(_lua, value)) + "}"
        case frozenset():
            return "{" + ", ".join(f"[{_lua(item)}] = true" for item in sorted(value)) + "}"
        case dict():
            return "{" + ", ".join(f"[{_lua(key)}] = {_lua(item)}" for key, item in value.items()) + "}"
    raise TypeError(f"{type(value).__name__} has no Lua form here")
