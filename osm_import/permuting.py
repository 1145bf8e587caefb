"""`trigpoint permute`: the map of a town under exchanged names, moved along its parallels: no real place.

A model that answers from memory of the real map is wrong on it; one that reasons over what it is told is not. The move
turns the whole map about the earth's axis by a whole number of 1e-7 degrees, the unit in which files store coordinates:
on the ellipsoid of WGS84 this changes no distance, direction or area. Coordinates: lon, lat, WGS84.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import osmium
from osmium.osm import Location, mutable
from osmium.osm.types import Node, Relation, Way

from app.core.errors import BadExtract, Conflict, UsageError
from app.core.permuted import FIRST_VERSION
from osm_import.downloading import extract_stem
from osm_import.osmium_errors import osmium_errors, read_entities
from osm_import.permuted_names import Names, Permuted

UNIT = 10_000_000
"""Coordinates in a degree, as files store them."""
CIRCLE = 360 * UNIT
LEAST_MOVE = 20 * UNIT
"""A map is moved at least so far, in either direction."""


class Written(NamedTuple):
    """What was written."""

    path: Path
    seed: int
    names: Permuted | None
    """None where names stay."""
    degrees: float
    """By how many degrees of longitude the map was moved to the east; 0 where it stays."""

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint permute --json`."""
        return {
            "path": str(self.path),
            "seed": self.seed,
            "names": None if self.names is None else self.names._asdict(),
            "degrees": self.degrees,
        }


class _Read(NamedTuple):
    names: Names
    west: int
    east: int


def permute(source: Path, target: Path, seed: int, *, names: bool, shift: bool) -> Written:
    """Write the extract with exchanged names, moved, or both, to `target` (.osm.pbf), and its .poly moved beside it.

    The same extract and seed give the same objects. Raises UsageError where nothing is to change or `target` has no
    right name, Conflict where it exists or `source` is permuted already, BadExtract where `source` cannot be read, or
    crosses the antimeridian and is to be moved.
    """
    _check(source, target, names=names, shift=shift)
    read = _read(source)
    permuted = read.names.exchange(seed) if names else None
    move = _choose_move(source, read, seed) if shift else 0
    _write(source, target, read.names if names else None, move)
    poly = source.with_name(extract_stem(source.name) + ".poly")
    if poly.is_file():
        text = poly.read_text(encoding="utf-8")
        target.with_name(extract_stem(target.name) + ".poly").write_text(
            _move_poly(text, move), encoding="utf-8"
        )
    return Written(target, seed, permuted, move / UNIT)


def _check(source: Path, target: Path, *, names: bool, shift: bool) -> None:
    if not (names or shift):
        raise UsageError("Nothing is to change: give --names, --shift or both.")
    if not source.is_file():
        raise UsageError(f"There is no file {source}. Name an extract.")
    if not target.name.endswith(".osm.pbf"):
        raise UsageError(f"{target.name} does not end in .osm.pbf, the format that is written.")
    if target.exists():
        raise Conflict(f"{target} exists. Remove it, or choose another --out.")


def _read(source: Path) -> _Read:
    """The names of the map, and how far it reaches in units of 1e-7 degrees."""
    names = Names()
    west, east = CIRCLE, -CIRCLE
    for one in read_entities(source, osmium.FileProcessor(str(source))):
        if isinstance(one, Node) and one.location.valid():
            west, east = min(west, one.location.x), max(east, one.location.x)
        assert isinstance(one, Node | Way | Relation), "extracts have no other objects"
        if one.version >= FIRST_VERSION:
            raise Conflict(f"{source.name} is permuted already. Permute the extract that it was made of.")
        if len(one.tags):
            names.collect(dict(one.tags), is_way=isinstance(one, Way))
    return _Read(names, west, east)


def _choose_move(source: Path, read: _Read, seed: int) -> int:
    """By how much to move to the east, so that the map does not come to lie over the antimeridian."""
    width = read.east - read.west
    if not 0 <= width < CIRCLE // 4:
        raise BadExtract(
            f"{source.name} crosses the antimeridian, is wider than 90 degrees or has no place at all: it cannot be "
            "moved."
        )
    for attempt in range(1_000):
        told = f"move {seed} {attempt}".encode()
        west = (
            int.from_bytes(hashlib.sha256(told).digest()[:8]) % (CIRCLE - width - 2 * UNIT)
            - CIRCLE // 2
            + UNIT
        )
        move = west - read.west
        if LEAST_MOVE <= move % CIRCLE <= CIRCLE - LEAST_MOVE:
            return move
    raise AssertionError("one of three draws is far enough")


def _write(source: Path, target: Path, names: Names | None, move: int) -> None:
    """All objects of the source, changed; the file appears when it is whole."""
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    file = osmium.io.File(str(part), "pbf,add_metadata=version+timestamp")
    header = _header(source, move)
    try:
        with osmium_errors(source), osmium.SimpleWriter(file, header=header, overwrite=True) as writer:
            for one in _changed(osmium.FileProcessor(str(source)), names, move):
                writer.add(one)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _changed(processor: osmium.FileProcessor, names: Names | None, move: int) -> Iterator[mutable.OSMObject]:
    for one in processor:
        assert isinstance(one, Node | Way | Relation), "extracts have no other objects"
        changes: dict[str, Any] = {"version": FIRST_VERSION + one.version}
        if names is not None and len(one.tags):
            changes["tags"] = names.renamed(dict(one.tags), is_way=isinstance(one, Way))
        if move and isinstance(one, Node) and one.location.valid():
            changes["location"] = Location(_moved(one.location.x, move) / UNIT, one.location.y / UNIT)
        yield one.replace(**changes)


def _moved(x: int, move: int) -> int:
    """A longitude in units of 1e-7 degrees, moved and brought into [-180°, 180°)."""
    return (x + move + CIRCLE // 2) % CIRCLE - CIRCLE // 2


def _header(source: Path, move: int) -> osmium.io.Header:
    """The source's date, and its box, moved; nothing says which server it came from."""
    with osmium_errors(source):
        old = osmium.io.Reader(str(source), osmium.osm.NOTHING).header()
    header = osmium.io.Header()
    header.set("generator", "trigpoint permute")
    header.set("sorting", "Type_then_ID")
    told = old.get("osmosis_replication_timestamp") or old.get("timestamp")
    for key in ("timestamp", "osmosis_replication_timestamp") if told else ():
        header.set(key, told)
    box = old.box()
    if box.valid():
        low, high = box.bottom_left, box.top_right
        west, east = _moved(low.x, move), _moved(high.x, move)
        if west < east:  # else the box, wider than what is in it, lies over the antimeridian
            header.add_box(
                osmium.osm.Box(Location(west / UNIT, low.y / UNIT), Location(east / UNIT, high.y / UNIT))
            )
    return header


def _move_poly(text: str, move: int) -> str:
    """A .poly file whose points are moved: lines of two numbers, between names and END."""
    lines = []
    for line in text.splitlines():
        parts = line.split()
        try:
            lon, lat = (float(part) for part in parts)
        except ValueError:
            lines.append(line)
            continue
        lines.append(f"   {_moved(round(lon * UNIT), move) / UNIT:.7f}   {lat!r}")
    return "\n".join(lines) + "\n"
