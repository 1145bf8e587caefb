"""A stored question's gold derived anew, on its own map: by its stored SQL, or by a later version of its template.

Reads the question and its map, writes nothing. Text and options stay as they are; whatever changes is proved by the
second path as a new question's would be. Gold is never given by anybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.core.errors import Conflict, ProofError
from app.core.identity import canonical_json
from app.core.names import normal_form
from app.db.engine import use_schema
from app.questions.assembling import read_evidence
from app.questions.contexts import CONTEXT, Shown, context_fault
from app.questions.derivations import Case, Derived, derive
from app.questions.evidence import evidence_keys
from app.questions.further_checks import open_layers
from app.questions.gold import UNANSWERABLE, GoldKeys
from app.questions.instantiate import Row, ask_batch, types_used
from app.questions.pictures.drawn import told_by_picture
from app.questions.pictures.proving import DRAWING, Seen, drawing_fault
from app.questions.programs import MapRouters, ProgramRun, Selected, can_run, program_of, run_program
from app.questions.prompts import context_of, words_of
from app.questions.readings import Reading, read_question
from app.questions.second_path import (
    Layers,
    SecondAnswer,
    TemplateVersion,
    answer,
    disagreements,
    wrong_options,
)
from app.questions.stored import StoredQuestion
from app.questions.text_registers import fault_of_text
from app.questions.tool_plans import has_plans, plan_fault
from app.templates.catalogue import Benchmark, find_benchmark
from app.templates.header import Header
from app.templates.templates import Template

INSTEAD = "Void the question instead, or reject the dispute"


@dataclass(frozen=True)
class Correction:
    """New gold and new proof of a question; its text, options and parameters are those that it had.

    `today` and `made_by` are None where the stored form of the template made it.
    """

    id: str
    template: str
    template_version: int
    prompt_hash: str
    gold: dict[str, Any]
    gold_kind: str
    gold_keys: GoldKeys
    solutions: Mapping[str, Any]
    sql: str
    binds: dict[str, Any]
    derive: str
    evidence: Sequence[Mapping[str, Any]]
    margin: dict[str, Any]
    distractors: Sequence[Mapping[str, Any]] | None
    second_path: dict[str, Any]
    readings: dict[str, Any] | None
    osm_keys: list[str]
    names: list[str]
    fact_ids: list[str]
    today: Benchmark | None
    made_by: dict[str, Any] | None


@dataclass(frozen=True)
class _Form:
    """What is asked: a header, a SELECT and its binds."""

    header: Header
    sql: str
    binds: dict[str, Any]
    today: Template | None


def rederive(
    connection: Connection, question: StoredQuestion, routers: MapRouters | None = None
) -> Correction:
    """The question's gold as its map gives it now; leaves the search path on the map.

    Raises Conflict where nothing would change, where the question would have to be another one, or no proof is found;
    also where it needs a router, and there is none.
    """
    if question.gold_kind == UNANSWERABLE:
        raise Conflict(
            f"Question {question.id} has no answer on its map: there is none to correct. {INSTEAD}."
        )
    use_schema(connection, question.snapshot.schema)
    benchmark = find_benchmark(question.benchmark)
    form = _form(question, benchmark)
    derived = _derive(connection, question, form, routers)
    stored = [_stored_gold(question), question.gold_kind, question.gold_keys]
    if canonical_json([derived.gold, derived.gold_kind, derived.gold_keys]) == canonical_json(stored):
        by = f"version {form.header.version} of {question.template}" if form.today else "the stored SQL"
        raise Conflict(
            f"Question {question.id}: {by} gives on its map the answer that is stored, so there is nothing to correct; "
            f"gold is derived and never given. {INSTEAD}."
        )
    gold, distractors = _with_options(question, form.header, derived.gold)
    made = replace(derived, gold=gold)
    layers = open_layers(connection, question.snapshot)
    second = _prove(layers, question, made, distractors, form.header.version)
    _check_plan(connection, question, made, routers)
    solutions = _with_drawing(question, _with_context(question, made), made)
    reading = _read_again(layers, question, second, form.header.version)
    keys = evidence_keys(form.header, question.parameters, derived.evidence, distractors)
    found = read_evidence(connection, keys)
    outline = question.snapshot.outline_source if form.header.search != "none" else None
    today = form.today
    return Correction(
        id=question.id,
        template=question.template,
        template_version=form.header.version,
        prompt_hash=question.prompt_hash,
        gold=gold,
        gold_kind=derived.gold_kind,
        gold_keys=derived.gold_keys,
        solutions=solutions,
        sql=form.sql,
        binds=form.binds,
        derive=form.header.derive,
        evidence=[found[key] for key in keys],
        margin={**derived.margin, "outline": outline},
        distractors=distractors,
        second_path=second.as_json(),
        readings=reading.as_json() if reading else None,
        osm_keys=sorted({key for _, key in keys}),
        names=sorted(map(normal_form, derived.names)),
        fact_ids=sorted(derived.facts),
        today=benchmark if today else None,
        made_by=(
            {"template": today.id, "version": today.header.version, "body_hash": today.body_hash}
            if today
            else None
        ),
    )


def _form(question: StoredQuestion, benchmark: Benchmark) -> _Form:
    """The template as it stands in the tree where it is newer than the question, else as it is stored."""
    today = benchmark.templates.get(question.template)
    if today is None or today.header.version <= question.template_version:
        return _Form(question.header, question.sql, question.binds, None)
    if today.header.parameters.keys() != question.parameters.keys():
        raise Conflict(
            f"Question {question.id}: version {today.header.version} of {question.template} has other parameters: it "
            f"asks other questions. {INSTEAD}."
        )
    return _Form(today.header, today.body, {**question.binds, **today.header.constants}, today)


def _derive(
    connection: Connection, question: StoredQuestion, form: _Form, routers: MapRouters | None
) -> Derived:
    types = types_used(form.header, form.sql)
    try:
        with connection.begin_nested():
            (rows,) = ask_batch(connection, form.sql, types, [form.binds])
        answer_rows = _run(connection, question, form, rows, routers)
        case = Case(answer_rows, form.binds, form.header.margins, form.header.limits)
        derived = derive(question.benchmark, form.header.derive, case)
    except (DBAPIError, KeyError, TypeError, ProofError) as error:
        reason = str(getattr(error, "orig", error)).splitlines()[0]
        raise Conflict(f"Question {question.id} cannot be asked again ({reason}). {INSTEAD}.") from error
    if derived.refusal:
        raise Conflict(f"Question {question.id} would be refused now ({derived.refusal}). {INSTEAD}.")
    return derived


def _run(
    connection: Connection,
    question: StoredQuestion,
    form: _Form,
    rows: Sequence[Row],
    routers: MapRouters | None,
) -> Sequence[Mapping[str, Any]]:
    """The rows that the derivation reads: those of the SELECT, or what the template's program makes of them."""
    program = program_of(form.header, question.gold_kind)
    if program is None:
        return rows
    if routers is None or not can_run(question.benchmark, program, question.snapshot, routers):
        raise Conflict(
            f"Question {question.id} is proved with a router, and there is none for {question.snapshot.reference} "
            "here. `trigpoint doctor` tells why."
        )
    run = ProgramRun(connection, question.snapshot, routers, [Selected(rows, form.binds)])
    (found,) = run_program(question.benchmark, program, run)
    return found


def _stored_gold(question: StoredQuestion) -> dict[str, Any]:
    """The stored gold without the place of its option; its text is that of the option."""
    gold = {name: value for name, value in question.gold.items() if name != "index"}
    index = question.gold.get("index")
    if question.options is not None and isinstance(index, int) and 0 <= index < len(question.options):
        gold["text"] = question.options[index]
    return gold


def _with_options(
    question: StoredQuestion, header: Header, gold: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
    """The gold with the place of its option, and what the proof is to say of all others.

    Raises Conflict where the new answer is none of the options, or the old one is of several objects.
    """
    if question.options is None:
        return gold, None
    if gold.get("text") not in question.options:
        raise Conflict(f"Question {question.id}: its new answer is none of its options. {INSTEAD}.")
    index = list(question.options).index(gold["text"])
    known: dict[str, dict[str, Any]] = {one["text"]: dict(one) for one in question.distractors or ()}
    for place, option in enumerate(question.options):
        if option not in known and place != index:
            known[option] = {"text": option, "osm_key": _object_of_key(question, header)}
    others = [known[option] for place, option in enumerate(question.options) if place != index]
    return {**gold, "index": index}, others


def _object_of_key(question: StoredQuestion, header: Header) -> str | None:
    """The object of the option that was the answer; none where options are no objects."""
    if header.option_layer is None:
        return None
    objects = question.gold.get("objects", [])
    if len(objects) != 1 or not isinstance(objects[0], str):
        raise Conflict(f"Question {question.id}: the option that was right is of several objects. {INSTEAD}.")
    return objects[0]


def _read_again(
    layers: Layers, question: StoredQuestion, second: SecondAnswer, version: int
) -> Reading | None:
    """Which readings matter now, of a question that was asked for them; raises Conflict where its text does not do."""
    if question.register is None:
        return None
    asked = TemplateVersion(question.benchmark, question.template, version)
    parameters = {**question.parameters, **told_by_picture(question.binds)}
    reading = read_question(layers, asked, parameters, second)
    fault = fault_of_text(question.register, words_of(question.prompt), reading)
    if fault is not None:
        raise Conflict(
            f"Question {question.id}: its text does not do for the new answer ({fault}). {INSTEAD}."
        )
    return reading


def _check_plan(
    connection: Connection, question: StoredQuestion, made: Derived, routers: MapRouters | None
) -> None:
    """Raise Conflict where the calls of tools that were derived with the new gold do not lead to it."""
    if not has_plans(question.benchmark, made.gold_kind):
        return
    fault = plan_fault(connection, question.snapshot, question.benchmark, made.solutions, made.gold, routers)
    if fault is not None:
        raise Conflict(f"Question {question.id}: its tool plan fails ({fault}). {INSTEAD}.")


def _with_context(question: StoredQuestion, made: Derived) -> Mapping[str, Any]:
    """What leads to the new gold, with what is kept of the context, which the question has still.

    Raises Conflict where the new gold does not follow from it.
    """
    if CONTEXT not in question.solutions:
        return made.solutions
    shown = Shown(question.template, context_of(question.prompt), question.options)
    fault = context_fault(question.benchmark, shown, question.solutions, made.gold)
    if fault is not None:
        raise Conflict(f"Question {question.id}: its context tells another answer ({fault}). {INSTEAD}.")
    return {**made.solutions, CONTEXT: question.solutions[CONTEXT]}


def _with_drawing(question: StoredQuestion, solutions: Mapping[str, Any], made: Derived) -> Mapping[str, Any]:
    """What leads to the new gold, with what is kept of the picture, which the question has still.

    Raises Conflict where the new gold does not follow from it.
    """
    if DRAWING not in question.solutions:
        return solutions
    seen = Seen(question.benchmark, question.template, question.parameters, question.options)
    fault = drawing_fault(seen, question.solutions, made.gold)
    if fault is not None:
        raise Conflict(f"Question {question.id}: its picture shows another answer ({fault}). {INSTEAD}.")
    return {**solutions, DRAWING: question.solutions[DRAWING]}


def _prove(
    layers: Layers,
    question: StoredQuestion,
    derived: Derived,
    distractors: Sequence[Mapping[str, Any]] | None,
    version: int,
) -> SecondAnswer:
    """The second path's answer by the rules of that version of the template.

    Raises Conflict where it disagrees, or finds an option that is right too.
    """
    try:
        asked = TemplateVersion(question.benchmark, question.template, version, variant=question.variant)
        parameters = {**question.parameters, **told_by_picture(question.binds)}
        second = answer(layers, asked, parameters)
        faults = disagreements(
            question.template, derived.gold, second, question.options, derived.gold_kind, derived.gold_keys
        )
        if question.options is not None:
            verdicts = wrong_options(
                layers, asked, parameters, second, question.options, derived.gold["index"]
            )
            faults = [*faults, *(f"{one.text}: {one.why}" for one in verdicts if not one.wrong)]
    except ProofError as error:
        faults = [str(error)]
    if faults:
        raise Conflict(f"Question {question.id}: the second path disagrees ({'; '.join(faults)}). {INSTEAD}.")
    return second
