"""The hostile corpus: what to import, and what must come of it. A case is a name, a writer and an expectation.

`refused` is a regular expression that the one sentence must hold; without it the map must be published, and every thing
stand in its layers or in `reject`. `fates` says more: "poi n5" (or "n5", all its layers) -> `kept`, `repaired` or a reason,
several with | between them.
"""

import bz2
import gzip
import os
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.osm_import import raw_maps
from tests.osm_import.raw_maps import (
    Thing,
    again,
    blob,
    grid,
    header,
    node,
    outers,
    pbf,
    raw,
    relation,
    scalar,
    varint,
    way,
    with_grid,
    xml,
)  # fmt: skip

Things = Callable[[], list[Thing]]


@dataclass(frozen=True)
class Case:
    """One hostile input."""

    write: Callable[[Path], Path | str]
    """Puts it into a folder; gives what the command is to be called with."""
    refused: str = ""
    code: int = 1
    fates: dict[str, str] = field(default_factory=dict)
    things: Things | None = None
    options: tuple[str, ...] | None = None
    """Put after the source in place of `--name`."""
    either: bool = False
    """May be refused as well as published."""
    long: bool = False


CASES: dict[str, Case] = {}


def _writer(name: str, data: Callable[[], bytes], beside: dict[str, bytes]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        for other, content in beside.items():
            (folder / other).write_bytes(content)
        path = folder / name
        path.write_bytes(data())
        return path

    return write


def refuse(case: str, words: str, data: Callable[[], bytes], name: str = "x.osm.pbf", **more: object) -> None:
    """A file that must be refused in a sentence with these words."""
    CASES[case] = Case(_writer(name, data, {}), refused=words, **more)  # type: ignore[arg-type]


def publish(
    case: str,
    things: Things,
    fates: dict[str, str] | None = None,
    how: Callable[[list[Thing]], bytes] = pbf,
    name: str = "x.osm.pbf",
    beside: dict[str, bytes] | None = None,
    **more: object,
) -> None:
    """A map that must be published with nothing lost."""
    write = _writer(name, lambda: how(things()), beside or {})
    CASES[case] = Case(write, fates=fates or {}, things=things, **more)  # type: ignore[arg-type]


def toy(*more: Thing) -> Things:
    """The grid and these things."""
    return lambda: with_grid(*more)


def plain() -> bytes:
    """A small good map."""
    return pbf(grid())


def flipped(data: bytes, place: int) -> bytes:
    """One bit turned over; places from the end are negative."""
    changed = bytearray(data)
    changed[place] ^= 0x10
    return bytes(changed)


# --- files that are no whole map --------------------------------------------------------------------------

refuse("empty file", "is empty", lambda: b"")
refuse("web page", "is a web page", lambda: b"<!DOCTYPE html><html><body>404</body></html>")
refuse("gzip called pbf", "does not begin like", lambda: gzip.compress(xml(grid())))
refuse("xml called pbf", "does not begin like", lambda: xml(grid()))
refuse("pbf called xml", "does not begin like", plain, "x.osm")
refuse("picture", "does not begin like", lambda: b"\x89PNG\r\n\x1a\n" + bytes(500))
refuse("zeros", "does not begin like", lambda: bytes(100_000))
refuse("pbf cut in its header", "cut off", lambda: plain()[:20])
refuse("pbf cut in a block", "cut off", lambda: plain()[:-50])
refuse("pbf cut in a blob header", "cut off|damaged", lambda: plain() + plain()[:9])
refuse("pbf flipped in compressed data", "damaged", lambda: flipped(plain(), -40))
refuse("pbf flipped in a length", "cut off|damaged", lambda: flipped(plain(), 0))
refuse(
    "pbf with a blob header of 4 GB", "damaged|cut off",
    lambda: blob("OSMHeader", header()) + b"\xff\xff\xff\xff" + bytes(99),
)  # fmt: skip
refuse(
    "pbf that says it unpacks to 2 GB", "damaged",
    lambda: blob("OSMHeader", header())
    + blob("OSMData", b"", lambda _: scalar(2, varint(2**31 - 1)) + raw_maps.message(3, zlib.compress(bytes(10**6)))),
)  # fmt: skip
refuse(
    "pbf that needs an unknown feature", "Quantum",
    lambda: pbf(grid(), header(("OsmSchema-V0.6", "Quantum"))),
)  # fmt: skip
refuse(
    "pbf with lzma", "LZMA|lzma|damaged", lambda: pbf(grid(), compress=lambda data: scalar(2, varint(len(data))) + raw_maps.message(4, data))
)  # fmt: skip
refuse(
    "pbf with zstd", "zstd|ZSTD|damaged", lambda: pbf(grid(), compress=lambda data: scalar(2, varint(len(data))) + raw_maps.message(7, data))
)  # fmt: skip
refuse("history by its header", "history or change file",
       lambda: pbf(grid(), header(("OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"))))  # fmt: skip
refuse("history by its name", "history|not a map file", plain, "x.osh.pbf")
refuse("history by its xml name", "history|not a map file", lambda: xml(grid()), "x.osh")
refuse("two versions, not called a history", "twice|two versions|not sorted",
       lambda: pbf([*grid()[:1], again(grid()[0], version=2), *grid()[1:]]))  # fmt: skip
refuse("an object twice", "twice|not sorted", lambda: pbf([*grid()[:1], *grid()]))
refuse("a way twice", "twice|not sorted", lambda: pbf([*grid(), grid()[-1]]))
refuse(
    "change file by its name", "not a map file|change file", lambda: xml(grid(), root="osmChange"), "x.osc"
)
refuse("change file, packed", "not a map file|change file", lambda: gzip.compress(xml(grid(), root="osmChange")), "x.osc.gz")  # fmt: skip
refuse("change file called a map", "change file", lambda: xml(grid(), root="osmChange"), "x.osm")
refuse("change file called a packed map", "change file", lambda: gzip.compress(xml(grid(), root="osmChange")), "x.osm.gz")  # fmt: skip
refuse("ways before nodes", "not sorted", lambda: pbf([*grid()[::-1]]))
refuse("nodes after relations", "not sorted",
       lambda: pbf([*grid(), relation(1, [], type="site"), node(9000, amenity="cafe")]))  # fmt: skip
refuse("gz cut", "cut off|cannot be unpacked", lambda: gzip.compress(xml(grid()))[:-30], "x.osm.gz")
refuse("gz with a wrong checksum", "damaged|cut off|cannot be", lambda: flipped(gzip.compress(xml(grid())), -6), "x.osm.gz")  # fmt: skip
refuse("bz2 cut", "cut off|cannot be", lambda: bz2.compress(xml(grid()))[:-30], "x.osm.bz2")
refuse(
    "bz2 flipped",
    "damaged|cut off|cannot be|does not begin",
    lambda: flipped(bz2.compress(xml(grid())), 200),
    "x.osm.bz2",
)
refuse("xml cut", "cut off|damaged", lambda: xml(grid())[:-30], "x.osm")
refuse(
    "xml cut in a letter", "cut off|damaged", lambda: xml([node(1, name="é")]).partition(b"\xa9")[0], "x.osm"
)
refuse("xml with more after its end", "damaged|cut off", lambda: xml(grid()) + b"<osm/>", "x.osm")
refuse("xml with a control character", "damaged",
       lambda: xml([*grid(), node(9000, name="a")]).replace(b'v="a"', b'v="&#1;"'), "x.osm")  # fmt: skip
refuse("xml with a bomb of entities", "damaged",
       lambda: b'<?xml version="1.0"?><!DOCTYPE osm [<!ENTITY a "' + b"x" * 1000 + b'">'
       + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 40) for n in range(8))
       + b']><osm version="0.6"><node id="1" lat="1" lon="1"><tag k="a" v="&i;"/></node></osm>', "x.osm")  # fmt: skip
refuse("xml of another version", "damaged|version", lambda: xml(grid()).replace(b'"0.6"', b'"0.5"'), "x.osm")
refuse("only changesets", "no place, road or address|does not begin",
       lambda: b'<?xml version="1.0"?><osm version="0.6"><changeset id="1" created_at="2020-01-01T00:00:00Z" open="false"/></osm>',
       "x.osm")  # fmt: skip
refuse("only nodes without tags", "no place, road or address", lambda: pbf(grid()[1:-1]))
refuse("empty map with a good header", "no place, road or address", lambda: pbf([]))
refuse("empty xml map", "no place, road or address", lambda: xml([]), "x.osm")
for number in ("99999999999999999999", "9223372036854775808", "1e3", "x", "", "1 "):
    refuse(f"id {number!r} in xml", "damaged|id", lambda number=number: xml(grid()).replace(b'id="99"', f'id="{number}"'.encode()), "x.osm")  # type: ignore[misc]  # fmt: skip
refuse("text where a coordinate should be", "damaged", lambda: xml([*grid(), node(9000, "NaN", "47", amenity="cafe")]), "x.osm")  # fmt: skip
refuse(
    "value of 100 kB in xml", "damaged|too long", lambda: xml(with_grid(node(5, name="x" * 100_000))), "x.osm"
)
refuse("value of 100 kB", "damaged|too long", lambda: pbf(with_grid(node(5, name="x" * 100_000))))
refuse("NUL in a tag", "NUL|U\\+0000", lambda: pbf(with_grid(node(5, name=b"a\0b", amenity="cafe"))))
refuse(
    "NUL in two tags",
    "NUL|U\\+0000",
    lambda: pbf(with_grid(node(5, name=b"a\0b", amenity="cafe", note=b"\n\0"))),
)


# --- maps that are odd and must be imported --------------------------------------------------------------

publish("a good map", toy(), {"poi n99": "kept", "road w99": "kept"})
for ending, packed_as in (
    (".osm", lambda data: data),
    (".osm.gz", gzip.compress),
    (".osm.bz2", bz2.compress),
):
    publish(f"xml as {ending}", toy(), {"n99": "kept", "w99": "kept"}, lambda things, packed_as=packed_as: packed_as(xml(things)), f"x{ending}")  # type: ignore[misc]  # fmt: skip


def _in_two(pack: Callable[[bytes], bytes]) -> Callable[[list[Thing]], bytes]:
    def write(things: list[Thing]) -> bytes:
        data = xml(things)
        return pack(data[:2000]) + pack(data[2000:])

    return write


publish("gz of two members", toy(), {"w99": "kept"}, _in_two(gzip.compress), "x.osm.gz")
publish("bz2 of two streams, as pbzip2 writes", toy(), {"w99": "kept"}, _in_two(bz2.compress), "x.osm.bz2")
publish("gz with zeros after it", toy(), {"w99": "kept"}, lambda things: gzip.compress(xml(things)) + bytes(512), "x.osm.gz", either=True)  # fmt: skip
publish("pbf that is not compressed", toy(), {"w99": "kept"}, lambda things: pbf(things, compress=raw))
publish("pbf with a blob of an unknown kind", toy(), {"w99": "kept"}, lambda things: pbf(things) + blob("Surprise", b"x"), either=True)  # fmt: skip
publish("ids out of order within a type", lambda: [*grid()[:1], *grid()[1:-1][::-1], grid()[-1]], {"w99": "kept"}, either=True)  # fmt: skip

for power in (33, 40, 53, 62):
    big = 2**power + 7
    publish(f"ids from 2^{power}", lambda big=big: with_grid(  # type: ignore[misc]
        node(big, 9.5, 47.5, amenity="cafe"), node(big + 1, 9.6, 47.5), way(big, [big, big + 1, 100], highway="residential"),
        way(big + 1, [100, 110, 111, 100], leisure="park", name="P"), relation(big, outers(big + 1), type="multipolygon", natural="water"),
    ), {f"n{big}": "kept", f"w{big}": "kept", f"w{big + 1}": "kept", f"r{big}": "kept"})  # fmt: skip


def _negative() -> list[Thing]:
    things = with_grid(
        node(-1, 9.5, 47.5, amenity="cafe"), node(-2, 9.6, 47.5), way(-1, [-2, -1], highway="residential"),
        way(-2, [100, 110, 111, 100], leisure="park"), relation(-1, outers(-2), type="multipolygon", natural="water"),
    )  # fmt: skip
    return [again(thing, version=0 if thing.id < 0 else thing.version, stamp=0) for thing in things]


refuse("new objects, as JOSM saves them", "unsaved edits.*osmium renumber",
       lambda: xml(_negative()).replace(b'version="0"', b'action="modify"'), "x.osm")  # fmt: skip
refuse("new objects in a pbf", "unsaved edits.*osmium renumber", lambda: pbf(_negative()))
publish("deleted objects", lambda: with_grid(
    again(node(5, amenity="cafe"), visible=False), again(way(5, [100, 110], highway="residential"), visible=False),
    again(way(6, [100, 110, 111, 100], leisure="park"), visible=False),
    again(relation(5, outers(6), type="multipolygon", natural="water"), visible=False),
), how=xml, name="x.osm")  # fmt: skip
publish("deleted objects in a pbf", lambda: with_grid(
    again(node(5, amenity="cafe"), visible=False), again(way(5, [100, 110], highway="residential"), visible=False)))  # fmt: skip

OFF = {"lon 190": (190, 47), "lat 95": (9, 95), "both far off": (-200, -91), "beyond int32": (214.9, 47)}
for place_name, place in OFF.items():
    publish(f"node at {place_name}", toy(node(5, *place, amenity="cafe"), node(6, *place), way(5, [6, 100], highway="residential"),
                                         way(6, [100, 6, 111, 100], leisure="park")),
            {"n5": "bad_location", "w5": "missing_nodes|bad_location", "w6": "missing_nodes|bad_location"})  # fmt: skip
    publish(f"xml node at {place_name}", toy(node(5, *place, amenity="cafe"), node(6, *place), way(5, [6, 100], highway="residential")),
            {"n5": "bad_location"}, xml, "x.osm", either=True)  # fmt: skip
publish("nodes without a place", toy(node(5, None, None, amenity="cafe"), node(6, None, None), way(5, [6, 100], highway="residential")),
        {"n5": "bad_location", "w5": "missing_nodes|bad_location|too_few_points"}, xml, "x.osm")  # fmt: skip
publish("nodes without a place in a pbf", lambda: [again(thing, place=None) if thing.key in ("n5", "n6") else thing for thing in
        with_grid(node(5, amenity="cafe"), node(6), way(5, [6, 100], highway="residential"))],
        {"n5": "bad_location", "w5": "missing_nodes|bad_location|too_few_points"}, either=True)  # fmt: skip
publish("nodes with half a place", toy(node(5, 9, None, amenity="cafe"), node(6, None, 47, amenity="cafe")),
        {"n5": "bad_location", "n6": "bad_location"}, xml, "x.osm", either=True)  # fmt: skip
publish("the ends of the earth", toy(
    node(5, 180, 47, amenity="cafe"), node(6, -180, 47, amenity="cafe"), node(7, 9, 90, amenity="cafe"),
    node(8, 9, -90, amenity="cafe"), node(9, 0, 0, amenity="cafe"), node(10, 180, 90, amenity="cafe"),
    node(11, 179.9, 10), node(12, -179.9, 10), node(13, -179.9, 10.1), node(14, 179.9, 10.1), node(15, 0, 90), node(16, 90, 89.9),
    way(5, [11, 12], highway="residential"), way(6, [11, 12, 13, 14, 11], leisure="park", name="Across"),
    way(7, [15, 16, 7, 15], natural="water"), way(8, [9, 100], highway="residential"),
), {**{f"n{number}": "kept" for number in (5, 6, 7, 8, 9, 10)}, "w5": "kept|repaired", "w6": "kept|repaired", "w8": "kept"})  # fmt: skip

publish("ways that are hardly ways", toy(
    way(1, [], highway="residential"), way(2, [100], highway="residential"), way(3, [100] * 5, highway="residential"),
    way(4, [100, 100, 110, 110], highway="residential"), way(5, [100, 110, 100], highway="residential"),
    way(6, [], leisure="park"), way(7, [100], leisure="park"), way(8, [100] * 5, leisure="park"), way(9, [100, 110, 100], leisure="park"),
    way(10, [100, 110, 120, 100], leisure="park"), way(11, [100, 110, 100, 110, 100], natural="water"),
    way(12, [100, 100, 110, 111, 111, 100], leisure="park"), way(13, [], waterway="stream"),
), {
    "w1": "too_few_points", "w2": "too_few_points", "w3": "too_few_points", "w4": "kept", "w5": "kept",
    "w6": "line_not_area|too_few_points", "w7": "line_not_area|too_few_points", "w8": "no_area|line_not_area|too_few_points",
    "w9": "line_not_area", "w10": "no_area", "w11": "no_area", "w12": "kept|repaired", "w13": "too_few_points",
})  # fmt: skip
publish("ways whose nodes are missing", toy(
    way(1, [1, 2, 3], highway="residential"), way(2, [1, 100, 110], highway="residential"), way(3, [100, 110, 1], highway="residential"),
    way(4, [100, 1, 110], highway="residential"), way(5, [100, 1], highway="residential"), way(6, [1, 2, 3, 1], leisure="park"),
    way(7, [100, 110, 1, 100], leisure="park"), way(8, [1, 100, 110, 111, 1], natural="water"), way(9, [1, 100, 110], waterway="stream"),
    relation(1, outers(7), type="multipolygon", natural="water", name="Cut"),
), {
    "w1": "missing_nodes", "w2": "repaired", "w3": "repaired", "w4": "missing_nodes", "w5": "missing_nodes", "w6": "missing_nodes",
    "w7": "missing_nodes", "w8": "missing_nodes", "w9": "repaired", "r1": "missing_nodes",
})  # fmt: skip
publish("rings that touch and cross themselves", toy(
    way(1, [100, 110, 111, 101, 100, 120, 122, 102, 100], leisure="park", name="Touches a node"),
    way(2, [100, 111, 110, 101, 100], leisure="park", name="Figure eight"),
    way(3, [100, 130, 133, 103, 113, 103, 100], leisure="park", name="Spike in"),
    way(4, [100, 130, 190, 130, 133, 103, 100], leisure="park", name="Spike out"),
    way(5, [100, 120, 122, 102, 100, 120, 122, 102, 100], leisure="park", name="Twice around"),
    way(6, [100, 120, 122, 102, 100], leisure="park", name="Same"), way(7, [100, 120, 122, 102, 100], leisure="park", name="Same"),
    way(8, [100, 120, 121, 111, 122, 102, 100], leisure="park", name="Touches a side"),
), {**{f"w{number}": "kept|repaired" for number in (1, 2, 3, 4, 8)}, "w5": "kept|repaired|no_area", "w6": "kept", "w7": "kept"})  # fmt: skip

WATER = {"type": "multipolygon", "natural": "water"}
publish("multipolygons", toy(
    way(1, [100, 150, 155, 105, 100]), way(2, [111, 131, 133, 113, 111]), way(3, [100, 120, 122, 102, 100]), way(4, [133, 153, 155, 135, 133]),
    way(5, [100, 150]), way(6, [150, 155, 100]), way(7, [160, 180, 188, 168, 160]), way(8, [1, 2]),
    relation(1, [*outers(1), ("w", 2, "inner")], **WATER), relation(2, [*outers(1), ("w", 3, "inner")], **WATER),
    relation(3, outers(1, 1), **WATER), relation(4, outers(1, 3), **WATER), relation(5, outers(2, 4), **WATER),
    relation(6, [("w", 1, "inner"), ("w", 2, "outer")], **WATER), relation(7, [("w", 1, ""), ("w", 2, "enclave"), ("w", 7, "höhe")], **WATER),
    relation(8, outers(5), **WATER), relation(9, outers(5, 6), **WATER), relation(10, outers(1, 777), **WATER), relation(11, outers(8), **WATER),
    relation(12, [], **WATER), relation(13, [("r", 13, "outer")], **WATER), relation(14, [("r", 1, "outer"), ("n", 100, "label")], **WATER),
    relation(15, [("n", 100, "outer")], **WATER), relation(16, outers(1), natural="water"), relation(17, outers(1), type="site", natural="water"),
    relation(18, outers(1), type="boundary", boundary="administrative", admin_level="8", name="Ort"),
    relation(19, outers(99), **WATER), relation(20, [("r", 20, ""), *outers(1)], **WATER),
), {
    "r1": "kept", "r2": "kept|repaired|crossing_rings", "r3": "kept|repaired|no_area|crossing_rings|open_ring", "r4": "kept|repaired|crossing_rings",
    "r5": "kept|repaired", "r6": "kept|repaired", "r7": "kept|repaired", "r8": "open_ring", "r9": "kept", "r10": "missing_members",
    "r11": "missing_nodes", "r12": "no_members", "r13": "no_members", "r14": "no_members", "r15": "no_members", "r16": "relation_not_area",
    "r17": "relation_not_area", "r18": "kept", "r19": "open_ring", "r20": "kept",
})  # fmt: skip

ODD_TEXTS = {
    "tab": "a\tb", "newline": "a\nb", "return": "a\r\nb", "backslash": "a\\b\\", "copy's null": "\\N", "copy's end": "\\.",
    "percent": "100 %20% %", "opl": "a,b=c@d %e%", "quotes": "\"'`„“", "json": '{"a": [1]}', "sql": "'); drop table poi; --",
    "emoji": "Café 🍰🏳️‍🌈", "right to left": "مقهى \u200f\u202e", "combining": "e\u0301 \u1100\u1161", "zero width": "a\u200bb\ufeff",
    "control": "a\x01b\x1bc\x7f", "blanks": "  a  ", "only blanks": "   ", "none": "", "256 letters": "ä" * 256, "1024 bytes": "x" * 1024,
    "last plane": "\U0010fffd \uffff", "markup": "[bold]x[/bold] <b>&amp;</b>", "braces": "{0} %(name)s ${x} :name",
}  # fmt: skip


def _texts() -> list[Thing]:
    return with_grid(
        *(node(number, amenity="cafe", name=text, note=text) for number, text in enumerate(ODD_TEXTS.values(), 1)),
        *(Thing("n", 40 + number, ((text, "v"), ("amenity", "cafe")), (9, 47)) for number, text in enumerate(ODD_TEXTS.values())),
        *(way(number, [100, 110], highway="residential", name=text) for number, text in enumerate(ODD_TEXTS.values(), 1)),
        *(
            relation(number, outers(99), type="multipolygon", natural="water", name=text)
            for number, text in enumerate(ODD_TEXTS.values(), 1)
        ),
        way(60, [100, 120, 122, 100], leisure="park", name="🌳, %=@\\"),
    )  # fmt: skip


ALL_KEPT = {f"n{number}": "kept" for number in range(1, len(ODD_TEXTS) + 1)}
publish("odd texts", _texts, {**ALL_KEPT, "w60": "kept", "w1": "kept"})
publish("invalid UTF-8 in a name", toy(node(5, amenity="cafe", name=b"caf\xe9"), way(5, [100, 110], highway="residential", name=b"\xff"),
        way(6, [100, 110, 111, 100], leisure="park", note=b"\xc0\x80"), relation(5, outers(6), type="multipolygon", natural="water", note=b"\xed\xa0\x80")),
        {"n5": "bad_text", "w5": "bad_text", "w6": "bad_text", "r5": "bad_text"}, either=True)  # fmt: skip
publish("invalid UTF-8 in a key", toy(Thing("n", 5, ((b"caf\xe9", "x"), ("amenity", "cafe")), (9, 47))), {"n5": "bad_text"}, either=True)  # fmt: skip
publish("the same key twice", toy(Thing("n", 5, (("amenity", "cafe"), ("name", "A"), ("name", "B"), ("amenity", "cafe")), (9, 47))),
        {"n5": "kept|bad_text"}, xml, "x.osm")  # fmt: skip
publish("5,000 tags", toy(Thing("n", 5, (("amenity", "cafe"), *((f"key:{number}", f"value {number}") for number in range(5000))), (9, 47))),
        {"n5": "kept"})  # fmt: skip
publish("numbers that are none", toy(
    Thing("r", 5, (("type", "boundary"), ("boundary", "administrative"), ("name", "Ort"), ("admin_level", "²"), ("population", "9" * 40)), members=tuple(outers(6))),
    way(6, [100, 120, 122, 102, 100]), way(7, [100, 110], highway="residential", lanes="-3", maxspeed="∞"),
    node(8, amenity="cafe", addr__housenumber="1;2;3-9/½", addr__postcode="0" * 99),
), {"r5": "kept", "w7": "kept", "n8": "kept"})  # fmt: skip
publish(
    "versions and dates",
    lambda: [again(thing, version=2**31 - 1, stamp=4_102_444_800) for thing in grid()],
    {"n99": "kept"},
)
publish(
    "no dates at all",
    lambda: [again(thing, stamp=0) for thing in grid()],
    {"n99": "kept"},
    lambda things: pbf(things, header(stamp=None)),
)
publish(
    "a replication date in the year 5138",
    toy(),
    {"n99": "kept"},
    lambda things: pbf(things, header(stamp=99_999_999_999)),
    either=True,
)
publish(
    "a negative replication date",
    toy(),
    {"n99": "kept"},
    lambda things: pbf(things, header(stamp=-1)),
    either=True,
)
BOXES = {
    "swapped": (10, 9, 47, 48), "out of range": (-200, 200, 95, -95), "of no size": (9, 9, 47, 47), "of the whole earth": (-180, 180, 90, -90),
    "across the antimeridian": (179, -179, 10, 9), "of int64": (2**62, -(2**62), 2**62, 0),
}  # fmt: skip
for box_name, corners in BOXES.items():
    scale = 1 if max(corners) > 400 else 10**9
    publish(f"header box {box_name}", toy(), {"n99": "kept"},
            lambda things, box=tuple(c * scale for c in corners): pbf(things, header(box=box)), either=box_name == "of int64")  # type: ignore[misc]  # fmt: skip


def _with_places(things: list[Thing]) -> bytes:
    places = {thing.id: thing.place for thing in things if thing.kind == "n" and thing.place}
    tagged = [thing for thing in things if thing.kind != "n" or thing.tags]
    return pbf(tagged, header(optional=("LocationsOnWays",)), places=places)


publish("places on the ways, nodes left out", toy(way(5, [100, 120, 122, 102, 100], leisure="park")), {"n99": "kept"}, _with_places, either=True)  # fmt: skip


# --- outlines beside the map ------------------------------------------------------------------------------

RING = "{}\n   9.0E+00   4.7E+01\n   9.5   47\n   9.5   47.5\nEND\n"
POLY = (
    "toy\n"
    + RING.format(1)
    + RING.format(2).replace("9.", "10.")
    + "!3\n 9.2 47.1\n 9.3 47.1\n 9.3 47.2\nEND\nEND\n"
)
GOOD_POLYS = {
    "as Geofabrik writes it": POLY.encode(), "with CRLF": POLY.replace("\n", "\r\n").encode(), "with a mark of order": b"\xef\xbb\xbf" + POLY.encode(),
    "with blank lines": POLY.replace("END\n", "END\n\n\n").encode(), "with a name in Latin-1": b"S\xe3o Paulo\n" + POLY.partition("\n")[2].encode(),
}  # fmt: skip
for poly_name, poly in GOOD_POLYS.items():
    publish(
        f".poly {poly_name}", toy(), {"n99": "kept"}, beside={"x.poly": poly}, options=("--name", "OUTLINE")
    )
for poly_name, poly in {
    "empty": b"",
    "cut": POLY[:40].encode(),
    "of bytes": b"\x80\x00\xff" * 40,
    "a web page": b"<html>\n<body>\n",
}.items():
    CASES[f".poly {poly_name}"] = Case(_writer("x.osm.pbf", plain, {"x.poly": poly}), refused=r"x\.poly")


# --- names, links and pipes -------------------------------------------------------------------------------


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "x.osm.pbf")
    return folder / "x.osm.pbf"


def _link(to: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "real.osm.pbf").write_bytes(plain())
        (folder / "x.osm.pbf").symlink_to(to)
        return folder / "x.osm.pbf"

    return write


def _folder(folder: Path) -> Path:
    (folder / "x.osm.pbf").mkdir()
    return folder / "x.osm.pbf"


CASES["a pipe that nobody writes to"] = Case(_pipe, "pipe|no file|not a file|regular file", 2)
CASES["a folder"] = Case(_folder, "is a folder", 2)
CASES["a link"] = Case(_link("real.osm.pbf"), fates={"n99": "kept"}, things=grid)
CASES["a link to nothing"] = Case(_link("gone"), "no file", 2)
CASES["a link to itself"] = Case(_link("x.osm.pbf"), "no file|loop|link", 2)
CASES["a link to a device"] = Case(_link("/dev/zero"), "device|not a file|regular file", 2)
CASES["no source at all"] = Case(lambda folder: "", "no file", 2)
CASES["a name of 5,000 letters"] = Case(lambda folder: "x" * 5000 + ".osm.pbf", "no file", 2)
CASES["a name with a NUL"] = Case(lambda folder: "x%00.osm.pbf", "no file", 2)
CASES["a region that nobody could have"] = Case(lambda folder: "../" * 30 + "etc/region", "no file", 2)

FILE_NAMES = (
    "two words.osm.pbf", "it's \"quoted\".osm.pbf", "Zürich-latest.osm.pbf", "東京.osm.pbf", "-x.osm.pbf", "[red]x[bold].osm.pbf", "%s {0} %(x)s.osm.pbf",
    "new\nline.osm.pbf", ".osm.pbf", ".hidden.osm.pbf", "a" * 240 + ".osm.pbf", "مقهى.osm.pbf", "UPPER.osm.pbf", "2024-01-01.osm.pbf", "x;drop table.osm.pbf",
)  # fmt: skip
for file_name in FILE_NAMES:
    CASES[f"file {file_name[:30]!r}"] = Case(_writer(file_name, plain, {}), fates={"n99": "kept"}, things=grid, options=())  # fmt: skip


def _undecodable(folder: Path) -> Path:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.osm.pbf"))
    path.write_bytes(plain())
    return path


CASES["file whose name is no UTF-8"] = Case(
    _undecodable, fates={"n99": "kept"}, things=grid, options=(), either=True
)
for bad_name in ("Toy", "a-b", "", "x" * 31, "x" * 5000, "toy;drop", "é", "a\nb"):
    CASES[f"--name {bad_name[:20]!r} of {len(bad_name)}"] = Case(
        _writer("x.osm.pbf", plain, {}), "is not a name for a snapshot", 2, options=("--name", bad_name)
    )


# --- heavy ------------------------------------------------------------------------------------------------


def _row(count: int) -> list[Thing]:
    return [
        node(1000 + number, round(9 + number * 1e-5, 7), 47.5 + number % 2 * 1e-5) for number in range(count)
    ]


def _many_rings(count: int) -> Iterable[Thing]:
    for number in range(count):
        x, y = 9 + number % 400 * 1e-4, 48 + number // 400 * 1e-4
        first = 1_000_000 + 3 * number
        yield from (node(first, x, y), node(first + 1, x + 5e-5, y), node(first + 2, x, y + 5e-5))
        yield way(1_000_000 + number, [first, first + 1, first + 2, first])


def _wide(count: int) -> list[Thing]:
    members = outers(*range(1_000_000, 1_000_000 + count))
    places = [("n", 100, "")] * count
    return with_grid(
        *_many_rings(count),
        relation(1, members, type="multipolygon", natural="water", name="Lakes"),
        relation(2, [*members, ("w", 7, "outer")], type="multipolygon", natural="water"),
        relation(3, places, type="multipolygon", natural="water"),
    )


publish("ways of 2,000 nodes", lambda: with_grid(*_row(2000), way(1, range(1000, 3000), highway="residential"),
        way(2, [*range(1000, 2998), 1000], leisure="park")), {"w1": "kept", "w2": "kept|repaired"})  # fmt: skip
publish(
    "a relation of 100,000 members",
    lambda: _wide(100_000),
    {"r1": "kept", "r2": "missing_members", "r3": "no_members"},
    long=True,
)
publish("a way of 100,000 nodes", lambda: with_grid(*_row(100_000), way(1, range(1000, 101_000), highway="residential"),
        way(2, [*range(1000, 100_999), 1000], leisure="park")), {"w1": "kept", "w2": "kept|repaired"}, long=True)  # fmt: skip
refuse("gz of 300 MB of blanks", "no place, road or address|damaged|does not begin", lambda: gzip.compress(b'<osm version="0.6">' + b" " * 300_000_000 + b"</osm>", 1),
       "x.osm.gz", long=True)  # fmt: skip
