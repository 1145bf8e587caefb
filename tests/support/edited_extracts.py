"""Copies of real extracts in which a share of each layer's objects is edited, as people edit OpenStreetMap in a day."""

import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import osmium
from osmium.osm import Location, mutable

KINDS = ("delete", "move", "rename", "retag", "touch")
METRE = 1e-5
"""About a metre, in degrees."""


class _Editor:
    """Edits the objects of `keys` as they pass; nodes of ways are moved after, since they come first in a file."""

    def __init__(self, keys: Sequence[str], seed: int) -> None:
        self._edits = {key: random.Random(f"{seed} {key}") for key in keys}

    def is_edited(self, key: str) -> bool:
        return key in self._edits

    def edit(self, key: str, one: mutable.OSMObject) -> mutable.OSMObject | None:
        """The object as it is after its edit; None where that deletes it."""
        dice = self._edits[key]
        kind = dice.choice(KINDS)
        tags = dict(one.tags)
        if kind == "delete" and key[0] != "r":
            return None
        if kind == "move" and isinstance(one, osmium.osm.Node):
            where = (
                one.location.lon + dice.uniform(-30, 30) * METRE,
                one.location.lat + dice.uniform(-30, 30) * METRE,
            )
            return one.replace(location=Location(*where), version=one.version + 1)
        if kind == "rename" and "name" in tags:
            return one.replace(
                tags=tags | {"name": f"{tags['name']} {dice.randrange(100)}"}, version=one.version + 1
            )
        if kind == "touch":
            return one.replace(version=one.version + 1)
        return one.replace(
            tags=tags | {"check_date": str(dice.randrange(2000, 2030))}, version=one.version + 1
        )


def sample_of(keys: Mapping[str, Sequence[str]], share: float, seed: int) -> list[str]:
    """So large a share of each layer's objects, one at least; of each layer the same, whichever others there are."""
    return sorted(
        {
            key
            for layer, ones in keys.items()
            for key in random.Random(f"{seed} {layer}").sample(sorted(ones), max(1, round(share * len(ones))))
        }
    )


def write_edited(source: Path, target: Path, keys: Sequence[str], seed: int, timestamp: str) -> Path:
    """A copy of an extract, later by its header, with the objects of those keys (`n1`, `w2`, `r3`) edited."""
    editor = _Editor(keys, seed)
    header = osmium.io.Header()
    with osmium.io.Reader(str(source)) as reader:
        header = reader.header()
    header.set("osmosis_replication_timestamp", timestamp)
    header.set("timestamp", timestamp)
    writer = osmium.SimpleWriter(str(target), header=header, overwrite=True)
    moved = _nodes_of_moved_ways(source, keys, seed)
    try:
        for one in osmium.FileProcessor(str(source)):
            key = f"{one.type_str()}{one.id}"
            if key in moved:
                one = one.replace(location=moved[key], version=one.version + 1)
            elif editor.is_edited(key):
                one = editor.edit(key, one)
            if one is not None:
                writer.add(one)
    finally:
        writer.close()
    return target


def _nodes_of_moved_ways(source: Path, keys: Sequence[str], seed: int) -> dict[str, Location]:
    """A node of every third way, a few metres off: lines and areas that are drawn anew."""
    wanted = {key for key in keys if key[0] == "w" and random.Random(f"{seed} shape {key}").random() < 1 / 3}
    nodes = {
        f"n{way.nodes[len(way.nodes) // 2].ref}"
        for way in osmium.FileProcessor(str(source), osmium.osm.WAY)
        if f"w{way.id}" in wanted
    }
    dice = random.Random(seed)
    return {
        f"n{node.id}": Location(node.location.lon + dice.uniform(-5, 5) * METRE, node.location.lat)
        for node in osmium.FileProcessor(str(source), osmium.osm.NODE)
        if f"n{node.id}" in nodes
    }


def write_tagged(source: Path, target: Path, keys: Collection[str], timestamp: str) -> Path:
    """A copy of an extract, later by its header, in which the objects of those keys have one more tag."""
    with osmium.io.Reader(str(source)) as reader:
        header = reader.header()
    header.set("osmosis_replication_timestamp", timestamp)
    header.set("timestamp", timestamp)
    with osmium.SimpleWriter(str(target), header=header) as writer:
        for one in osmium.FileProcessor(str(source)):
            if f"{one.type_str()}{one.id}" in keys:
                tags = dict(one.tags) | {"survey:date": "2022-07-25"}
                writer.add(one.replace(tags=tags, version=one.version + 1))
            else:
                writer.add(one)
    return target
