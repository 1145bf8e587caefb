"""Stored questions asked again on the map that takes the place of theirs: bound by OSM id, run, proved, judged anew.

Reads both maps. What comes out depends on the questions and the maps alone, not on which others are asked again with
them: so it is the same whether a few are or all.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict, ProofError
from app.core.identity import canonical_json
from app.db.engine import use_schema
from app.questions.accepting import DRAW_ANEW, Accepted, Asking, StoredOptions
from app.questions.assembling import assemble
from app.questions.evidence import Key, keys_of
from app.questions.generating import Recipe
from app.questions.lacking import lacking
from app.questions.picking import Space, Tuple, open_space
from app.questions.pictures.asking import bind_picture
from app.questions.programs import MapRouters, lacks_router
from app.questions.records import QuestionRecord, SnapshotRef
from app.questions.refresh import queries
from app.questions.refresh.binding import Binder, Unbound
from app.questions.second_path import Layers
from app.questions.strategies import find_strategy
from app.questions.terms import Ground, Known
from app.templates.statements import PROVIDED
from app.templates.templates import Template

CHUNK = 1024
"""How many tuples are asked at once."""

COMPARED = (
    "prompt", "options", "gold", "gold_kind", "gold_keys", "solutions", "names", "margin", "distractors", "readings",
    "sql"
)  # fmt: skip
"""What a question says; with the objects of its evidence, binds and footprint. Where all of it is the same the stored
proof stands, whatever else its second path counted by the way; it is told what these objects are on the new map."""


class Retold(NamedTuple):
    """A question stands as it is, but for how well known the objects are that it names."""

    popularity: list[dict[str, Any]]


Rerun = QuestionRecord | Retold | str | None
"""A question as the new map has it, or why there is none any more; None where it stands as it is."""


class Rerunning:
    """Asks questions of one version again on one map; keeps what they share."""

    def __init__(
        self,
        connection: Connection,
        recipe: Recipe,
        old: SnapshotRef,
        new: SnapshotRef,
        known: Known,
        routers: MapRouters | None = None,
    ) -> None:
        self.connection, self.recipe, self.old, self.new, self.known = connection, recipe, old, new, known
        self.routers = routers
        use_schema(connection, new.schema)
        outline = bytes.fromhex(new.outline) if new.outline else None
        self.layers = Layers(connection, new.schema, outline, new.facts)

    @cached_property
    def came(self) -> set[Key]:
        """What the new map has, and the old one has not, or not so."""
        statement = queries.come_or_changed(self.old.schema, self.new.schema, self.old.layers)
        return {(row.layer, row.osm_key) for row in self.connection.exec_driver_sql(statement)}

    def rerun(self, records: Sequence[QuestionRecord]) -> dict[str, Rerun]:
        """What became of each question, by its id."""
        use_schema(self.connection, self.new.schema)
        outcomes: dict[str, Accepted | str] = {}
        by_template: dict[str, list[QuestionRecord]] = defaultdict(list)
        for record in records:
            by_template[record.template].append(record)
        for name, template in self.recipe.benchmark.templates.items():
            ones = by_template.get(name, [])
            for start in range(0, len(ones), CHUNK):
                outcomes |= self._ask(template, ones[start : start + CHUNK])
        accepted = [one for one in outcomes.values() if isinstance(one, Accepted)]
        made = {one.id: one for one in self.assemble(accepted)}
        return {
            record.id: self._judged(record, outcomes[record.id], made.get(record.id)) for record in records
        }

    def assemble(self, accepted: Sequence[Accepted]) -> list[QuestionRecord]:
        """Accepted questions as records of the version."""
        recipe = self.recipe
        return assemble(
            self.connection,
            recipe.benchmark,
            accepted,
            recipe.seed,
            recipe.hidden,
            recipe.locale,
            recipe.names,
            self.layers,
            recipe.register,
            recipe.text_form,
        )

    def asking(
        self,
        template: Template,
        choices: Mapping[str, Any],
        seen: set[str],
        stored: Mapping[str, StoredOptions],
    ) -> Asking:
        """Whoever asks tuples of a template on the new map; `choices` are all that the map offers."""
        return Asking(self.ground, template, self.recipe.terms, seen, choices, stored)

    def _ask(self, template: Template, records: Sequence[QuestionRecord]) -> dict[str, Accepted | str]:
        missing = lacking(self.new, template)
        if missing:
            return {record.id: missing for record in records}
        self._refuse_without_router(template, records)
        recipe = self.recipe
        space = open_space(
            self.connection,
            template,
            recipe.seed,
            self.new.outline,
            recipe.chosen,
            self.new.facts,
            self.known.picks,
        )
        bound = self._bind(space, records)
        tuples = {name: one for name, one in bound.items() if isinstance(one, Tuple)}
        stored = self._stored_options(template, records)
        outcomes = _asked(self.asking(template, space.choices, set(), stored), tuples)
        anew = {name: tuples[name] for name, outcome in outcomes.items() if outcome == DRAW_ANEW}
        outcomes |= _asked(self.asking(template, space.choices, set(), {}), anew)
        unbound = {name: one for name, one in bound.items() if isinstance(one, Unbound)}
        return outcomes | self._why_unbound(template, records, unbound)

    def _refuse_without_router(self, template: Template, records: Sequence[QuestionRecord]) -> None:
        """Raise Conflict where questions cannot be asked again for want of a router: that is no reason to end them."""
        if records and lacks_router(template, self.new, self.routers):
            raise Conflict(
                f"{len(records)} questions of {template.id} are made with a router, and there is none for "
                f"{self.new.reference} here, so they cannot be asked again. `trigpoint doctor` tells why. Nothing was "
                "changed."
            )

    def _bind(self, space: Space, records: Sequence[QuestionRecord]) -> dict[str, Tuple | Unbound]:
        """By question its tuple on the new map; of one about a picture, which is drawn again, as that shows it."""
        binder, template = Binder(space), space.template
        bound = {record.id: binder.bind(record.parameters) for record in records}
        if template.header.picture is None:
            return bound
        ground = self.ground
        for record in records:
            framed = bound[record.id]
            if isinstance(framed, Tuple):
                made = bind_picture(ground, template, framed, record.parameters)
                bound[record.id] = Unbound(made) if isinstance(made, str) else made
        return bound

    @property
    def ground(self) -> Ground:
        """The new map."""
        return Ground(self.connection, self.new, self.layers, self.known, self.routers)

    def _stored_options(
        self, template: Template, records: Sequence[QuestionRecord]
    ) -> dict[str, StoredOptions]:
        """By question, options that may be kept: no object that a wrong one speaks of has another name or address."""
        optional = [record for record in records if record.distractors is not None]
        if not optional or _are_the_others(template, optional[0]):
            return {}
        objects = {record.id: _objects_of_options(record) for record in optional}
        named, placed = set().union(*objects.values()), set()
        layer = template.header.option_layer
        if layer and named:
            statement = queries.unchanged_words(layer, self.old.schema, self.new.schema)
            rows = self.connection.exec_driver_sql(statement, {"osm_keys": sorted(named)}).all()
            named, placed = {row.osm_key for row in rows}, {row.osm_key for row in rows if row.in_place}
        return {
            record.id: StoredOptions(record.gold["text"], record.distractors)
            for record in optional
            if record.distractors is not None
            and objects[record.id] <= (placed if "lon" in record.distractors[0] else named)
        }

    def _why_unbound(
        self, template: Template, records: Sequence[QuestionRecord], unbound: Mapping[str, Unbound]
    ) -> dict[str, Accepted | str]:
        """The parameter that is gone, or that nothing may be asked about any more: it may be in another layer now."""
        parameters = template.header.parameters
        objects = {
            record.id: keys_of(parameters[name], record.parameters[name])
            for record in records
            if record.id in unbound
            for name in (unbound[record.id].parameter,)
        }
        wanted = {key for keys in objects.values() for _, key in keys}
        binds = {"osm_keys": sorted(wanted)}
        there = set(self.connection.exec_driver_sql(queries.ON_MAP, binds).scalars()) if wanted else set()
        return {
            name: f"{unbound[name].parameter}_{'unfit' if there.issuperset(key for _, key in keys) else 'gone'}"
            for name, keys in objects.items()
        }

    def _judged(self, record: QuestionRecord, outcome: Accepted | str, made: QuestionRecord | None) -> Rerun:
        if isinstance(outcome, str):
            return outcome
        if made is None:
            raise ProofError(f"Question {record.id} ({record.template}) came out under another id.")
        if not is_same(record, made):
            return made
        if record.popularity == made.popularity:
            return None
        return made if made.popularity is None else Retold(made.popularity)


def is_same(record: QuestionRecord, made: QuestionRecord) -> bool:
    """Whether two forms of a question say the same and stand on the same."""
    return _told(record) == _told(made)


def _told(record: QuestionRecord) -> str:
    evidence = [(one["layer"], one["osm_key"]) for one in record.evidence]
    binds = {name: value for name, value in record.binds.items() if name not in PROVIDED}
    values = [getattr(record, name) for name in COMPARED]
    return canonical_json([*values, evidence, binds, vars(record.footprint)])


def _asked(asking: Asking, tuples: Mapping[str, Tuple]) -> dict[str, Accepted | str]:
    outcomes = asking.ask(list(tuples.values())) if tuples else []
    asking.warn_of_differing()
    return dict(zip(tuples, outcomes, strict=True))


def _are_the_others(template: Template, record: QuestionRecord) -> bool:
    """Whether wrong options are what the question compares with its key: never drawn, and never to be kept."""
    header = template.header.strategy_of(record.variant)
    strategy = find_strategy(template.benchmark, header.strategy) if header else None
    return strategy is not None and not strategy.is_drawn


def _objects_of_options(record: QuestionRecord) -> set[str]:
    """The objects that the wrong options speak of; none where they are numbers, kinds or places."""
    keys: set[str] = set()
    for one in record.distractors or ():
        keys.update(one.get("osm_keys") or filter(None, [one.get("osm_key")]))
    return keys
