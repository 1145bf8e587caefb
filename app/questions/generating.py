"""Generation: a recipe in, proved question records and a report out; nothing is stored here.

The same recipe gives the same records in any database that holds the same snapshots.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict, UsageError
from app.db.engine import use_schema
from app.questions.accepting import Acceptance, Accepted, accept_questions
from app.questions.alike_texts import Lookalikes, choose_alike
from app.questions.assembling import assemble
from app.questions.checking import check_provable
from app.questions.dials import NO_DIALS, Dials
from app.questions.drawing import FIRST_VARIANT, OptionsWanted
from app.questions.further_checks import open_layers
from app.questions.gold import UNANSWERABLE
from app.questions.naming import FORMS, LOCAL, name_objects
from app.questions.phrasing import texts_of
from app.questions.pictures.drawn import read_frame
from app.questions.programs import MapRouters, UnopenedRouter
from app.questions.records import QuestionRecord, SnapshotRef, TemplateReport
from app.questions.selecting import select_varied
from app.questions.sizes import bank_of_share, size_of_share
from app.questions.terms import Ground, Terms
from app.questions.text_forms import USUAL_FORM, TextForm
from app.questions.text_registers import check_register
from app.questions.twins import Originals, answerable, describe
from app.questions.unanswerable import as_report, check_share, mixed_in, quotas
from app.templates.catalogue import Benchmark

GENERATOR_VERSION = 1
Progress = Callable[[str, str, int, int], None]
"""Told (snapshot, template, tuples tried, questions accepted)."""


class NoQuestions(Conflict):
    """No template of the benchmark gives a single question on these maps."""


@dataclass(frozen=True)
class Recipe:
    """All that decides a version, apart from its name and number."""

    benchmark: Benchmark
    snapshots: Sequence[SnapshotRef]
    seed: int
    bank: int
    per_template: int
    hidden: float
    locale: str = "en"
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Values of parameters of type choice, where they are not the default."""
    wanted: OptionsWanted = FIRST_VARIANT
    names: str = LOCAL
    """The form of names that is asked, one of naming.FORMS, where it is proved; else local."""
    per_city: int | None = None
    """The largest number of questions of each template and map; then `per_template` is not heeded."""
    text_form: TextForm = USUAL_FORM
    register: str | None = None
    """The register of texts, one of text_registers.WANTED; None of versions made before there were any, whose
    questions are precise, and of which nobody knows whether a reading matters."""
    unanswerable: float = 0.0
    """The share of questions that have no answer."""
    only: Sequence[str] = ()
    """The templates that are asked, where they are not all of the benchmark; `benchmark` has these alone then."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """By template, of those that are to be a share of all questions: that share, instead of `per_template`."""
    voided: Sequence[str] = ()
    """Ids of questions that errata left out, for good; nothing takes their places."""
    corrected: Mapping[str, Any] = field(default_factory=dict)
    """By the id of each question whose gold an erratum derived anew: {template, version, body_hash} that did."""
    earlier: Sequence[Mapping[str, Any]] = ()
    """Of a version that was refreshed, what it came from, the first first: {version, snapshots, voided} each, with
    secret_draws where it had it."""
    secret_draws: bool = False
    """Whether wrong options come from the data set's secret: so they do where questions are hidden, but for versions
    made before there were secrets. Then the recipe alone does not make the version again."""
    router: str | None = None
    """The program that finds routes, with its version, where a template needs one; None where there was none."""
    unopened: Sequence[UnopenedRouter] = ()
    """The routers that failed when the version was made, so that questions that need them were refused."""
    drawing: Mapping[str, Any] | None = None
    """Of questions about drawn maps: what the bytes of their pictures depend on besides the maps."""
    originals: Originals | None = field(default=None, repr=False)
    """Of fresh twins: the version whose public questions they are the twins of."""
    dials: Dials = NO_DIALS
    """How hard the questions are to be."""
    secret: str | None = field(default=None, repr=False)
    """The secret; no part of the recipe that is stored, shown and exported."""

    @property
    def drawn(self) -> OptionsWanted:
        """How options are made, with the secret where they come from it."""
        return replace(self.wanted, secret=self.secret) if self.secret_draws else self.wanted

    @property
    def terms(self) -> Terms:
        """How questions are asked."""
        return Terms(self.seed, self.chosen, self.drawn, self.register, self.dials)

    @property
    def barred(self) -> frozenset[str]:
        """The ids of questions that may not be asked: of fresh twins, all that the data set of the originals asked."""
        return self.originals.barred if self.originals else frozenset()

    @property
    def _unanswerable(self) -> dict[str, Any]:
        """The share, and by template the hash of what makes its questions without an answer."""
        forms = {
            name: one.unanswerable.body_hash
            for name, one in self.benchmark.templates.items()
            if one.unanswerable is not None
        }
        return {"share": self.unanswerable, "templates": forms}

    def as_json(self) -> dict[str, Any]:
        """The recipe as versions store it."""
        return {
            "generator": GENERATOR_VERSION,
            "benchmark": self.benchmark.name,
            "benchmark_version": self.benchmark.file.version,
            "snapshots": [
                {
                    **snapshot.as_json(),
                    "layer_schema_version": snapshot.layer_schema_version,
                    **({"facts": snapshot.facts} if snapshot.facts else {}),
                }
                for snapshot in self.snapshots
            ],
            "templates": {
                name: {"version": template.header.version, "body_hash": template.body_hash}
                for name, template in self.benchmark.templates.items()
            },
            "seed": self.seed,
            "bank": self.bank,
            "per_template": self.per_template,
            "hidden": self.hidden,
            "locale": self.locale,
            **({"chosen": dict(self.chosen)} if self.chosen else {}),
            **({"variant": self.wanted.variant} if self.wanted.variant else {}),
            **({"five_options": True} if self.wanted.five else {}),
            **({"names": self.names} if self.names != LOCAL else {}),
            **({"per_city": self.per_city} if self.per_city else {}),
            **({"text_form": form} if (form := self.text_form.as_json()) else {}),
            **({"register": self.register} if self.register else {}),
            **({"unanswerable": self._unanswerable} if self.unanswerable else {}),
            **({"only": sorted(self.only)} if self.only else {}),
            **({"shares": dict(self.shares)} if self.shares else {}),
            **({"voided": sorted(self.voided)} if self.voided else {}),
            **({"corrected": dict(self.corrected)} if self.corrected else {}),
            **({"earlier": [dict(one) for one in self.earlier]} if self.earlier else {}),
            **({"secret_draws": True} if self.secret_draws else {}),
            **({"router": self.router} if self.router else {}),
            **({"unopened_routers": [one._asdict() for one in self.unopened]} if self.unopened else {}),
            **({"drawing": dict(self.drawing)} if self.drawing else {}),
            **({"dials": dials} if (dials := self.dials.as_json()) else {}),
            **({"twin_of": self.originals.as_json()} if self.originals else {}),
        }


@dataclass(frozen=True)
class Generated:
    """The records of a version, in order, and what became of each template's tuples."""

    recipe: Recipe
    records: Sequence[QuestionRecord]
    reports: dict[str, TemplateReport]


def generate(
    connection: Connection, recipe: Recipe, progress: Progress, routers: MapRouters | None = None
) -> Generated:
    """Make a version's questions. The connection needs to read the snapshots' schemas, in one transaction.

    Without `routers`, templates that need one give no question (no_router). Raises NoQuestions where no template of the
    benchmark gives a single one, UsageError for a locale or a form of names that there is not.
    """
    _check_wording(recipe)
    check_share(recipe.benchmark, recipe.unanswerable)
    for template in recipe.benchmark.templates.values():
        check_provable(template)
    banks = _fill_banks(connection, recipe, progress, routers)
    chosen, reports = _choose(recipe, banks)
    if not chosen:
        raise NoQuestions(
            f"{recipe.benchmark.name} gives no question on {', '.join(one.reference for one in recipe.snapshots)}: "
            + "; ".join(f"{name}: {_told_refusals(report)}" for name, report in reports.items())
            + "."
        )
    return Generated(recipe, _assemble_all(connection, recipe, chosen), reports)


def _told_refusals(report: TemplateReport) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in report.refused.items()) or "no value"


class _Banks(NamedTuple):
    """By template: what became of its tuples on each map, and of those that were asked as unanswerable questions."""

    outcomes: dict[str, list[Acceptance]]
    without: dict[str, list[Acceptance]]
    twins: dict[str, list[Accepted]]
    """Of fresh twins: the questions that were picked, in the order of the bank."""


def _fill_banks(
    connection: Connection, recipe: Recipe, progress: Progress, routers: MapRouters | None
) -> _Banks:
    banks = _Banks(defaultdict(list), defaultdict(list), {})
    terms = recipe.terms
    seen: set[str] = set(recipe.barred)
    others = len(recipe.benchmark.templates.keys() - recipe.shares.keys())
    for snapshot in recipe.snapshots:
        use_schema(connection, snapshot.schema)
        ground = Ground(connection, snapshot, open_layers(connection, snapshot), routers=routers)
        for name, template in recipe.benchmark.templates.items():
            tell = partial(progress, snapshot.reference, name)
            bank = bank_of_share(recipe.shares, name, recipe.bank, others)
            banks.outcomes[name].append(accept_questions(ground, template, terms, bank, seen, tell))
            if recipe.unanswerable and template.unanswerable is not None:
                banks.without[name].append(
                    accept_questions(ground, template, terms, recipe.bank, seen, gold_kind=UNANSWERABLE)
                )
    if recipe.originals:
        banks.twins.update(_pick_twins(connection, recipe, recipe.originals, banks.outcomes))
    return banks


def _pick_twins(
    connection: Connection, recipe: Recipe, originals: Originals, outcomes: Mapping[str, Sequence[Acceptance]]
) -> dict[str, list[Accepted]]:
    """By template, in the order of its bank: the questions that are the twins of the originals."""
    offered = []
    for number, snapshot in enumerate(recipe.snapshots):
        use_schema(connection, snapshot.schema)
        here = [one for found in outcomes.values() for one in found[number].accepted]
        for one, naming in zip(here, name_objects(connection, here), strict=True):
            kind, parameters = one.derived.gold_kind, one.picked.parameters
            offered.append(describe(one.id, one.template.id, kind, naming.popularity, parameters))
    picked = originals.pick(offered)
    return {
        name: [one for outcome in found for one in outcome.accepted if one.id in picked]
        for name, found in outcomes.items()
    }


def _choose(recipe: Recipe, banks: _Banks) -> tuple[list[Accepted], dict[str, TemplateReport]]:
    """The questions of the version in the order of their templates, and what is told of each template."""
    selected = banks.twins if recipe.originals else _select(recipe, banks.outcomes)
    added = _choose_unanswerable(recipe, banks, selected)
    chosen: list[Accepted] = []
    reports: dict[str, TemplateReport] = {}
    for name, questions in selected.items():
        kept = _without_voided(recipe, questions)
        reports[name] = _report(recipe, name, banks.outcomes[name], kept)
        if name in added:
            more = _without_voided(recipe, added[name])
            reports[name] = replace(reports[name], unanswerable=as_report(banks.without[name], len(more)))
            kept = mixed_in(name, [*kept, *more], recipe.seed)
        chosen += kept
    return chosen, reports


def _select(recipe: Recipe, outcomes: Mapping[str, Sequence[Acceptance]]) -> dict[str, list[Accepted]]:
    """By template, in their order, the questions of the version; those with a share after the others are known."""
    selected = {
        name: select_of_maps(recipe, found, recipe.per_template, recipe.per_city)
        for name, found in outcomes.items()
        if name not in recipe.shares
    }
    maps = Counter(one.snapshot.id for questions in selected.values() for one in questions)
    for name in recipe.shares:
        banks = [found.accepted for found in outcomes[name]]
        others = [maps[snapshot.id] for snapshot in recipe.snapshots]
        if recipe.per_city is None:
            banks, others = [[one for bank in banks for one in bank]], [maps.total()]
        selected[name] = [
            one
            for bank, number in zip(banks, others, strict=True)
            for one in select_varied(
                bank, size_of_share(recipe.shares, name, number), values_to_vary, recipe.seed
            )
        ]
    return {name: selected[name] for name in recipe.benchmark.templates}


def _choose_unanswerable(
    recipe: Recipe, banks: _Banks, selected: Mapping[str, Sequence[Accepted]]
) -> dict[str, list[Accepted]]:
    """By template: the questions without an answer. What errata left out is among them, and among those selected."""
    draws = recipe.drawn.drawn_from(recipe.seed)
    alike = {
        name: [
            Lookalikes(one.accepted, [model for model in selected[name] if model.snapshot == snapshot], draws)
            for snapshot, one in zip(recipe.snapshots, found, strict=True)
        ]
        for name, found in banks.without.items()
    }
    rooms = {name: sum(one.room for one in maps) for name, maps in alike.items()}
    taken = quotas(rooms, sum(map(len, selected.values())), recipe.unanswerable)

    def select(bank: Sequence[Accepted], most: int) -> list[Accepted]:
        return select_varied(bank, most, values_to_vary, recipe.seed)

    return {name: choose_alike(maps, taken[name], select) for name, maps in alike.items()}


def _report(
    recipe: Recipe, name: str, outcomes: Sequence[Acceptance], selected: Sequence[Accepted]
) -> TemplateReport:
    refused = sum((outcome.refused for outcome in outcomes), Counter())
    wanted = (
        Counter(one.template for one in answerable(recipe.originals.questions)) if recipe.originals else None
    )
    return TemplateReport(
        recipe.benchmark.templates[name].header.version,
        sum(outcome.capacity for outcome in outcomes),
        sum(len(outcome.accepted) for outcome in outcomes),
        len(selected),
        dict(sorted(refused.items())),
        _counted_options(selected) if recipe.wanted.five else None,
        without_twin=wanted[name] - len(selected) if wanted is not None else None,
    )


def select_of_maps(
    recipe: Recipe, outcomes: Sequence[Acceptance], most: int, per_city: int | None = None
) -> list[Accepted]:
    """At most so many questions of all maps, or of each map."""
    banks = [outcome.accepted for outcome in outcomes]
    if per_city is None:
        banks = [[one for bank in banks for one in bank]]
    return [
        one for bank in banks for one in select_varied(bank, per_city or most, values_to_vary, recipe.seed)
    ]


def _without_voided(recipe: Recipe, questions: Sequence[Accepted]) -> list[Accepted]:
    """Those that no erratum left out."""
    voided = set(recipe.voided)
    return [one for one in questions if one.id not in voided]


def _counted_options(selected: Sequence[Accepted]) -> dict[str, int]:
    """By the number of options: how many questions show so many."""
    return {str(n): count for n, count in sorted(Counter(len(one.options or ()) for one in selected).items())}


def _check_wording(recipe: Recipe) -> None:
    if recipe.names not in FORMS:
        raise UsageError(f"--names {recipe.names!r}: there are {', '.join(FORMS)}.")
    for template in recipe.benchmark.templates.values():
        texts_of(template, recipe.locale)
    if recipe.register:
        check_register(recipe.benchmark, recipe.locale, recipe.register)


def values_to_vary(one: Accepted) -> dict[str, Any]:
    """The parameters of a question, each filter's class and tag before its value: kinds of filters vary first.

    Of a frame, the zoom varies first.
    """
    values: dict[str, Any] = {}
    for name, parameter in one.template.header.parameters.items():
        if parameter.type == "filter":
            values[f"{name} without value"] = str(one.picked.one(name).bind).split(",")[:2]
        if parameter.type == "frame":
            values[f"{name} zoom"] = read_frame(str(one.picked.one(name).value)).zoom
        values[name] = one.picked.parameters[name]
    return values


def _assemble_all(connection: Connection, recipe: Recipe, chosen: Sequence[Accepted]) -> list[QuestionRecord]:
    """Records in the order of `chosen`, made snapshot by snapshot."""
    made: dict[str, QuestionRecord] = {}
    for snapshot in recipe.snapshots:
        use_schema(connection, snapshot.schema)
        here = [one for one in chosen if one.snapshot.id == snapshot.id]
        layers = None if recipe.names == LOCAL else open_layers(connection, snapshot)
        for record in assemble(
            connection,
            recipe.benchmark,
            here,
            recipe.seed,
            recipe.hidden,
            recipe.locale,
            recipe.names,
            layers,
            recipe.register,
            recipe.text_form,
        ):
            made[record.id] = record
    return [made[one.id] for one in chosen]
