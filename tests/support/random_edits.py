"""Random edits of a map in OSM XML, as people make them: what hypothesis draws, and the file that comes of it."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.support.town import offset, write_poly

KINDS = (
    "delete", "move", "shape", "class", "name", "same name", "english", "add", "double", "address", "fact", "road",
    "junction", "outline", "version",
)  # fmt: skip
SIDES = ("minlon", "minlat", "maxlon", "maxlat")
METRES = (0.4, 2.0, 12.0, 60.0, 160.0, 900.0)
CLASSES = (
    ("amenity", "restaurant"), ("amenity", "cafe"), ("amenity", "fast_food"), ("tourism", "museum"), ("shop", "bakery"),
    ("shop", "butcher"), ("leisure", "park"), ("landuse", "retail"), ("natural", "water"), ("highway", "residential"),
    ("highway", "footway"), ("tourism", "gallery"), ("tourism", "information"),
)  # fmt: skip
FACTS = (("start_date", "1901"), ("start_date", "1984"), ("architect", "Anna Beck"), ("height", "31"))


class Edit(NamedTuple):
    """One edit: what is done, to which of the objects it fits, with what besides."""

    kind: str
    target: int
    other: int
    azimuth: int
    metres: float


edits = st.builds(
    Edit,
    st.sampled_from(KINDS),
    st.integers(0, 9999),
    st.integers(0, 9999),
    st.integers(0, 359),
    st.sampled_from(METRES),
)
scripts = st.lists(edits, min_size=1, max_size=8)


class Editing:
    """A file in the making."""

    def __init__(self, xml: str, timestamp: str) -> None:
        self.root = ET.fromstring(xml)  # noqa: S314 - our own town
        for one in self.root:
            if one.get("timestamp"):
                one.set("timestamp", timestamp)
        self._last = max(int(one.get("id", "0")) for one in self.root)

    def apply(self, script: Sequence[Edit]) -> None:
        """Do all edits, one after the other."""
        for one in script:
            getattr(self, "_" + one.kind.replace(" ", "_"))(one)

    def write(self, path: Path, *, is_whole: bool = True) -> Path:
        """Write the file, objects in the order that OSM files have; said to be complete in its bounds or not."""
        ordered = sorted(
            self.root,
            key=lambda one: (("bounds", "node", "way", "relation").index(one.tag), int(one.get("id", "0"))),
        )
        self.root[:] = ordered
        ET.ElementTree(self.root).write(path, encoding="utf-8", xml_declaration=True)
        bounds = self.root.find("bounds")
        assert bounds is not None
        west, south, east, north = (float(bounds.attrib[side]) for side in SIDES)
        write_poly(path, (west, south, east, north) if is_whole else None)
        return path

    # --- what there is ---

    def _tagged(self, *kinds: str, having: str | None = None) -> list[ET.Element]:
        return [
            one
            for one in self.root
            if one.tag in kinds
            and one.find("tag") is not None
            and (having is None or any(tag.get("k") == having for tag in one.findall("tag")))
        ]

    def _chosen(self, edit: Edit, *kinds: str, having: str | None = None) -> ET.Element:
        return self._of(edit.target, *kinds, having=having)

    def _of(self, number: int, *kinds: str, having: str | None = None) -> ET.Element:
        offered = self._tagged(*(kinds or ("node", "way", "relation")), having=having)
        return offered[number % len(offered)]

    def _tag(self, one: ET.Element, key: str, value: str | None) -> None:
        for old in [tag for tag in one.findall("tag") if tag.get("k") == key]:
            one.remove(old)
        if value is not None:
            ET.SubElement(one, "tag", k=key, v=value)

    def _value(self, one: ET.Element, key: str) -> str | None:
        return next((tag.get("v") for tag in one.findall("tag") if tag.get("k") == key), None)

    def _shift(self, node: ET.Element, edit: Edit) -> None:
        start = float(node.attrib["lon"]), float(node.attrib["lat"])
        lon, lat = offset(start, edit.azimuth, edit.metres)
        node.set("lon", f"{lon:.7f}")
        node.set("lat", f"{lat:.7f}")

    def _new(self, tag: str, **attributes: Any) -> ET.Element:
        self._last += 1
        told = {"id": str(self._last), "version": "1"} | {
            name: str(value) for name, value in attributes.items()
        }
        return ET.SubElement(self.root, tag, told)

    def _nodes_of(self, way: ET.Element) -> list[ET.Element]:
        refs = {nd.get("ref") for nd in way.findall("nd")}
        return [one for one in self.root if one.tag == "node" and one.get("id") in refs]

    # --- the edits ---

    def _delete(self, edit: Edit) -> None:
        self.root.remove(self._chosen(edit))

    def _move(self, edit: Edit) -> None:
        self._shift(self._chosen(edit, "node"), edit)

    def _shape(self, edit: Edit) -> None:
        nodes = self._nodes_of(self._chosen(edit, "way"))
        if nodes:
            self._shift(nodes[edit.other % len(nodes)], edit)

    def _class(self, edit: Edit) -> None:
        one = self._chosen(edit)
        for key in {key for key, _ in CLASSES}:
            self._tag(one, key, None)
        self._tag(one, *CLASSES[edit.other % len(CLASSES)])

    def _name(self, edit: Edit) -> None:
        self._tag(self._chosen(edit), "name", f"Renamed {edit.other % 7}" if edit.other % 5 else None)

    def _same_name(self, edit: Edit) -> None:
        named = self._of(edit.other, having="name")
        self._tag(self._chosen(edit), "name", self._value(named, "name"))

    def _english(self, edit: Edit) -> None:
        self._tag(self._chosen(edit, having="name"), "name:en", f"English {edit.other % 5}")

    def _add(self, edit: Edit) -> None:
        near = self._chosen(edit, "node")
        place = offset((float(near.attrib["lon"]), float(near.attrib["lat"])), edit.azimuth, edit.metres)
        node = self._new("node", lon=f"{place[0]:.7f}", lat=f"{place[1]:.7f}")
        self._tag(node, *CLASSES[edit.other % 6])
        if edit.other % 3:
            self._tag(node, "name", f"Added {edit.other % 9}")

    def _double(self, edit: Edit) -> None:
        """What stands there stands there again, a little off: of the same tags, the name too."""
        near = self._chosen(edit, "node")
        place = offset((float(near.attrib["lon"]), float(near.attrib["lat"])), edit.azimuth, edit.metres)
        node = self._new("node", lon=f"{place[0]:.7f}", lat=f"{place[1]:.7f}")
        for tag in near.findall("tag"):
            self._tag(node, tag.attrib["k"], tag.attrib["v"])

    def _address(self, edit: Edit) -> None:
        one, other = self._chosen(edit), self._of(edit.other, having="addr:street")
        for key in ("addr:street", "addr:housenumber", "addr:city"):
            self._tag(one, key, self._value(other, key) if edit.azimuth % 3 else None)

    def _fact(self, edit: Edit) -> None:
        self._tag(self._chosen(edit, having="tourism"), *FACTS[edit.other % len(FACTS)])

    def _road(self, edit: Edit) -> None:
        """Another class, so that it may be driven on no more, or another road's name."""
        one = self._chosen(edit, "way", having="highway")
        if edit.other % 2:
            self._tag(one, "highway", "footway")
        else:
            self._tag(one, "name", self._value(self._of(edit.other, "way", having="highway"), "name"))

    def _junction(self, edit: Edit) -> None:
        """A new way from a node of one road to a node of another."""
        ends = [
            self._nodes_of(self._of(number, "way", having="highway")) for number in (edit.target, edit.other)
        ]
        if not all(ends):
            return
        way = self._new("way")
        for nodes in ends:
            ET.SubElement(way, "nd", ref=nodes[edit.azimuth % len(nodes)].attrib["id"])
        self._tag(way, "highway", "residential")
        self._tag(way, "name", f"New Road {edit.other % 3}")

    def _outline(self, edit: Edit) -> None:
        bounds = self.root.find("bounds")
        assert bounds is not None
        side = SIDES[edit.target % 4]
        bounds.set(side, f"{float(bounds.attrib[side]) + (edit.azimuth - 180) * 1e-5:.7f}")

    def _version(self, edit: Edit) -> None:
        self._chosen(edit).set("version", "7")
