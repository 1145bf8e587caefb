"""One template on one snapshot: tuples in, accepted questions and counted refusals out.

Reads the snapshot that the connection's search path names. A question is accepted only when its second path agrees.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any

from app.core.errors import ProofError
from app.core.identity import digest
from app.core.log import get_logger
from app.questions import queries
from app.questions.contexts import CONTEXT, AskedFor, Context, write_context
from app.questions.derivations import Case, Derived, derive
from app.questions.dialled import IN_VAIN, Dialled, are_in_vain
from app.questions.drawing import Drawing
from app.questions.evidence import object_of
from app.questions.gold import VALUE
from app.questions.instantiate import Row, ask_batch, types_used
from app.questions.labels import label_of
from app.questions.lacking import lacking
from app.questions.offered import Offered, offer
from app.questions.picking import Pick, Space, Tuple, open_space
from app.questions.pictures.asking import tuples_of_pictures
from app.questions.pictures.drawn import told_by_picture
from app.questions.pictures.proving import DRAWING, Seen, as_solution, drawing_fault
from app.questions.prechecks import Intended, refused_beforehand
from app.questions.programs import NO_ROUTER, ProgramRun, Selected, lacks_router, program_of, run_program
from app.questions.readings import Reading, read_question
from app.questions.records import SnapshotRef
from app.questions.second_path import (
    SecondAnswer,
    TemplateVersion,
    answer,
    disagreements,
    wrong_options,
)
from app.questions.strategies import Distractor, QuestionToFill, Sources
from app.questions.terms import Ground, Terms
from app.questions.text_registers import why_refused
from app.questions.tool_plans import has_plans, plan_fault
from app.templates.statements import binds_of
from app.templates.templates import Template

CHUNKS = (256, 1024)
"""The least and the most tuples asked at once: those of one region share work, and a bank is not overshot by much."""
PROGRAM_CHUNKS = (32, 128)
"""The like for templates with a program: a route takes longer than a row of a SELECT."""
PICTURE_CHUNKS = (8, 16)
"""The same of tuples for which pictures are drawn, which costs more than all else."""
DRAW_ANEW = "draw_anew"
"""The outcome of a question whose stored options no longer stand; it is no reason to refuse it."""
log = get_logger(__name__)


@dataclass(frozen=True)
class StoredOptions:
    """The options that a question has already, and keeps as long as they stand; `text` is its key's."""

    text: str
    distractors: Sequence[Distractor]


@dataclass(frozen=True)
class Accepted:
    """A question whose gold is proved, before it has a text."""

    id: str
    snapshot: SnapshotRef
    template: Template
    variant: str
    picked: Tuple
    binds: Mapping[str, Any]
    derived: Derived
    gold: dict[str, Any]
    options: Sequence[str] | None
    distractors: Sequence[Distractor] | None
    second: SecondAnswer
    reading: Reading | None = None
    """Which readings matter; None where nobody asked, or none can tell."""
    only_precise: bool = False
    """Whether it is asked in precise words whatever its readings allow."""
    context: Context | None = None
    """What its prompt tells beside its text."""

    @property
    def solutions(self) -> Mapping[str, Any]:
        """What leads to the answer, by kind: what was derived, and what of the context or the picture tells it."""
        told = {} if self.context is None else {CONTEXT: self.context.as_solution()}
        if self.picked.picture is not None:
            told[DRAWING] = as_solution(self.template.benchmark, self.template.id, self.picked.picture)
        return {**self.derived.solutions, **told}


@dataclass
class Acceptance:
    """What became of a template's tuples on one snapshot."""

    capacity: int
    accepted: list[Accepted] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


@dataclass
class _Draft:
    picked: Tuple
    id: str
    binds: Mapping[str, Any]
    facts: Mapping[str, Mapping[str, Any]]
    """By parameter: what its pick knew besides."""
    rows: Sequence[Mapping[str, Any]] = ()
    derived: Derived = field(default_factory=Derived)
    pool: Sequence[Row] = ()
    refusal: str | None = None


Tell = Callable[[int, int], None]
"""Told (tuples tried, questions accepted)."""


def say_nothing(tried: int, accepted: int) -> None:
    """A progress that nobody hears of."""


def accept_questions(
    ground: Ground,
    template: Template,
    terms: Terms,
    bank: int,
    seen: set[str],
    progress: Tell = say_nothing,
    gold_kind: str = VALUE,
) -> Acceptance:
    """Fill the template's bank with questions whose gold is of that kind, or try every tuple.

    `seen` holds the ids of the version's questions so far, and is added to: maps may overlap. What is found out about
    the map is added to `ground.known`.
    """
    space = open_space(
        ground.connection,
        template,
        terms.seed,
        ground.snapshot.outline,
        terms.chosen,
        ground.snapshot.facts,
        ground.known.picks,
    )
    result = Acceptance(space.capacity)
    missing = lacking(ground.snapshot, template) or space.missing
    if missing is None and lacks_router(template, ground.snapshot, ground.routers):
        missing = NO_ROUTER
    if missing:
        result.refused[missing] = space.capacity
        return result
    asking = Asking(ground, template, terms, seen, space.choices, gold_kind=gold_kind)
    if asking.refusal:
        result.refused[asking.refusal] = space.capacity
        return result
    _fill_bank(asking, ground, space, bank, result, progress)
    asking.warn_of_differing()
    return result


def _fill_bank(
    asking: "Asking", ground: Ground, space: Space, bank: int, result: Acceptance, progress: Tell
) -> None:
    """Ask the space's tuples in their order until `result` has `bank` questions, or none is left."""
    drawn = space.template.header.picture is not None
    tuples, seen = tuples_of_pictures(ground, space) if drawn else space.tuples(), asking.seen
    least, most = PICTURE_CHUNKS if drawn else CHUNKS if asking.program is None else PROGRAM_CHUNKS
    while len(result.accepted) < bank and (
        chunk := list(islice(tuples, max(least, min(most, bank - len(result.accepted)))))
    ):
        for settle in asking.ask_lazily(chunk):
            outcome = settle()  # proofs cost the most: none is made for what the bank has no room for
            if not isinstance(outcome, Accepted):
                result.refused[outcome] += 1
            elif outcome.id in seen:
                result.refused["duplicate"] += 1
            else:
                seen.add(outcome.id)
                result.accepted.append(outcome)
            if len(result.accepted) == bank:
                break
        tried = sum(result.refused.values()) + len(result.accepted)
        progress(tried, len(result.accepted))
        if not result.accepted and are_in_vain(result.refused):
            result.refused[IN_VAIN] += result.capacity - tried
            return


class Asking:
    """Asks chunks of tuples of one template; keeps what chunks share.

    Questions of which `stored` holds options keep them, or come out as DRAW_ANEW.
    """

    def __init__(
        self,
        ground: Ground,
        template: Template,
        terms: Terms,
        seen: set[str],
        choices: Mapping[str, Sequence[Pick]] = MappingProxyType({}),
        stored: Mapping[str, StoredOptions] = MappingProxyType({}),
        gold_kind: str = VALUE,
    ) -> None:
        self.gold_kind = gold_kind
        self.body, self.derive = template.proved_by(gold_kind)
        self.program, self.routers = program_of(template.header, gold_kind), ground.routers
        self.connection, self.snapshot, self.template = ground.connection, ground.snapshot, template
        self.stored, self.register = stored, terms.register
        self.dialled = Dialled(ground, template, terms.dials)
        self.layers, self.seed, self.seen = ground.layers, terms.seed, seen
        self.header = template.header
        self.provided = {"facts": self.snapshot.facts} if template.uses_facts else {}
        self.rooms = ground.known.rooms
        self.differing: list[tuple[str, str]] = []
        """Each question about which the two paths differ, and the first thing that differs."""
        self.variant = self.header.variant_for(terms.wanted.variant)
        self.offers_no_answer = template.offers_no_answer(terms.wanted.variant)
        strategy = self.header.strategy_of(self.variant)
        drawn_from = terms.wanted.drawn_from(terms.seed)
        self.drawing = strategy and Drawing(
            Sources(self.connection, self.snapshot, template, strategy, choices, drawn_from, self._rows_of),
            terms.wanted.five,
        )

    def warn_of_differing(self) -> None:
        """Log in one line how many questions were refused because the two paths differ, and why the first one was."""
        if self.differing:
            question, fault = self.differing[0]
            log.warning(
                "the second path disagrees about questions, which are refused; log level debug shows each of them",
                template=self.template.id,
                map=self.snapshot.reference,
                refused=len(self.differing),
                first=question,
                fault=fault,
            )

    @property
    def refusal(self) -> str | None:
        """Why no tuple of this map can have its wrong options, where that can be told without asking any."""
        return self.drawing.refusal if isinstance(self.drawing, Drawing) else None

    def ask(self, chunk: Sequence[Tuple]) -> list[Accepted | str]:
        """For each tuple an accepted question, or the reason of its refusal."""
        return [outcome() for outcome in self.ask_lazily(chunk)]

    def ask_lazily(self, chunk: Sequence[Tuple]) -> list[Callable[[], Accepted | str]]:
        """For each tuple how its outcome is found: it is asked already, and gets its options and proof when called."""
        if self.header.search == "circle":
            self._find_rooms({self._anchor(picked) for picked in chunk})
        outcomes = [self._draft(picked) for picked in chunk]
        asked = [one for one in outcomes if isinstance(one, _Draft)]
        self._derive(asked)
        self._refuse_outside(asked)
        for draft in asked:
            draft.refusal = draft.refusal or self.dialled.refuses(draft.derived, draft.binds)
        self._fetch_pools([draft for draft in asked if draft.refusal is None])
        return [partial(self._settle, one) for one in outcomes]

    def _settle(self, outcome: _Draft | str) -> Accepted | str:
        return outcome if isinstance(outcome, str) else outcome.refusal or self._prove(outcome)

    def _draft(self, picked: Tuple) -> _Draft | str:
        """What SQL is to be asked about, or the reason why it need not be."""
        if picked.refusal is not None:
            return picked.refusal
        binds = self._binds_of(picked)
        facts = {name: picks[0].facts for name, picks in picked.picks.items()}
        room = self.rooms.get(self._anchor(picked)) if self.header.search == "circle" else None
        intended = Intended(binds, facts, self.variant, room)
        refusal = refused_beforehand(self.template.benchmark, intended)
        if refusal:
            return refusal
        identity = digest(self.template.benchmark, self.template.id, self.variant, picked.parameters)
        return "duplicate" if identity in self.seen else _Draft(picked, identity, binds, facts)

    def _binds_of(self, picked: Tuple) -> dict[str, Any]:
        return {**picked.binds, **self.header.constants, **self.provided, **self._seen_in(picked)}

    def _seen_in(self, picked: Tuple) -> Mapping[str, Any]:
        """What the SELECT wants to know of the tuple's picture, if it has one."""
        if picked.picture is None:
            return {}  # of tens of thousands of tuples: to read the SELECT for each took a sixth of the time
        used = binds_of(self.body)
        return {name: value for name, value in picked.picture.binds.items() if name in used}

    def _derive(self, drafts: Sequence[_Draft]) -> None:
        for draft, rows in zip(drafts, self._find_rows([draft.binds for draft in drafts]), strict=True):
            draft.rows = rows
            case = Case(rows, draft.binds, self.header.margins, self.header.limits, draft.facts)
            draft.derived = derive(self.template.benchmark, self.derive, case)
            draft.refusal = draft.derived.refusal

    def _rows_of(self, tuples: Sequence[Tuple]) -> Sequence[Sequence[Mapping[str, Any]]]:
        return self._find_rows([self._binds_of(picked) for picked in tuples])

    def _find_rows(self, binds: Sequence[Mapping[str, Any]]) -> Sequence[Sequence[Mapping[str, Any]]]:
        """The rows that the derivation reads: those of the SELECT, or what the template's program makes of them."""
        answers = ask_batch(self.connection, self.body, types_used(self.header, self.body), binds)
        if self.program is None or self.routers is None:
            return answers
        asked = [Selected(rows, one) for one, rows in zip(binds, answers, strict=True)]
        run = ProgramRun(self.connection, self.snapshot, self.routers, asked)
        return run_program(self.template.benchmark, self.program, run)

    def _anchor(self, picked: Tuple) -> str:
        name, parameter = next(
            one for one in self.header.parameters.items() if one[1].type in ("object", "described")
        )
        return object_of(parameter, str(picked.one(name).value))

    def _refuse_outside(self, drafts: Sequence[_Draft]) -> None:
        """Refuse questions that look beyond the outline: nobody knows what lies there."""
        if self.header.search == "circle":
            for draft in drafts:
                radius = draft.derived.radius
                if radius is not None and self.rooms[self._anchor(draft.picked)] < radius:
                    draft.refusal = "leaves_outline"
        elif self.header.search == "point":
            self._refuse_around_points([draft for draft in drafts if draft.refusal is None])

    def _refuse_around_points(self, drafts: Sequence[_Draft]) -> None:
        circles = [(draft.derived.centre, draft.derived.radius) for draft in drafts]
        if any(centre is None or radius is None for centre, radius in circles):
            raise ProofError(
                f"{self.template.id}: search is point, and {self.derive} tells no centre or no radius."
            )
        binds = {
            "outline": self.snapshot.outline,
            "lons": [centre[0] for centre, _ in circles if centre],
            "lats": [centre[1] for centre, _ in circles if centre],
        }
        rows = self.connection.exec_driver_sql(queries.ROOM_AROUND_POINTS, binds)
        for draft, (_, radius), row in zip(drafts, circles, rows, strict=True):
            if radius is not None and (not row.inside or row.room < radius):
                draft.refusal = "leaves_outline"

    def _find_rooms(self, anchors: set[str]) -> None:
        unknown = sorted(anchors - self.rooms.keys())
        if unknown:
            rows = self.connection.exec_driver_sql(
                queries.ROOM_AROUND, {"osm_keys": unknown, "outline": self.snapshot.outline}
            )
            self.rooms |= {row.osm_key: row.room if row.inside else -1.0 for row in rows}

    def _fetch_pools(self, drafts: Sequence[_Draft]) -> None:
        if self.template.pool is None or not (self.drawing and self.drawing.asks_pool):
            return
        types = types_used(self.header, self.template.pool)
        wanting = [draft for draft in drafts if draft.id not in self.stored]
        pools = ask_batch(self.connection, self.template.pool, types, [draft.binds for draft in wanting])
        for draft, pool in zip(wanting, pools, strict=True):
            draft.pool = self._labelled(pool)

    def _labelled(self, pool: Sequence[Row]) -> Sequence[Row]:
        """The rows of a pool with their labels, where its SELECT has none."""
        kind = self.template.pool_label
        return [{**row, "label": label_of(kind, row)} for row in pool] if kind else pool

    def _draw(self, drawing: Drawing, draft: _Draft) -> list[Distractor] | str:
        """The wrong options: those that the question has already where they may stand, else drawn."""
        question = QuestionToFill(draft.id, draft.picked, draft.rows, draft.pool, draft.derived.gold)
        stored = self.stored.get(draft.id)
        if stored is None:
            return drawing.draw(question)
        stands = stored.text == draft.derived.gold["text"] and not drawing.is_unfair(
            question, stored.distractors
        )
        return list(stored.distractors) if stands else DRAW_ANEW

    def _prove(self, draft: _Draft) -> Accepted | str:
        gold, options, distractors = draft.derived.gold, None, None
        if self.drawing:
            drawn = self._draw(self.drawing, draft)
            if isinstance(drawn, str):
                return drawn
            offered = self._offer(gold, drawn, draft)
            if isinstance(offered, str):
                return offered
            options, distractors = offered.options, offered.distractors
            gold = {**gold, "index": offered.index}
        derived = draft.derived
        asked = TemplateVersion(
            self.template.benchmark, self.template.id, self.header.version, derived.gold_kind, self.variant
        )
        parameters = {**draft.picked.parameters, **told_by_picture(draft.binds)}
        second = answer(self.layers, asked, parameters)
        faults = disagreements(self.template.id, gold, second, options, derived.gold_kind, derived.gold_keys)
        if options is not None:
            verdicts = wrong_options(self.layers, asked, parameters, second, options, gold["index"])
            faults = [*faults, *(f"{one.text}: {one.why}" for one in verdicts if not one.wrong)]
        if faults and draft.id in self.stored:
            return DRAW_ANEW
        if faults:
            log.debug("second path disagrees", question=draft.id, template=self.template.id, faults=faults)
            self.differing.append((draft.id, faults[0]))
            return "second_path_disagrees"
        if self._is_misled_by_plan(draft, gold):
            return "tool_plan_fails"
        context = self._write_context(draft, gold, options, distractors)
        if isinstance(context, str):
            return context
        if self._is_misled_by_picture(draft, gold, options):
            return "drawing_fails"
        reading = None
        if self.register is not None:
            reading = read_question(self.layers, asked, parameters, second)
            refusal = why_refused(self.register, self.template, draft.picked.parameters, reading)
            if refusal:
                return refusal
        return Accepted(
            draft.id,
            self.snapshot,
            self.template,
            self.variant,
            draft.picked,
            draft.binds,
            draft.derived,
            gold,
            options,
            distractors,
            second,
            reading,
            context=context,
        )

    def _offer(self, gold: Mapping[str, Any], drawn: Sequence[Distractor], draft: _Draft) -> Offered | str:
        offered = offer(gold, drawn, self.seed, draft.id, offers_no_answer=self.offers_no_answer)
        if isinstance(offered, str):
            return offered
        return self.dialled.refuses_options(gold, offered.distractors) or offered

    def _write_context(
        self,
        draft: _Draft,
        gold: Mapping[str, Any],
        options: Sequence[str] | None,
        distractors: Sequence[Distractor] | None,
    ) -> Context | str | None:
        """The draft's context, or a reason of refusal; None where the benchmark has none."""
        places = [one["osm_key"] for one in distractors or () if one.get("osm_key")]
        right = [one if isinstance(one, str) else one["osm_key"] for one in gold.get("objects", ())]
        asked = AskedFor(
            self.connection,
            self.snapshot,
            self.template.id,
            draft.id,
            self.seed,
            draft.picked.parameters,
            draft.binds,
            gold,
            options,
            sorted({*places, *right}),
            self.routers,
            self.dialled.dials.noise,
        )
        return write_context(self.template.benchmark, asked, draft.derived.gold_kind)

    def _is_misled_by_picture(
        self, draft: _Draft, gold: Mapping[str, Any], options: Sequence[str] | None
    ) -> bool:
        """Whether the gold does not follow from the draft's picture alone, where it has one."""
        if draft.picked.picture is None:
            return False
        benchmark, template = self.template.benchmark, self.template.id
        seen = Seen(benchmark, template, draft.picked.parameters, options)
        fault = drawing_fault(seen, {DRAWING: as_solution(benchmark, template, draft.picked.picture)}, gold)
        if fault is not None:
            log.info("picture fails", question=draft.id, template=template, fault=fault)
        return fault is not None

    def _is_misled_by_plan(self, draft: _Draft, gold: Mapping[str, Any]) -> bool:
        """Whether the draft's tool plan does not lead to the gold, where the benchmark has plans."""
        benchmark, derived = self.template.benchmark, draft.derived
        if not has_plans(benchmark, derived.gold_kind):
            return False
        fault = plan_fault(self.connection, self.snapshot, benchmark, derived.solutions, gold, self.routers)
        if fault is not None:
            log.info("tool plan fails", question=draft.id, template=self.template.id, fault=fault)
        return fault is not None
