"""Which questions a change from one map to the next could change, and by what. Reads both maps and their comparison.

Whoever is not among them would come out of a re-run as they are: text, options, gold, evidence and margin. One
statement for all questions a cause, or one a layer.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.class_words import class_text, class_word
from app.core.countries import country_named, has_number_first, has_postcode_first
from app.core.names import normal_form
from app.db.engine import use_schema, without_nested_loops
from app.questions import queries as questions_queries
from app.questions.evidence import Key, parameter_keys
from app.questions.generating import Recipe
from app.questions.lacking import lacking
from app.questions.naming import LOCAL
from app.questions.phrasing import Wording, phrase, tell_points
from app.questions.picking import Tuple, open_space, read_choices
from app.questions.refresh import queries, queries_touching
from app.questions.refresh.binding import Binder, Unbound
from app.questions.refresh.changes import Changed, Pair, read_changed
from app.questions.refresh.dependencies import Asked, Dependency, Heed, Watch
from app.questions.refresh.watching import (
    dependency_of,
    edges,
    heed,
    known_dependency,
    tells_of_objects,
    templates_that,
    templates_told_more,
    watches,
)
from app.questions.terms import Known
from app.questions.versions import PublishedVersion
from app.templates.header import Header
from app.templates.phrasings import PRECISE
from app.templates.templates import Template


class Found(NamedTuple):
    """By id, what touched a question first; and of the others how well known the objects are now that each names.

    The latter only where it is not as it was.
    """

    why: dict[str, str]
    popularity: dict[str, list[dict[str, Any]]]


def read_asked(
    connection: Connection, version: PublishedVersion, templates: Mapping[str, Template], same_outline: bool
) -> list[Asked]:
    """The version's questions in their order, as far as `find_touched` needs them."""
    binds = {"version_id": version.id, **templates_told_more(templates, same_outline)}
    with without_nested_loops(connection):
        rows = connection.exec_driver_sql(queries.ASKED, binds).all()
    return [Asked(*row) for row in rows]


def find_touched(
    connection: Connection, recipe: Recipe, pair: Pair, asked: Sequence[Asked], known: Known
) -> Found:
    """Those of `asked`, all of the old map, that a re-run on the new map could change.

    `recipe` is the version's, with today's templates; `known` is added to.
    """
    if recipe.names != LOCAL:
        # whether a name:en is nobody else's depends on the whole layer
        return Found(dict.fromkeys((one.id for one in asked), "names"), {})
    touching = Touching(connection, recipe, pair, asked)
    return touching.find(known)


class Touching:
    """Asks cause by cause which questions it touches."""

    def __init__(self, connection: Connection, recipe: Recipe, pair: Pair, asked: Sequence[Asked]) -> None:
        self._connection, self._recipe, self._pair, self._asked = connection, recipe, pair, asked
        self._templates = recipe.benchmark.templates
        self.why: dict[str, str] = {}

    def find(self, known: Known) -> Found:
        """Ask all causes, what costs least first; `known` is added to."""
        self._touch((one for one in self._asked if dependency_of(self._template(one)) is None), "template")
        changed = read_changed(self._connection, self._pair)
        self._by_objects(changed)
        self._by_names(changed)
        self._by_facts()
        self._by_junctions()
        self._by_outline(self._left())
        self._by_ground(self._left(), changed)
        self._by_kinds(self._left())
        self._by_order(self._left())
        self._by_words(self._left(), changed, known)
        return Found(self.why, self._told_anew(self._left(), changed))

    def _touch(self, ones: Iterable[Asked], cause: str) -> None:
        for one in ones:
            self.why.setdefault(one.id, cause)

    def _left(self) -> list[Asked]:
        return [one for one in self._asked if one.id not in self.why]

    def _template(self, one: Asked) -> Template:
        return self._templates[one.template]

    def _header(self, one: Asked) -> Header:
        return self._template(one).header

    def _those_that(self, depend: Callable[[Dependency], bool]) -> list[Asked]:
        wanted = set(templates_that(self._templates, depend))
        return [one for one in self._asked if one.template in wanted]

    def _keys(self, statement: str, binds: Mapping[str, Any] | None = None) -> set[str]:
        return set(self._connection.exec_driver_sql(statement, dict(binds or {})).scalars())

    def _by_objects(self, changed: Changed) -> None:
        """An object that the question stands on is gone or another, or the address of a place that it locates."""
        for name, ones in _by_template(self._asked).items():
            heeded = changed.heeded(heed(self._templates[name]))
            self._touch((one for one in ones if not heeded.isdisjoint(one.osm_keys)), "object")
        located = [one for one in self._asked if self._header(one).answer_type == "location"]
        if located:
            moved = self._keys(
                queries_touching.changed_addresses(self._pair.old.schema, self._pair.new.schema)
            )
            self._touch(_standing_on(located, moved), "address")

    def _by_names(self, changed: Changed) -> None:
        """Something of a name, or at an address, that the question tells or offers has come, gone or changed."""
        said = set(changed.names)
        told_in_regions = {normal_form(one) for one in changed.names_told}
        for layer in ("poi", "aoi"):
            keys = sorted(changed.by_layer[layer])
            for schema in (self._pair.old.schema, self._pair.new.schema):
                said |= self._keys(queries_touching.addresses_of(layer, schema), {"osm_keys": keys})
        forms = {normal_form(one) for one in said}
        for template, ones in _by_template(self._asked).items():
            dependency = known_dependency(self._templates[template])
            heeded = told_in_regions if dependency.heed in ("told", "drawn") else forms
            self._touch((one for one in ones if not heeded.isdisjoint(_told(dependency, one))), "name")
        hinted = self._those_that(lambda one: one.hints_name_objects)
        if hinted:
            binds = {"names": sorted(changed.names)}
            for layer in ("poi", "aoi"):
                alike = self._keys(queries_touching.namesakes_of(layer, self._pair.old.schema), binds)
                self._touch(_standing_on(hinted, alike), "name")

    def _by_facts(self) -> None:
        """What is said of a place that the question stands on is another."""
        uses_facts = {name for name, template in self._templates.items() if template.uses_facts}
        leaning = [one for one in self._asked if one.template in uses_facts]
        old, new = self._pair.old.facts, self._pair.new.facts
        if leaning and old != new:
            changed = self._keys(queries_touching.CHANGED_FACTS, {"old": old, "new": new})
            self._touch(_standing_on(leaning, changed), "fact")

    def _by_junctions(self) -> None:
        """A node has come, gone or changed where a road of the question, or one that is connected, meets another."""
        about_roads = self._those_that(lambda one: one.meets_roads)
        if not about_roads:
            return
        statement = queries_touching.changed_junctions(self._pair.old.schema, self._pair.new.schema)
        rows = self._connection.exec_driver_sql(statement, {"comparison_id": self._pair.comparison_id})
        met = {normal_form(name) for row in rows for name in row.names}
        self._touch((one for one in about_roads if not met.isdisjoint(one.name_keys)), "junction")

    def _by_outline(self, asked: Sequence[Asked]) -> None:
        """The map ends elsewhere than it did, so near that it matters, or is known to end by another source."""
        old, new = self._pair.old, self._pair.new
        if old.outline_source != new.outline_source:
            self._touch((one for one in asked if one.uses_outline), "outline")
        if old.outline == new.outline:
            return
        if old.outline is None or new.outline is None:
            self._touch(asked, "outline")
            return
        binds = {"old": old.outline, "new": new.outline}
        if not self._connection.exec_driver_sql(queries_touching.OUTLINES_DIFFER, binds).scalar_one():
            return
        near = [
            (number, Watch("", "", around, metres))
            for number, one in enumerate(asked)
            for around, metres in edges(self._template(one), one)
        ]
        for layer, binds_of_layer in _by_layer(near):
            statement = queries_touching.watched_outline(layer, old.schema)
            rows = self._connection.exec_driver_sql(statement, {**binds_of_layer, **binds})
            self._touch((asked[number] for number in rows.scalars()), "outline")

    def _by_ground(self, asked: Sequence[Asked], changed: Changed) -> None:
        """Something that would count has come, gone or changed where the question looks."""
        binds: dict[str, Any] = {"comparison_id": self._pair.comparison_id}
        kinds = {
            f"{row.layer}:{one}"
            for row in self._connection.exec_driver_sql(queries_touching.CHANGED_CLASSES, binds)
            for one in ("", row[1])
        }
        near: dict[Heed, list[tuple[int, Watch]]] = defaultdict(list)
        for number, one in enumerate(asked):
            for watch in watches(self._template(one), one, kinds):
                if watch.metres is None:
                    self._touch([one], "ground")
                else:
                    near[heed(self._template(one))].append((number, watch))
        for heeded, ones in near.items():
            binds["ignored"] = sorted(changed.unheeded(heeded))
            binds |= self._sizes(any(watch.least > 0 for _, watch in ones))
            for layer, binds_of_layer in _by_layer(ones):
                statement = queries_touching.watched_changes(layer, self._pair.old.schema)
                rows = self._connection.exec_driver_sql(statement, {**binds_of_layer, **binds})
                self._touch((asked[number] for number in rows.scalars()), "ground")

    def _sizes(self, wanted: bool) -> dict[str, Any]:
        """How large changed objects are, where that is wanted; one of no known size may be of any."""
        pair = self._pair
        statement = queries_touching.sizes(pair.old.schema, pair.new.schema, pair.old.layers)
        rows = (
            self._connection.exec_driver_sql(statement, {"comparison_id": pair.comparison_id}).all()
            if wanted
            else []
        )
        return {
            "sized_layers": [row.layer for row in rows],
            "sized_keys": [row.osm_key for row in rows],
            "sizes": [row.size for row in rows],
        }

    def _by_kinds(self, asked: Sequence[Asked]) -> None:
        """A wrong option is a class of which the new map has no place."""
        offering = [one for one in asked if known_dependency(self._template(one)).offers_classes]
        if offering:
            use_schema(self._connection, self._pair.new.schema)
            classes = self._keys(queries_touching.CLASSES_THERE)
            there = {word for one in classes for word in (class_text(one), class_word(one))}
            self._touch((one for one in offering if not there.issuperset(one.options or ())), "kind")

    def _by_order(self, asked: Sequence[Asked]) -> None:
        """The map's first place with a country is of one where addresses are written the other way round."""
        ordered = [one for one in asked if known_dependency(self._template(one)).orders_addresses]
        if ordered:
            orders = {self._order(of.schema) for of in (self._pair.old, self._pair.new)}
            self._touch(ordered if len(orders) > 1 else (), "address")

    def _order(self, schema: str) -> tuple[bool, bool]:
        use_schema(self._connection, schema)
        country = country_named(next(iter(self._keys(queries_touching.FIRST_COUNTRY)), None))
        return has_number_first(country), has_postcode_first(country)

    def _by_words(self, asked: Sequence[Asked], changed: Changed, known: Known) -> None:
        """A parameter is offered no longer, or would be named otherwise: whatever of the map a pick looks at."""
        use_schema(self._connection, self._pair.new.schema)
        of_objects: list[Asked] = []
        for name, ones in _by_template(asked).items():
            template = self._templates[name]
            if lacking(self._pair.new, template):
                self._touch(ones, "map")
            elif self._pair.same_outline and tells_of_objects(template):
                of_objects += ones
                if known_dependency(template).accepts_a_share:
                    self._touch(self._accepting_too_many(template, ones, known), "words")
            else:
                self._touch(self._reading_otherwise(template, ones, known), "words")
        self._by_namesakes(of_objects, changed)

    def _by_namesakes(self, asked: Sequence[Asked], changed: Changed) -> None:
        """An object that a parameter names shares its name now with one that changed, as picks compare names."""
        layers = {
            layer
            for name in _by_template(asked)
            for parameter in self._templates[name].header.parameters.values()
            for layer in (parameter.layer, parameter.area)
            if layer
        }
        shared = {
            (layer, key)
            for layer in sorted(layers)
            for key in self._keys(
                queries_touching.reading_alike(layer, self._pair.old.schema),
                {"names": sorted(changed.names_in(layer))},
            )
        }
        # the evidence of a question names the objects of its parameters, and others
        near = _standing_on(asked, {key for _, key in shared})
        self._touch(
            (one for one in near if not shared.isdisjoint(parameter_keys(self._header(one), one.parameters))),
            "name",
        )

    def _told_anew(self, asked: Sequence[Asked], changed: Changed) -> dict[str, list[dict[str, Any]]]:
        """Of questions that name objects which have other tags now: what they tell of how well known these are."""
        keys = {
            one.id: parameter_keys(self._header(one), one.parameters)
            for one in _standing_on(asked, changed.keys)
            if heed(self._template(one)) != "content"
        }
        keys = {
            one: of for one, of in keys.items() if any(key in changed.by_layer[layer] for layer, key in of)
        }
        of_all = {key for of in keys.values() for key in of}
        before, after = (self._popularity(on.schema, of_all) for on in (self._pair.old, self._pair.new))
        return {
            one: [after[key] for key in of]
            for one, of in keys.items()
            if [before[key] for key in of] != [after[key] for key in of]
        }

    def _popularity(self, schema: str, keys: Set[Key]) -> dict[Key, dict[str, Any]]:
        """As questions tell it of each object that they name."""
        use_schema(self._connection, schema)
        return {
            (layer, row.osm_key): {"wikidata": row.wikidata, "tags": row.tags}
            for layer in sorted({layer for layer, _ in keys})
            for row in self._connection.exec_driver_sql(
                questions_queries.NAMED[layer], {"osm_keys": sorted(key for of, key in keys if of == layer)}
            )
        }

    def _accepting_too_many(self, template: Template, ones: Sequence[Asked], known: Known) -> Iterator[Asked]:
        """Those that accept more than a share of all places of their category."""
        new = self._pair.new
        offered = read_choices(self._connection, template, "category", new.outline, new.facts, known.picks)
        most = {pick.value: template.header.limits["share"] * pick.facts["extent"] for pick in offered}
        return (one for one in ones if one.answers > most.get(one.parameters["category"], 0))

    def _reading_otherwise(self, template: Template, ones: Sequence[Asked], known: Known) -> Iterator[Asked]:
        recipe, new = self._recipe, self._pair.new
        space = open_space(
            self._connection, template, recipe.seed, new.outline, recipe.chosen, new.facts, known.picks
        )
        binder = Binder(space)
        return (one for one in ones if _reads_otherwise(recipe, template, one, binder.bind(one.parameters)))


def _by_template(asked: Iterable[Asked]) -> dict[str, list[Asked]]:
    found: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        found[one.template].append(one)
    return found


def _standing_on(asked: Iterable[Asked], keys: set[str]) -> Iterator[Asked]:
    return (one for one in asked if not keys.isdisjoint(one.osm_keys))


def _told(dependency: Dependency, one: Asked) -> Collection[str]:
    """The names that a question tells or offers."""
    if not dependency.pairs_names:
        return one.name_keys
    return {*one.name_keys, *(part for name in one.name_keys for part in _parts(name))}


def _parts(pair_of_roads: str) -> Iterator[str]:
    """The names that `A and B` may be made of, wherever it is parted."""
    words = pair_of_roads.split(" and ")
    for i in range(1, len(words)):
        yield " and ".join(words[:i])
        yield " and ".join(words[i:])


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
                "named": [watch.named for _, watch in ones],
                "least": [watch.least for _, watch in ones],
            },
        )


def _reads_otherwise(recipe: Recipe, template: Template, one: Asked, bound: Tuple | Unbound) -> bool:
    if isinstance(bound, Unbound):
        return True
    facts = [pick.facts for picks in bound.picks.values() for pick in picks]
    if any(of_pick.get("sharers") or of_pick.get("inside") is False for of_pick in facts):
        return True
    if known_dependency(template).accepts_a_share:
        extent = bound.one("category").facts["extent"]
        if one.answers > template.header.limits["share"] * extent:
            return True
    wording = Wording(recipe.locale, recipe.seed, one.register or PRECISE, recipe.text_form)
    told = {name: (lon, lat) for name, (lon, lat) in one.readings.get("told", {}).items()}
    _, text = phrase(
        recipe.benchmark, template, tell_points(bound, told, recipe.text_form.points), wording, one.id
    )
    return text != one.text
