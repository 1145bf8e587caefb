"""The map of a public question: what its proof speaks of, with roles, on the shapes around. Read as the api role."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyproj import Geod
from sqlalchemy import Connection, Row

from app.published import queries_inspecting as queries
from app.published.inspected import Mark, QuestionMap, Role, Shape
from app.questions.evidence import keys_of
from app.templates.header import Parameter

GEOD = Geod(ellps="WGS84")
LETTERS = "ABCDEFGHIJ"
BEHIND: Sequence[str] = ("around", "ground", "place", "seen", "tolerated", "wrong", "anchor", "gold")
"""The order in which shapes are drawn."""


@dataclass(frozen=True)
class Parts:
    """Which objects a question speaks of, by role, and which option each stands for."""

    roles: Mapping[str, Role]
    letters: Mapping[str, str]
    points: Sequence[tuple[Role, str, float, float]]
    """Places without an object: role, letter, lon, lat. Wrong options, and the point that a question asks from."""
    layers: Mapping[str, str]
    """The layer in which the proof found an object."""


class Start(NamedTuple):
    """The one point from which distances are measured, in degrees; `osm_key` where it is an object."""

    lon: float
    lat: float
    osm_key: str | None


def letter_of(options: Sequence[str] | None, text: str) -> str | None:
    """The letter of the option of that text."""
    return LETTERS[options.index(text)] if options and text in options else None


def objects_of(found: Mapping[str, Any]) -> list[str]:
    """The objects that a wrong option, or an accepted place, speaks of."""
    keys = found.get("osm_keys") or [found.get("osm_key")]
    return [str(key) for key in keys if key]


def parts_of(
    header: Mapping[str, Any],
    options: Sequence[str] | None,
    gold: Mapping[str, Any],
    proof: Mapping[str, Any],
) -> Parts:
    """The roles of objects: what is asked about, what is right, what is wrong, what was looked at besides."""
    layers = {str(one["osm_key"]): str(one["layer"]) for one in proof["evidence"]}
    wrong = proof["distractors"] or []
    wrong_keys = {key: one["text"] for one in wrong for key in objects_of(one)}
    anchors = [
        key
        for name, told in header.get("parameters", {}).items()
        for _, key in keys_of(Parameter.model_validate(told), proof["parameters"][name])
    ]
    right = _keys([*gold.get("objects", []), *gold.get("stations", [])])
    roles: dict[str, Role] = dict.fromkeys(layers, "seen")
    roles |= dict.fromkeys(_keys(gold.get("tolerated", [])), "tolerated")
    roles |= dict.fromkeys(anchors, "anchor")
    roles |= dict.fromkeys(wrong_keys, "wrong")
    are_places = any("lon" in one and "lat" in one and not objects_of(one) for one in wrong)
    # Where no option is an object or a place, what the answer is about is what was asked about.
    roles |= {key: "gold" for key in right if key not in anchors or wrong_keys or are_places}
    letters = {key: letter_of(options, text) for key, text in wrong_keys.items()}
    letters |= {key: letter_of(options, gold.get("text", "")) for key in right if roles.get(key) == "gold"}
    places: list[tuple[Role, str, float, float]] = [
        ("wrong", letter_of(options, one["text"]) or "", one["lon"], one["lat"])
        for one in wrong
        if "lon" in one and "lat" in one
    ]
    if user := gold.get("user"):
        places.append(("anchor", "", user["lon"], user["lat"]))
    return Parts(roles, {key: one for key, one in letters.items() if one}, places, layers)


def read_map(connection: Connection, version_id: int, question_id: str, parts: Parts) -> QuestionMap | None:
    """The map of a public question; None where its map can be read no more, or the question is hidden."""
    binds = {"version_id": version_id, "question_id": question_id, "most": queries.MOST_OBJECTS}
    rows = connection.execute(queries.MAP, binds).all()
    box = next((row for row in rows if row.part == "box"), None)
    if box is None:
        return None
    objects = _objects([row for row in rows if row.part == "object"], parts)
    anchor = _anchor(objects, parts)
    shapes = [_shape(row, row.part) for row in rows if row.part in ("around", "ground", "place")]
    for row in objects:
        role = parts.roles.get(row.osm_key, "seen")
        shapes.append(_shape(row, role, parts.letters.get(row.osm_key), _metres(anchor, row)))
    shapes += [_point(one, anchor) for one in parts.points]
    shapes.sort(key=lambda shape: BEHIND.index(shape.properties.role))
    corners = [tuple(corner) for corner in json.loads(box.shape)["coordinates"][0]]
    corners += [(lon, lat) for _, _, lon, lat in parts.points]
    drawn = {row.osm_key for row in objects}
    return QuestionMap(
        bbox=[*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True))],
        features=shapes,
        left_out=len(set(parts.layers) - drawn),
    )


def _keys(objects: Iterable[Any]) -> list[str]:
    """The objects that gold names: keys, or what is known of each."""
    return [key for one in objects for key in (objects_of(one) if isinstance(one, dict) else [str(one)])]


def _objects(rows: Sequence[Row[Any]], parts: Parts) -> list[Row[Any]]:
    """Each object once, in the layer that the proof found it in."""
    chosen: dict[str, Row[Any]] = {}
    for row in rows:
        if row.layer == parts.layers.get(row.osm_key, row.layer):
            chosen[row.osm_key] = row
    return list(chosen.values())


def _anchor(objects: Sequence[Row[Any]], parts: Parts) -> Start | None:
    """The one point that a question asks from, or whose coordinates it asks for; None where it is not one."""
    for role, _, lon, lat in parts.points:
        if role == "anchor":
            return Start(lon, lat, None)
    asked: Role = "anchor" if "anchor" in parts.roles.values() or not parts.points else "gold"
    found = [row for row in objects if parts.roles.get(row.osm_key) == asked]
    if len(found) != 1 or found[0].dimension != 0:
        return None
    return Start(found[0].lon, found[0].lat, found[0].osm_key)


def _metres(anchor: Start | None, row: Row[Any]) -> float | None:
    if anchor is None or row.osm_key == anchor.osm_key or row.dimension != 0:
        return None
    return float(GEOD.inv(anchor.lon, anchor.lat, row.lon, row.lat)[2])


def _shape(row: Row[Any], role: Role, letter: str | None = None, metres: float | None = None) -> Shape:
    point = (row.lon, row.lat) if role not in ("around", "ground") and row.lon is not None else None
    mark = Mark(
        role=role,
        layer=row.layer,
        osm_key=row.osm_key,
        name=row.name,
        klass=row._mapping["class"],
        letter=letter,
        metres=metres,
        point=point,
    )
    return Shape(geometry=json.loads(row.shape), properties=mark)


def _point(place: tuple[Role, str, float, float], anchor: Start | None) -> Shape:
    role, letter, lon, lat = place
    metres = (
        None if anchor is None or role == "anchor" else float(GEOD.inv(anchor.lon, anchor.lat, lon, lat)[2])
    )
    mark = Mark(
        role=role,
        layer=None,
        osm_key=None,
        name=None,
        klass=None,
        letter=letter or None,
        metres=metres,
        point=(lon, lat),
    )
    return Shape(geometry={"type": "Point", "coordinates": [lon, lat]}, properties=mark)
