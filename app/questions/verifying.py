"""Verify: every stored question proved again, by its stored SQL, by the second path, by its evidence, by its ids.

Reads a published version and its snapshots, writes nothing. Each failure names the question and the path.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.core.errors import ProofError
from app.core.identity import canonical_json, digest
from app.db.engine import use_schema
from app.db.savepoints import undone
from app.questions.contexts import Shown, context_fault, has_contexts
from app.questions.derivations import Case, Derived, derive
from app.questions.evidence import Key, evidence_keys
from app.questions.further_checks import (
    changed_objects,
    check_further_maps,
    check_pictures,
    evidence_on,
    open_layers,
)
from app.questions.gold import VALUE, GoldKeys, revision_of
from app.questions.instantiate import Row, ask_batch, types_used
from app.questions.pictures.drawn import told_by_picture
from app.questions.pictures.proving import Redrawing, Seen, drawing_fault
from app.questions.programs import MapRouters, ProgramRun, Selected, can_run, program_of, run_program
from app.questions.prompts import context_of, hash_prompt, words_of
from app.questions.readings import read_question
from app.questions.second_path import (
    Layers,
    SecondAnswer,
    TemplateVersion,
    answer,
    disagreements,
    wording_fault,
    wrong_options,
)
from app.questions.stored import StoredQuestion
from app.questions.text_registers import fault_of_text
from app.questions.tool_plans import has_plans, plan_fault, reason_without_plan
from app.questions.verification import Failure, Verification

ASSUMED = "box"
"""The source of an outline that only the file's header tells."""


def verify(
    connection: Connection,
    questions: Sequence[StoredQuestion],
    progress: Callable[[int], None],
    routers: MapRouters | None = None,
) -> Verification:
    """Check every question by every path. `progress` is told how many are done.

    Of questions that need a router, and have none, what does not need it is checked; they are counted.
    """
    result = Verification(questions=len(questions))
    by_snapshot: dict[int, list[StoredQuestion]] = defaultdict(list)
    for question in questions:
        by_snapshot[question.snapshot.id].append(question)
    done, redrawing = 0, Redrawing(connection)
    for group in by_snapshot.values():
        snapshot = group[0].snapshot
        use_schema(connection, snapshot.schema)
        without = {one.id for one in group if not _has_routers(one, routers)}
        result.no_router += len(without)
        computed = [one for one in group if one.id not in without]
        found = _check_stored_sql(connection, computed, result, routers)
        layers = open_layers(connection, snapshot)
        for question in group:
            result.assumed_edge += question.header.search != "none" and snapshot.outline_source == ASSUMED
            _check_second_path(layers, question, result)
            if question.id not in without:
                _check_tool_plan(connection, question, result, routers)
            _check_context(question, result)
            _check_drawing(redrawing, question, result)
            _check_names(layers, question, result)
            _check_readings(layers, question, result)
            _check_evidence(layers, question, found.get(question.id), result)
            _check_identity(question, result)
            done += 1
            progress(done)
    check_further_maps(connection, questions, result)
    check_pictures(connection, questions, result)
    order = {question.id: position for position, question in enumerate(questions)}
    result.failures.sort(key=lambda failure: (order[failure.id], failure.path))
    return result


def _count(counts: dict[str, int], agree: bool) -> None:
    counts["agree" if agree else "differ"] += 1


def _has_routers(question: StoredQuestion, routers: MapRouters | None) -> bool:
    """Whether there are the routers that the question needs; most need none."""
    program = program_of(question.header, question.gold_kind)
    return program is None or can_run(question.benchmark, program, question.snapshot, routers)


def _check_stored_sql(
    connection: Connection,
    questions: Sequence[StoredQuestion],
    result: Verification,
    routers: MapRouters | None,
) -> dict[str, list[Key]]:
    """Run each distinct stored statement once, for all questions that hold it.

    Gives the objects that each question stands on, by id, where the statement gives its gold again.
    """
    found: dict[str, list[Key]] = {}
    by_statement: dict[str, list[StoredQuestion]] = defaultdict(list)
    for question in questions:
        by_statement[question.sql].append(question)
    for sql, group in by_statement.items():
        for question, derived in _ask_again(connection, sql, group, routers):
            got, expected = _as_gold(derived), _expected_gold(question)
            agree = canonical_json(expected) == canonical_json(got)
            _count(result.stored_sql, agree)
            if isinstance(derived, Derived):
                _check_reason_without_plan(question, derived, result)
            if (
                agree
                and isinstance(derived, Derived)
                and question.parameters.keys() == question.header.parameters.keys()
            ):
                found[question.id] = evidence_keys(
                    question.header, question.parameters, derived.evidence, question.distractors
                )
            if not agree:
                result.failures.append(Failure(question.id, question.template, "stored_sql", expected, got))
    return found


def _check_reason_without_plan(question: StoredQuestion, derived: Derived, result: Verification) -> None:
    """A question that says why it has no plan has none if it is derived again, for that reason."""
    reason, again = map(reason_without_plan, (question.solutions, derived.solutions))
    if reason is not None and again != reason:
        result.failures.append(
            Failure(question.id, question.template, "tool_plan", again or "a plan", reason)
        )


def _expected_gold(question: StoredQuestion) -> dict[str, Any]:
    """The stored gold as the derivation gives it, with what is said beside a value under the default key."""
    return _with_keys(_default_gold(question), question.gold_kind, question.gold_keys)


def _default_gold(question: StoredQuestion) -> dict[str, Any]:
    """The stored gold under the default key: the text of the right option in place of its index."""
    expected = {name: value for name, value in question.gold.items() if name != "index"}
    index = question.gold.get("index")
    if question.options is not None and (index is not None or question.gold_kind == VALUE):
        expected["text"] = (
            question.options[index] if isinstance(index, int) and index < len(question.options) else None
        )
    return expected


def _as_gold(derived: Derived | str) -> dict[str, Any]:
    if isinstance(derived, str):
        return {"error": derived}
    if derived.refusal:
        return {"refusal": derived.refusal}
    return _with_keys(derived.gold, derived.gold_kind, derived.gold_keys)


def _with_keys(gold: dict[str, Any], kind: str, keys: GoldKeys) -> dict[str, Any]:
    """Gold with what is said beside a value under the default key, if anything is."""
    return gold if kind == VALUE and not keys else {"default": gold, "kind": kind, "keys": keys}


def _ask_again(
    connection: Connection, sql: str, group: Sequence[StoredQuestion], routers: MapRouters | None
) -> Iterator[tuple[StoredQuestion, Derived | str]]:
    types = types_used(group[0].header, sql)
    try:
        with undone(connection):
            answers = ask_batch(connection, sql, types, [question.binds for question in group])
    except (DBAPIError, KeyError) as error:
        if len(group) > 1:  # one question's binds must not speak for the others'
            for question in group:
                yield from _ask_again(connection, sql, [question], routers)
        else:
            yield group[0], str(getattr(error, "orig", error)).splitlines()[0]
        return
    by_program: dict[str | None, list[tuple[StoredQuestion, list[Row]]]] = defaultdict(list)
    for question, rows in zip(group, answers, strict=True):
        by_program[program_of(question.header, question.gold_kind)].append((question, rows))
    for program, ones in by_program.items():
        for question, found in _run_again(connection, program, ones, routers):
            yield question, _derive_again(question, found)


def _run_again(
    connection: Connection,
    program: str | None,
    asked: Sequence[tuple[StoredQuestion, list[Row]]],
    routers: MapRouters | None,
) -> Iterator[tuple[StoredQuestion, Sequence[Mapping[str, Any]]]]:
    """The rows that derivations read: those of the SELECT, or what a program makes of them."""
    questions = [question for question, _ in asked]
    if program is None or routers is None:
        yield from asked
        return
    selected = [Selected(rows, question.binds) for question, rows in asked]
    run = ProgramRun(connection, questions[0].snapshot, routers, selected)
    yield from zip(questions, run_program(questions[0].benchmark, program, run), strict=True)


def _derive_again(question: StoredQuestion, rows: Sequence[Mapping[str, Any]]) -> Derived | str:
    case = Case(rows, question.binds, question.header.margins, question.header.limits)
    try:
        return derive(question.benchmark, question.derive, case)
    except ProofError as error:
        return str(error)
    except (KeyError, TypeError) as error:  # the rows of another statement
        return f"{question.derive} makes nothing of the rows: {error!r}"


def _rules_of(question: StoredQuestion) -> TemplateVersion:
    return TemplateVersion(
        question.benchmark,
        question.template,
        question.template_version,
        question.gold_kind,
        question.variant,
    )


def _check_second_path(layers: Layers, question: StoredQuestion, result: Verification) -> None:
    try:
        second = answer(layers, _rules_of(question), _told(question))
        faults = disagreements(
            question.template,
            question.gold,
            second,
            question.options,
            question.gold_kind,
            question.gold_keys,
        )
    except ProofError as error:
        _count(result.second_path, agree=False)
        result.failures.append(
            Failure(question.id, question.template, "second_path", "an answer", str(error))
        )
        return
    _count(result.second_path, not faults)
    result.failures += [
        Failure(question.id, question.template, "second_path", fault, second.as_json()) for fault in faults
    ]
    if question.options is not None:
        _check_options(layers, question, question.options, second, result)


def _check_tool_plan(
    connection: Connection, question: StoredQuestion, result: Verification, routers: MapRouters | None
) -> None:
    """The stored calls of tools lead to the stored gold."""
    if not has_plans(question.benchmark, question.gold_kind):
        return
    reason = reason_without_plan(question.solutions)
    if reason is not None:
        result.no_plan[reason] = result.no_plan.get(reason, 0) + 1
        return
    gold = _default_gold(question)
    fault = plan_fault(connection, question.snapshot, question.benchmark, question.solutions, gold, routers)
    _count(result.tool_plan, fault is None)
    if fault is not None:
        result.failures.append(Failure(question.id, question.template, "tool_plan", gold, fault))


def _check_context(question: StoredQuestion, result: Verification) -> None:
    """The stored gold follows from the context that the prompt prints."""
    if question.gold_kind != VALUE or not has_contexts(question.benchmark):
        return
    gold = _default_gold(question)
    shown = Shown(question.template, context_of(question.prompt), question.options)
    fault = context_fault(question.benchmark, shown, question.solutions, gold)
    _count(result.context, fault is None)
    if fault is not None:
        result.failures.append(Failure(question.id, question.template, "context", gold, fault))


def _check_drawing(redrawing: Redrawing, question: StoredQuestion, result: Verification) -> None:
    """The stored gold follows from the record of the picture, and the picture comes out again as it is stored."""
    if question.header.picture is None:
        return
    gold = _default_gold(question)
    seen = Seen(question.benchmark, question.template, question.parameters, question.options)
    fault = drawing_fault(seen, question.solutions, gold) or redrawing.find_fault(
        seen, question.snapshot, question.prompt, question.solutions, question.binds
    )
    _count(result.drawing, fault is None)
    if fault is not None:
        result.failures.append(Failure(question.id, question.template, "drawing", gold, fault))


def _told(question: StoredQuestion) -> dict[str, Any]:
    """What the second path is told: the parameters, and of a question about a picture what was drawn."""
    return {**question.parameters, **told_by_picture(question.binds)}


def _check_options(
    layers: Layers,
    question: StoredQuestion,
    options: Sequence[str],
    second: SecondAnswer,
    result: Verification,
) -> None:
    """Every option but the key is wrong, and is the one that the proof speaks of."""
    index = question.gold.get("index")
    if not isinstance(index, int) or not 0 <= index < len(options):
        return  # no key among the options: said by the other paths already
    verdicts = wrong_options(layers, _rules_of(question), _told(question), second, options, index)
    faults = {one.text: one.why for one in verdicts if not one.wrong}
    result.distractors["checked"] += len(verdicts)
    result.distractors["not_wrong"] += sum(not one.wrong for one in verdicts)
    told = [one.get("text") for one in question.distractors or ()]
    if told != [one.text for one in verdicts]:
        faults["each option"] = f"the proof speaks of {told}"
    result.failures += [
        Failure(question.id, question.template, "distractor", f"{text} is wrong", why)
        for text, why in faults.items()
    ]


def _check_names(layers: Layers, question: StoredQuestion, result: Verification) -> None:
    """A text that names its objects in English names them as the second path does."""
    form = (question.names or {}).get("form", "local")
    text = words_of(question.prompt)
    fault = wording_fault(layers, _rules_of(question), question.parameters, form, text)
    if fault is not None:
        result.failures.append(
            Failure(question.id, question.template, "names", "the objects' own names", fault)
        )


def _check_readings(layers: Layers, question: StoredQuestion, result: Verification) -> None:
    """The readings that matter are those that the proof tells, and the text leaves none of them open."""
    if question.register is None:
        return
    faults = []
    try:
        second = answer(layers, _rules_of(question), _told(question))
        if second.refusal is not None:
            raise ProofError(f"the second path refuses it: {second.refusal}")
        reading = read_question(layers, _rules_of(question), _told(question), second)
    except ProofError as error:
        faults.append(("a reading", str(error)))
    else:
        found = reading.as_json() if reading else None
        if canonical_json(found) != canonical_json(question.readings):
            faults.append((canonical_json(question.readings), canonical_json(found)))
        fault = fault_of_text(question.register, words_of(question.prompt), reading)
        if fault is not None:
            faults.append(("a text without doubt", fault))
    _count(result.readings, not faults)
    result.failures += [
        Failure(question.id, question.template, "readings", expected, got) for expected, got in faults
    ]


def _check_identity(question: StoredQuestion, result: Verification) -> None:
    """Ids are hashes of what they name: parameters, prompt and options, gold."""
    prompt_hash = hash_prompt(question.prompt, question.options)
    hashes = {
        "id": (
            question.id,
            digest(question.benchmark, question.template, question.variant, question.parameters),
        ),
        "prompt_hash": (question.prompt_hash, prompt_hash),
        "revision": (
            question.revision,
            revision_of(prompt_hash, question.gold, question.gold_kind, question.gold_keys),
        ),
    }
    for name, (stored, made) in hashes.items():
        if stored != made:
            result.failures.append(
                Failure(question.id, question.template, "identity", f"{name} {stored}", f"{name} {made}")
            )


def _check_evidence(
    layers: Layers, question: StoredQuestion, found: Sequence[Key] | None, result: Verification
) -> None:
    """Every object that the question stands on is named, and still has the content that it had."""
    faults = []
    evidence = evidence_on(question, question.snapshot)
    named = [(item["layer"], item["osm_key"]) for item in evidence]
    if found is not None and named != list(found):
        faults.append((f"the objects {found}", f"{named}"))
    faults += changed_objects(layers, evidence)
    _count(result.evidence, not faults)
    result.failures += [
        Failure(question.id, question.template, "evidence", expected, got) for expected, got in faults
    ]
