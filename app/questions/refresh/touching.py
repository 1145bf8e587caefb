"""Which questions a change from one map to the next could change, and by what. Reads both maps and their comparison.

Whoever is not among them would come out of a re-run as they are: text, options, gold, evidence and margin. One
statement for all questions a cause, or one a layer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection

from app.benchmarks.templates import Template
from app.core.names import normal_form
from app.db.engine import use_schema, without_nested_loops
from app.questions.accepting import Known, lacking
from app.questions.generating import Recipe
from app.questions.naming import LOCAL
from app.questions.phrasing import phrase
from app.questions.picking import Tuple, open_space
from app.questions.records import SnapshotRef
from app.questions.refresh import queries
from app.questions.refresh.binding import Binder, Unbound
from app.questions.refresh.watching import GROUNDS, Asked, Watch, edges, watches
from app.questions.versions import PublishedVersion

NAMED_BY_HINTS = "distance_in_context_option"
"""Its text names objects that stand in for others of the same name."""
KINDS_AS_OPTIONS = ("class_option", "scene_option")
"""Their wrong options are classes of places, which must occur on the map."""

ROADS_THAT_MEET = ("junctions_option", "connection_option")
"""Their name keys are those of the road, and of all roads that it meets, or of its first and last."""
SELECTIVE = ("names_in_range", "locations_in_range")
"""They may accept no more than a share of all places of their category."""


@dataclass
class Changed:
    """Keys of objects with another content, or on one map only."""

    by_layer: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    moving: set[str] = field(default_factory=set)
    """Those of them of which name, class or shape differs, and regions."""

    @property
    def keys(self) -> set[str]:
        """All of them."""
        return set().union(*self.by_layer.values())

    @property
    def steady(self) -> set[str]:
        """Those that count where things of a class are counted or measured in a region as they did."""
        return self.keys - self.moving


@dataclass(frozen=True)
class Pair:
    """A map and the one that takes its place; `comparison_id` is that of what changed."""

    old: SnapshotRef
    new: SnapshotRef
    comparison_id: int


@dataclass
class Touched:
    """The questions that must be asked again, by id, and what touched each first."""

    why: dict[str, str] = field(default_factory=dict)

    def add(self, ids: Iterable[str], cause: str) -> None:
        """Questions touched by a cause; the first cause of each is kept."""
        for one in ids:
            self.why.setdefault(one, cause)


def read_asked(connection: Connection, version: PublishedVersion) -> list[Asked]:
    """The version's questions in their order, as far as `find_touched` needs them."""
    with without_nested_loops(connection):
        rows = connection.exec_driver_sql(queries.ASKED, {"version_id": version.id}).mappings().all()
    return [Asked(**{**row, "facts": row["facts"] or {}}) for row in rows]


def find_touched(
    connection: Connection, recipe: Recipe, pair: Pair, asked: Sequence[Asked], known: Known
) -> Touched:
    """Those of `asked`, all of the old map, that a re-run on the new map could change.

    `recipe` is the version's, with today's templates; `known` is added to.
    """
    touched = Touched()
    templates = recipe.benchmark.templates
    if recipe.names != LOCAL:
        # whether a name:en is nobody else's depends on the whole layer
        touched.add((one.id for one in asked), "names")
        return touched
    touched.add((one.id for one in asked if templates[one.template].header.derive not in GROUNDS), "template")
    changed = _read_changed(connection, pair)
    _by_objects(connection, pair, templates, asked, changed, touched)
    _by_names(connection, pair, templates, asked, changed, touched)
    _by_facts(connection, pair, templates, asked, touched)
    _by_junctions(connection, pair, templates, asked, touched)
    _by_outline(connection, pair, templates, _left(asked, touched), touched)
    _by_ground(connection, pair, templates, _left(asked, touched), changed, touched)
    _by_kinds(connection, pair, templates, _left(asked, touched), touched)
    _by_words(connection, recipe, pair, _left(asked, touched), touched, known)
    return touched


def _left(asked: Sequence[Asked], touched: Touched) -> list[Asked]:
    return [one for one in asked if one.id not in touched.why]


def _is_in_region(templates: Mapping[str, Template], one: Asked) -> bool:
    """Whether the question is about all of a class in a region, of which only name, class and shape count."""
    return GROUNDS.get(templates[one.template].header.derive) == "region"


def _standing_on(asked: Iterable[Asked], keys: set[str]) -> Iterator[str]:
    return (one.id for one in asked if not keys.isdisjoint(one.osm_keys))


def _read_changed(connection: Connection, pair: Pair) -> Changed:
    statement = queries.changed_objects(pair.old.schema, pair.new.schema, pair.old.layers)
    changed = Changed()
    for row in connection.exec_driver_sql(statement):
        changed.by_layer[row.layer].add(row.osm_key)
        if row.layer == "region" or not row.steady:
            changed.moving.add(row.osm_key)
    return changed


def _by_objects(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    changed: Changed,
    touched: Touched,
) -> None:
    """An object that the question stands on is gone or another, or the address of a place that it locates."""
    in_regions = [one for one in asked if _is_in_region(templates, one)]
    touched.add(_standing_on(in_regions, changed.moving), "object")
    others = (one for one in asked if not _is_in_region(templates, one))
    touched.add(_standing_on(others, changed.keys), "object")
    located = [one for one in asked if templates[one.template].header.answer_type == "location"]
    if located:
        statement = queries.changed_addresses(pair.old.schema, pair.new.schema)
        moved = set(connection.exec_driver_sql(statement).scalars())
        touched.add(_standing_on(located, moved), "address")


def _by_names(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    changed: Changed,
    touched: Touched,
) -> None:
    """Something of a name, or at an address, that the question tells or offers has come, gone or changed."""
    binds = {"comparison_id": pair.comparison_id}
    names = set(connection.exec_driver_sql(queries.CHANGED_NAMES, binds).scalars())
    said = set(names)
    for layer in ("poi", "aoi"):
        keys = sorted(changed.by_layer[layer])
        for schema in (pair.old.schema, pair.new.schema):
            rows = connection.exec_driver_sql(queries.addresses_of(layer, schema), {"osm_keys": keys})
            said |= set(rows.scalars())
    forms = {normal_form(one) for one in said}
    for one in asked:
        told = set(one.name_keys)
        if templates[one.template].header.derive == "junctions_option":
            told |= {part for name in one.name_keys for part in _parts(name)}
        if not forms.isdisjoint(told):
            touched.add([one.id], "name")
    hinted = [one for one in asked if templates[one.template].header.derive == NAMED_BY_HINTS]
    if hinted:
        alike: set[str] = set()
        for layer in ("poi", "aoi"):
            rows = connection.exec_driver_sql(
                queries.namesakes_of(layer, pair.old.schema), {"names": sorted(names)}
            )
            alike |= set(rows.scalars())
        touched.add(_standing_on(hinted, alike), "name")


def _parts(pair_of_roads: str) -> Iterator[str]:
    """The names that `A and B` may be made of, wherever it is parted."""
    words = pair_of_roads.split(" and ")
    for i in range(1, len(words)):
        yield " and ".join(words[:i])
        yield " and ".join(words[i:])


def _by_facts(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    touched: Touched,
) -> None:
    """What is said of a place that the question stands on is another."""
    uses_facts = {name for name, template in templates.items() if template.uses_facts}
    leaning = [one for one in asked if one.template in uses_facts]
    if not leaning or pair.old.facts == pair.new.facts:
        return
    binds = {"old": pair.old.facts, "new": pair.new.facts}
    changed = set(connection.exec_driver_sql(queries.CHANGED_FACTS, binds).scalars())
    touched.add(_standing_on(leaning, changed), "fact")


def _by_junctions(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    touched: Touched,
) -> None:
    """A node has come, gone or changed where a road that the question is about, or that is connected, meets another."""
    about_roads = [one for one in asked if templates[one.template].header.derive in ROADS_THAT_MEET]
    if not about_roads:
        return
    statement = queries.changed_junctions(pair.old.schema, pair.new.schema)
    rows = connection.exec_driver_sql(statement, {"comparison_id": pair.comparison_id})
    met = {normal_form(name) for row in rows for name in row.names}
    touched.add((one.id for one in about_roads if not met.isdisjoint(one.name_keys)), "junction")


def _by_outline(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    touched: Touched,
) -> None:
    """The map ends elsewhere than it did, so near that it matters, or is known to end by another source."""
    old, new = pair.old, pair.new
    if old.outline_source != new.outline_source:
        touched.add((one.id for one in asked if one.uses_outline), "outline")
    if old.outline == new.outline:
        return
    if old.outline is None or new.outline is None:
        touched.add((one.id for one in asked), "outline")
        return
    binds = {"old": old.outline, "new": new.outline}
    if not connection.exec_driver_sql(queries.OUTLINES_DIFFER, binds).scalar_one():
        return
    near = [
        (number, Watch("", "", around, metres))
        for number, one in enumerate(asked)
        for around, metres in edges(templates[one.template].header, one)
    ]
    for layer, binds_of_layer in _by_layer(near):
        statement = queries.watched_outline(layer, old.schema)
        rows = connection.exec_driver_sql(statement, {**binds_of_layer, **binds})
        touched.add((asked[number].id for number in rows.scalars()), "outline")


def _by_ground(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    changed: Changed,
    touched: Touched,
) -> None:
    """Something that would count has come, gone or changed where the question looks."""
    binds: dict[str, Any] = {"comparison_id": pair.comparison_id}
    kinds = {(row.layer, row[1]) for row in connection.exec_driver_sql(queries.CHANGED_CLASSES, binds)}
    layers = {layer for layer, _ in kinds}
    near: dict[bool, list[tuple[int, Watch]]] = {True: [], False: []}
    for number, one in enumerate(asked):
        for watch in watches(templates[one.template].header, one):
            if (watch.layer, watch.klass) not in kinds and (watch.klass or watch.layer not in layers):
                continue
            if watch.metres is None:
                touched.add([one.id], "ground")
            else:
                near[_is_in_region(templates, one)].append((number, watch))
    for in_region, ones in near.items():
        binds["ignored"] = sorted(changed.steady) if in_region else []
        for layer, binds_of_layer in _by_layer(ones):
            statement = queries.watched_changes(layer, pair.old.schema)
            rows = connection.exec_driver_sql(statement, {**binds_of_layer, **binds})
            touched.add((asked[number].id for number in rows.scalars()), "ground")


def _by_layer(near: Sequence[tuple[int, Watch]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Watches as arrays, by the layer of the objects that they are around."""
    ordered = sorted(set(near), key=lambda one: (one[1].around[0], one))
    for layer, group in groupby(ordered, key=lambda one: one[1].around[0]):
        ones = list(group)
        yield (
            layer,
            {
                "numbers": [number for number, _ in ones],
                "layers": [watch.layer for _, watch in ones],
                "classes": [watch.klass for _, watch in ones],
                "osm_keys": [watch.around[1] for _, watch in ones],
                "metres": [watch.metres for _, watch in ones],
            },
        )


def _by_kinds(
    connection: Connection,
    pair: Pair,
    templates: Mapping[str, Template],
    asked: Sequence[Asked],
    touched: Touched,
) -> None:
    """A wrong option is a class of which the new map has no place."""
    offering = [one for one in asked if templates[one.template].header.derive in KINDS_AS_OPTIONS]
    if not offering:
        return
    use_schema(connection, pair.new.schema)
    there = {one.replace("_", " ") for one in connection.exec_driver_sql(queries.CLASSES_THERE).scalars()}
    touched.add((one.id for one in offering if not there.issuperset(one.options or ())), "kind")


def _by_words(
    connection: Connection,
    recipe: Recipe,
    pair: Pair,
    asked: Sequence[Asked],
    touched: Touched,
    known: Known,
) -> None:
    """A parameter is offered no longer, or would be named otherwise: whatever of the map a pick looks at."""
    new = pair.new
    use_schema(connection, new.schema)
    by_template: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        by_template[one.template].append(one)
    for name, ones in by_template.items():
        template = recipe.benchmark.templates[name]
        if lacking(new, template):
            touched.add((one.id for one in ones), "map")
            continue
        space = open_space(
            connection, template, recipe.seed, new.outline, recipe.chosen, new.facts, known.picks
        )
        binder = Binder(space)
        for one in ones:
            if _reads_otherwise(recipe, template, one, binder.bind(one.parameters)):
                touched.add([one.id], "words")


def _reads_otherwise(recipe: Recipe, template: Template, one: Asked, bound: Tuple | Unbound) -> bool:
    if isinstance(bound, Unbound):
        return True
    facts = [pick.facts for picks in bound.picks.values() for pick in picks]
    if any(of_pick.get("sharers") or of_pick.get("inside") is False for of_pick in facts):
        return True
    if template.header.derive in SELECTIVE:
        extent = bound.one("category").facts["extent"]
        if one.answers > template.header.limits["share"] * extent:
            return True
    _, text = phrase(recipe.benchmark, template, bound, recipe.locale, recipe.seed, one.id)
    return text != one.text
