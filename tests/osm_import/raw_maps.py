"""Maps made by hand, byte by byte: what no library would write. PBF by the format's own definition, and OSM XML.

`layers_of` says in which layers a thing must be accounted for, by rules of its own: it shares nothing with the import's.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from xml.sax.saxutils import quoteattr

Text = str | bytes
NOW = "2024-05-06T07:08:09Z"
KINDS = {"n": "node", "w": "way", "r": "relation"}


@dataclass(frozen=True)
class Thing:
    """An OSM object; `place` is lon, lat; members are (kind, id, role)."""

    kind: str
    id: int
    tags: tuple[tuple[Text, Text], ...] = ()
    place: tuple[Any, Any] | None = None
    nodes: tuple[int, ...] = ()
    members: tuple[tuple[str, int, str], ...] = ()
    version: int = 1
    visible: bool = True
    stamp: int = 1_577_836_800
    """Seconds since 1970; 0 writes none."""

    @property
    def key(self) -> str:
        """Type and id, such as w55."""
        return f"{self.kind}{self.id}"


def _tags(tags: dict[str, Any]) -> tuple[tuple[Text, Text], ...]:
    return tuple((key.replace("__", ":"), value) for key, value in tags.items())


def node(number: int, lon: Any = 9.0, lat: Any = 47.0, **tags: Text) -> Thing:
    """A node; `__` in a keyword stands for a colon."""
    return Thing("n", number, _tags(tags), (lon, lat))


def way(number: int, nodes: Iterable[int], **tags: Text) -> Thing:
    """A way."""
    return Thing("w", number, _tags(tags), nodes=tuple(nodes))


def relation(number: int, members: Iterable[tuple[str, int, str]], **tags: Text) -> Thing:
    """A relation."""
    return Thing("r", number, _tags(tags), members=tuple(members))


def outers(*ways: int) -> list[tuple[str, int, str]]:
    """Ways as outer members."""
    return [("w", number, "outer") for number in ways]


def grid() -> list[Thing]:
    """Nodes a thousandth of a degree apart: n123 is at 9.002 47.003; and a cafe and a street, so that a map is one."""
    nodes = [
        node(100 + 10 * x + y, round(9 + x / 1000, 7), round(47 + y / 1000, 7))
        for x in range(10)
        for y in range(10)
    ]
    cafe, street = node(99, amenity="cafe", name="Base"), way(99, [100, 110], highway="residential")
    return [cafe, *nodes, street]


# --- what must be accounted for ---------------------------------------------------------------------------


def layers_of(thing: Thing) -> set[str]:
    """The layers whose tags the thing has, for the few tags that the hostile maps use."""
    tags = {_text(key): _text(value) for key, value in thing.tags}
    is_area = thing.kind == "r" and tags.get("type", "") in ("multipolygon", "boundary", "site", "")
    if not thing.visible or (thing.kind == "r" and not is_area):
        return set()
    closed = len(thing.nodes) > 3 and thing.nodes[0] == thing.nodes[-1]
    found = set()
    if tags.get("amenity") == "cafe" or tags.get("leisure") == "park":
        found.add("poi")
    if tags.get("leisure") == "park":
        found |= {"park", "aoi"} if tags.get("name") and thing.kind != "n" else {"park"}
    if tags.get("natural") == "water" and thing.kind != "n":
        found |= {"water", "aoi"} if tags.get("name") else {"water"}
    if tags.get("waterway") == "stream" and thing.kind == "w":
        found.add("water")
    if tags.get("highway") == "residential" and thing.kind == "w":
        found.add("road")
    if tags.get("boundary") == "administrative" and (thing.kind == "r" or (closed and tags.get("name"))):
        found.add("region")
    if tags.get("addr:housenumber"):
        found.add("address")
    return found


def _text(text: Text) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def _bytes(text: Text) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


# --- XML --------------------------------------------------------------------------------------------------


def xml(things: Iterable[Thing], head: str = "", root: str = "osm") -> bytes:
    """OSM XML; a place's parts are written as they are given, None leaves the attribute out."""
    lines = [f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} version="0.6" generator="test">{head}']
    for thing in things:
        what = KINDS[thing.kind]
        lines.append(
            f'<{what} id="{thing.id}" version="{thing.version}"{_xml_place(thing)}{_xml_state(thing)}>'
        )
        lines += [f'<nd ref="{ref}"/>' for ref in thing.nodes]
        lines += [
            f'<member type="{KINDS[kind]}" ref="{ref}" role={quoteattr(role)}/>'
            for kind, ref, role in thing.members
        ]
        lines += [
            f"<tag k={quoteattr(_text(key))} v={quoteattr(_text(value))}/>" for key, value in thing.tags
        ]
        lines.append(f"</{what}>")
    return "\n".join([*lines, f"</{root}>\n"]).encode("utf-8", "surrogatepass")


def _xml_place(thing: Thing) -> str:
    names = zip(("lon", "lat"), thing.place or (), strict=False)
    return "".join(f' {name}="{value}"' for name, value in names if value is not None)


def _xml_state(thing: Thing) -> str:
    stamp = f' timestamp="{NOW}"' if thing.stamp else ""
    return stamp + ("" if thing.visible else ' visible="false"')


# --- PBF: https://wiki.openstreetmap.org/wiki/PBF_Format ----------------------------------------------------


def varint(number: int) -> bytes:
    """Base 128, least part first; negative numbers as 64 bits of two's complement."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def zigzag(number: int) -> bytes:
    """A signed number: 0, -1, 1, -2 … as 0, 1, 2, 3 …"""
    return varint((number << 1) ^ (number >> 63))


def message(number: int, body: bytes) -> bytes:
    """A field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(body)) + body


def scalar(number: int, value: bytes) -> bytes:
    """A field that holds one varint."""
    return varint(number << 3) + value


def packed(number: int, values: Iterable[bytes]) -> bytes:
    """A packed field."""
    return message(number, b"".join(values))


def deltas(values: Sequence[int]) -> list[bytes]:
    """Differences to the one before, zigzag."""
    return [zigzag(b - a) for a, b in pairwise([0, *values])]


def zlibbed(data: bytes) -> bytes:
    """A blob's fields, compressed as almost every file is."""
    return scalar(2, varint(len(data))) + message(3, zlib.compress(data, 1))


def raw(data: bytes) -> bytes:
    """A blob's fields, not compressed."""
    return message(1, data)


def blob(kind: str, data: bytes, compress: Callable[[bytes], bytes] = zlibbed) -> bytes:
    """A blob with its header and the header's length."""
    body = compress(data)
    head = message(1, kind.encode()) + scalar(3, varint(len(body)))
    return struct.pack(">I", len(head)) + head + body


def header(
    features: Sequence[str] = ("OsmSchema-V0.6", "DenseNodes"),
    box: tuple[int, int, int, int] | None = None,
    stamp: int | None = 1_714_979_289,
    optional: Sequence[str] = (),
) -> bytes:
    """The HeaderBlock; `box` is west, east, north, south in 1e-9 degrees; `stamp` the replication time."""
    corners = b"".join(scalar(n, zigzag(value)) for n, value in enumerate(box or (), 1))
    parts = [message(1, corners)] if box else []
    parts += [message(4, name.encode()) for name in features]
    parts += [message(5, name.encode()) for name in optional]
    parts += [scalar(32, varint(stamp))] if stamp is not None else []
    return b"".join(parts)


def block(
    things: Iterable[Thing],
    places: dict[int, tuple[float, float]] | None = None,
    *,
    together: bool = False,
) -> bytes:
    """A PrimitiveBlock with one group an object, or one for all, in the order given; `places` are stored on the ways."""
    strings: dict[bytes, int] = {b"": 0}
    objects = [
        message({"n": 1, "w": 3, "r": 4}[thing.kind], _object(thing, strings, places)) for thing in things
    ]
    table = b"".join(message(1, text) for text in strings)
    groups = [b"".join(objects)] if together else objects
    return message(1, table) + b"".join(message(2, group) for group in groups)


def _object(thing: Thing, strings: dict[bytes, int], places: dict[int, tuple[float, float]] | None) -> bytes:
    def number(text: Text) -> bytes:
        return varint(strings.setdefault(_bytes(text), len(strings)))

    info = scalar(1, varint(thing.version)) + (scalar(2, varint(thing.stamp)) if thing.stamp else b"")
    parts = [
        scalar(1, zigzag(thing.id) if thing.kind == "n" else varint(thing.id)),
        packed(2, [number(key) for key, _ in thing.tags]),
        packed(3, [number(value) for _, value in thing.tags]),
        message(4, info if thing.visible else info + scalar(6, varint(0))),
    ]
    if thing.kind == "n" and thing.place:
        lon, lat = (round(value * 10_000_000) for value in thing.place)
        parts += [scalar(8, zigzag(lat)), scalar(9, zigzag(lon))]
    if thing.kind == "w":
        parts.append(packed(8, deltas(thing.nodes)))
        if places is not None:
            lons, lats = zip(*((places[ref]) for ref in thing.nodes), strict=True)
            parts += [
                packed(field, deltas([round(v * 10_000_000) for v in values]))
                for field, values in ((9, lats), (10, lons))
            ]
    if thing.kind == "r":
        parts.append(packed(8, [number(role) for _, _, role in thing.members]))
        parts.append(packed(9, deltas([ref for _, ref, _ in thing.members])))
        parts.append(packed(10, [varint("nwr".index(kind)) for kind, _, _ in thing.members]))
    return b"".join(parts)


def pbf(
    things: Iterable[Thing],
    head: bytes | None = None,
    compress: Callable[[bytes], bytes] = zlibbed,
    places: dict[int, tuple[float, float]] | None = None,
    size: int = 8000,
) -> bytes:
    """A whole file: header and blocks of at most `size` objects."""
    rows = list(things)
    blocks = [rows[start : start + size] for start in range(0, len(rows), size)]
    return blob("OSMHeader", header() if head is None else head, compress) + b"".join(
        blob("OSMData", block(part, places), compress) for part in blocks
    )


def with_grid(*things: Thing) -> list[Thing]:
    """The grid and these things, as a sorted file has them; a thing replaces the grid's of its key."""
    own = {thing.key for thing in things}
    every = [*(thing for thing in grid() if thing.key not in own), *things]
    return sorted(every, key=lambda thing: ("nwr".index(thing.kind), thing.id))


def again(thing: Thing, **changes: Any) -> Thing:
    """The same thing, changed."""
    return replace(thing, **changes)
