"""Benchmarks: N shifted copies of one extract as one larger extract, with a .poly of all outlines beside it.

Reads a small extract, writes OUT.osm.pbf and OUT.poly. Invariant: the same extract and N give the same bytes; copies
share no object, touch nowhere, and differ in nothing but ids, place, and the number behind names and addresses.
With --facts, writes a facts file too: of each anchor of each copy facts that no other anchor has.
usage: python -m perf.copies N [--of PATH] [--to OUT.osm.pbf] [--facts FACTS.jsonl]
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import osmium
import shapely
from osmium.osm.types import Area
from shapely import MultiPolygon

from app.cli.output import say
from app.core.errors import BadExtract, TrigpointError, UsageError
from app.core.identity import canonical_json
from app.core.settings import PROJECT_ROOT
from osm_import.downloading import extract_stem
from osm_import.heads import Box
from osm_import.osmium_errors import osmium_errors
from osm_import.outlines import COUNTRY_LEVELS, AdminArea, choose_outline
from osm_import.tag_tables import words
from osm_import.tagging import Form, admin_level, find_matches

DEFAULT = PROJECT_ROOT.parent / "shared" / "extracts" / "liechtenstein-2022-07-24.osm.pbf"
NUMBERED = re.compile(
    r"(?:[a-z]+_)?name(?::[A-Za-z-]{2,10})?|addr:(?:street|place|hamlet|suburb|district|city|full)"
)
"""Keys whose values carry the copy's number: names, cities and addresses."""
DEGREE = 10_000_000
"""OSM keeps seven decimals; coordinates are counted in those here."""
COLUMNS = 10
"""Copies beside each other in a row; the next row lies north of it."""
LIMIT = (180 * DEGREE, 75 * DEGREE)
ANCHORS = words(
    """
    aquarium attraction viewpoint art_gallery theme_park museum gallery zoo hotel university park nature_reserve garden
    stadium hospital
    """
)
"""Classes of the places that get facts: those that questions start from."""
FORMS = {"n": Form.NODE, "w": Form.RING, "r": Form.RELATION}
ESCAPED = re.compile(r"%([0-9a-f]{1,6})%")
ID_MARK, NAME_MARK = "\x01", "\x02"
CHUNK = 40_000
"""Lines given to the writer at once."""

Shift = tuple[int, int]


class NodeLine(NamedTuple):
    """An OPL line up to its place, and the place in seventh decimals of a degree."""

    head: str
    x: int
    y: int


@dataclass
class Original:
    """The extract to copy: OPL lines in which a mark stands wherever the copy's number belongs."""

    nodes: list[NodeLine]
    others: list[str]
    """Ways, then relations."""
    timestamp: str
    box: Box | None
    outline: MultiPolygon

    def step(self) -> Shift:
        """How far a copy is from the next one, in x and y: its whole extent and 0.1 degrees or more."""
        tenth = DEGREE // 10
        wide = max(node.x for node in self.nodes) - min(node.x for node in self.nodes)
        high = max(node.y for node in self.nodes) - min(node.y for node in self.nodes)
        return (wide // tenth + 2) * tenth, (high // tenth + 2) * tenth


def make_copies(number: int, source: Path, target: Path, facts: Path | None = None) -> None:
    """Write `number` copies of `source` to `target`, sorted, NAME.poly beside it, and facts of their anchors.

    Copy k (from 1) has the ids k * 10^d + id, where d is the number of digits of the largest id.
    Raises UsageError where so many copies find no room on earth; BadExtract for an extract without an outline.
    """
    if number < 1:
        raise UsageError("The number of copies is 1 or more.")
    original = read_original(source)
    shifts = find_shifts(number, original)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    file = osmium.io.File(str(part), "pbf,add_metadata=version+timestamp")
    with osmium.SimpleWriter(file, header=_make_header(original, shifts), overwrite=True) as writer:
        for lines in _chunks(_all_lines(original, shifts)):
            buffer = osmium.io.FileBuffer("".join(lines).encode(), "opl")
            osmium.apply(osmium.io.Reader(buffer), writer)
    part.rename(target)
    poly = target.with_name(extract_stem(target.name) + ".poly")
    poly.write_text(make_poly(poly.stem, original.outline, shifts), encoding="utf-8")
    if facts is not None:
        facts.parent.mkdir(parents=True, exist_ok=True)
        facts.write_text("".join(make_facts(number, original)), encoding="utf-8")


def make_facts(number: int, original: Original) -> Iterator[str]:
    """Lines of a facts file: of each copy's named anchors an architect and a capacity that no other has, and a year."""
    anchors = [line.split(" ", 1)[0] for line in _lines_with_tags(original) if _is_anchor(line)]
    for serial, (copy, anchor) in enumerate(
        ((copy, anchor) for copy in range(1, number + 1) for anchor in anchors), 1
    ):
        facts = {
            "architect": f"Baumeister {serial}",
            "capacity": 10 + serial,
            "start_year": 1000 + serial % 1000,
        }
        for attribute, value in facts.items():
            fact = {"subject": _number(anchor, copy), "attribute": attribute, "value": value}
            yield canonical_json({**fact, "credit": "the register of copies"}) + "\n"


def _lines_with_tags(original: Original) -> Iterator[str]:
    yield from (node.head for node in original.nodes if "=" in node.head)
    yield from (line for line in original.others if "=" in line)


def _is_anchor(line: str) -> bool:
    field = next(field for field in line.split(" ") if field[0] == "T")
    pairs = (tag.partition("=") for tag in field[1:].split(",") if tag)
    tags = {_plain(key): _plain(value) for key, _, value in pairs}
    matches = find_matches(tags, FORMS[line[0]])
    return "name" in tags and any(match.layer == "poi" and match.klass in ANCHORS for match in matches)


def _plain(text: str) -> str:
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text.replace(NAME_MARK, ""))


def find_shifts(number: int, original: Original) -> list[Shift]:
    """The (x, y) by which each copy is moved; the first stays where it is."""
    wide, high = original.step()
    shifts = [(k % COLUMNS * wide, k // COLUMNS * high) for k in range(number)]
    east = max(node.x for node in original.nodes) + max(x for x, _ in shifts)
    north = max(node.y for node in original.nodes) + max(y for _, y in shifts)
    if east >= LIMIT[0] or north >= LIMIT[1]:
        raise UsageError(f"{number} copies of this extract do not fit on earth. Ask for fewer.")
    return shifts


def read_original(source: Path) -> Original:
    """The extract's objects as marked OPL lines, and its outline. Raises BadExtract where it has none."""
    with osmium_errors(source), tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "original.opl"
        reader = osmium.io.Reader(str(source))
        header = reader.header()
        with osmium.SimpleWriter(osmium.io.File(str(text), "opl")) as writer:
            osmium.apply(reader, writer)
        lines = text.read_text(encoding="utf-8").splitlines()
    ids = [int(line[1 : line.index(" ")]) for line in lines]
    if not ids or min(ids) < 1:
        raise BadExtract(f"{source.name} holds no objects, or ids below 1: it cannot be copied.")
    digits = len(str(max(ids)))
    nodes = [_mark_node(line.split(" "), digits) for line in lines if line[0] == "n"]
    others = [_mark_other(line.split(" "), digits) for line in lines if line[0] in "wr"]
    return Original(nodes, others, _find_time(header, lines), _find_box(header), _find_outline(source, nodes))


def make_poly(name: str, outline: MultiPolygon, shifts: Sequence[Shift]) -> str:
    """The outlines of all copies as an Osmosis polygon file."""
    lines, number = [name], 0
    for dx, dy in shifts:
        for polygon in outline.geoms:
            for sign, ring in [("", polygon.exterior), *(("!", hole) for hole in polygon.interiors)]:
                number += 1
                places = np.rint(shapely.get_coordinates(ring) * DEGREE).astype(int) + np.array([dx, dy])
                lines.append(f"{sign}{number}")
                lines += [f"   {_degrees(x)}   {_degrees(y)}" for x, y in places.tolist()]
                lines.append("END")
    return "\n".join([*lines, "END", ""])


def _find_time(header: osmium.io.Header, lines: Sequence[str]) -> str:
    """The header's timestamp, else that of the latest object."""
    told = header.get("osmosis_replication_timestamp") or header.get("timestamp")
    return told or max(line.split(" ", 5)[4] for line in lines)[1:]


def _find_box(header: osmium.io.Header) -> Box | None:
    box = header.box()
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return Box(low.lon, low.lat, high.lon, high.lat)


def _find_outline(source: Path, nodes: Sequence[NodeLine]) -> MultiPolygon:
    """The one complete country or state of the extract, as an import would find it."""
    borders = osmium.filter.TagFilter(("boundary", "administrative"))
    processor = osmium.FileProcessor(str(source)).with_areas(borders)
    only_areas = osmium.filter.EntityFilter(osmium.osm.AREA)
    processor.with_filter(only_areas)
    factory = osmium.geom.WKBFactory()
    areas = []
    for area in processor:
        level = admin_level(dict(area.tags)) if isinstance(area, Area) else None
        if isinstance(area, Area) and level in COUNTRY_LEVELS and not area.from_way() and area.num_rings()[0]:
            geometry = shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(area)))
            areas.append(AdminArea(f"r{area.orig_id()}", level, geometry))
    places = np.array([(node.x, node.y) for node in nodes]) / DEGREE
    outline = choose_outline(None, areas, lambda: places, None).geometry
    if outline is None:
        raise BadExtract(
            f"{source.name} holds no complete country or state: its copies would have no outline."
        )
    return outline


def _make_header(original: Original, shifts: Sequence[Shift]) -> osmium.io.Header:
    header = osmium.io.Header()
    header.set("generator", "trigpoint copies")
    header.set("sorting", "Type_then_ID")
    for key in ("timestamp", "osmosis_replication_timestamp"):
        header.set(key, original.timestamp)
    if original.box is not None:
        east, north = (max(shift[axis] for shift in shifts) / DEGREE for axis in (0, 1))
        box = osmium.osm.Box(
            original.box.west, original.box.south, original.box.east + east, original.box.north + north
        )
        header.add_box(box)
    return header


def _all_lines(original: Original, shifts: Sequence[Shift]) -> Iterator[str]:
    """All lines of all copies: nodes, ways, relations, each kind copy after copy."""
    ways = [line for line in original.others if line[0] == "w"]
    relations = [line for line in original.others if line[0] == "r"]
    for number, (dx, dy) in enumerate(shifts, 1):
        say(f"copy {number} of {len(shifts)}: {len(original.nodes)} nodes")
        for head, x, y in original.nodes:
            yield f"{_number(head, number)} x{(x + dx) / DEGREE:.7f} y{(y + dy) / DEGREE:.7f}\n"
    for lines in (ways, relations):
        say(f"{len(shifts)} times {len(lines)} {'ways' if lines is ways else 'relations'}")
        for number in range(1, len(shifts) + 1):
            for line in lines:
                yield f"{_number(line, number)}\n"


def _number(line: str, number: int) -> str:
    return line.replace(ID_MARK, str(number)).replace(NAME_MARK, f"%20%{number}")


def _chunks(lines: Iterator[str]) -> Iterator[list[str]]:
    while chunk := list(islice(lines, CHUNK)):
        yield chunk


def _mark_node(fields: list[str], digits: int) -> NodeLine:
    *rest, x, y = fields
    if len(x) < 2 or len(y) < 2:
        raise BadExtract(f"Node {fields[0]} has no place: this extract cannot be copied.")
    head = _mark_fields(rest, digits)
    return NodeLine(head, round(float(x[1:]) * DEGREE), round(float(y[1:]) * DEGREE))


def _mark_other(fields: list[str], digits: int) -> str:
    *rest, references = fields
    marked = [_mark_reference(one, digits) for one in references[1:].split(",")] if references[1:] else []
    return f"{_mark_fields(rest, digits)} {references[0]}{','.join(marked)}"


def _mark_fields(fields: list[str], digits: int) -> str:
    """The fields of a line up to its tags, with marks in the id and behind names."""
    first, *middle, tags = fields
    marked = [_mark_tag(*tag.split("=")) for tag in tags[1:].split(",")] if tags[1:] else []
    return " ".join([_mark_reference(first, digits), *middle, tags[0] + ",".join(marked)])


def _mark_tag(key: str, value: str) -> str:
    if NUMBERED.fullmatch(key):
        value = ";".join(part + NAME_MARK if part else "" for part in value.split(";"))
    return f"{key}={value}"


def _mark_reference(text: str, digits: int) -> str:
    """n12 or w12@role: the copy's number leads the id, which is filled up to `digits` digits."""
    number, at, role = text[1:].partition("@")
    return f"{text[0]}{ID_MARK}{number.zfill(digits)}{at}{role}"


def _degrees(value: int) -> str:
    return f"{value / DEGREE:.7f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m perf.copies", description="Shifted copies of an extract."
    )
    parser.add_argument("number", type=int, help="how many copies")
    parser.add_argument("--of", type=Path, default=DEFAULT, help=f"the extract (default: {DEFAULT.name})")
    parser.add_argument("--to", type=Path, help="the file to write (default: .local/bench/NAME-xN.osm.pbf)")
    parser.add_argument("--facts", type=Path, help="a facts file to write, of every anchor of every copy")
    options = parser.parse_args(arguments)
    stem = extract_stem(options.of.name)
    target = options.to or PROJECT_ROOT / ".local" / "bench" / f"{stem}-x{options.number}.osm.pbf"
    try:
        if not options.of.is_file():
            raise UsageError(f"There is no file {options.of}. Name an extract with --of.")
        make_copies(options.number, options.of, target, options.facts)
    except TrigpointError as error:
        say(f"copies: {error}")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
