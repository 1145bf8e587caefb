"""`trigpoint verify` and `trigpoint reproduce`: a published version proved, and made, again."""

from typing import Annotated

import typer

from app.cli.output import emit, say
from app.cli.transient_bar import transient_bar
from app.core.settings import Settings
from app.operations.verify import reproduce_version, verify_version
from app.questions.verification import Failure, Verification

Dataset = Annotated[str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def verify(dataset: Dataset, as_json: AsJson = False) -> int:
    """Prove every question again: stored SQL, second path, wrong options, evidence. Exit 1 on any failure."""
    with transient_bar() as tell:
        version, result = verify_version(Settings.load(), dataset, tell)
    emit(result.as_json(), as_json, *lines_of(version.reference, result))
    return 0 if result.proved else 1


def lines_of(reference: str, result: Verification) -> list[str]:
    """What the command says of a version, the verdict last."""
    if result.written:
        evidence = f"  evidence     {result.evidence['agree']} agree, {result.evidence['differ']} differ"
        failures = [_failure(one) for one in result.failures[:20]]
        return [f"{reference}: {result.questions} questions", evidence, *failures, _verdict(result)]
    checked, not_wrong = result.distractors["checked"], result.distractors["not_wrong"]
    lines = [
        f"{reference}: {result.questions} questions",
        f"  stored SQL   {result.stored_sql['agree']} agree, {result.stored_sql['differ']} differ",
        f"  second path  {result.second_path['agree']} agree, {result.second_path['differ']} differ",
        *_plans(result),
        f"  evidence     {result.evidence['agree']} agree, {result.evidence['differ']} differ",
        f"  readings     {result.readings['agree']} agree, {result.readings['differ']} differ",
        f"  wrong options {checked} checked, {not_wrong} not wrong",
    ]
    lines += [f"  no router    {result.no_router} not computed again"] * bool(result.no_router)
    lines += [_failure(one) for one in result.failures[:20]]
    if len(result.failures) > 20:
        lines.append(f"  … and {len(result.failures) - 20} more; --json lists them all")
    return [*lines, _verdict(result)]


def _plans(result: Verification) -> list[str]:
    """What became of tool plans, contexts and pictures, where questions have any."""
    found = {
        "tool plan    ": result.tool_plan,
        "context      ": result.context,
        "drawing      ": result.drawing,
    }
    without = ", ".join(f"{count} {reason}" for reason, count in sorted(result.no_plan.items()))
    return [
        f"  {name}{counts['agree']} agree, {counts['differ']} differ"
        for name, counts in found.items()
        if any(counts.values())
    ] + [f"  no tool plan {without}"] * bool(without)


def _verdict(result: Verification) -> str:
    if result.unproved:
        return (
            "Nothing is proved: its questions were published by others. There is no map here by which their answers "
            "could be computed again, and the SQL that is stored with them is never executed."
        )
    if result.failures or not result.questions:
        return "NOT proved."
    if result.no_router:
        return (
            f"Not all is proved: {result.no_router} questions are computed with a router, and there is none for their "
            "map here. Nothing speaks against them; `trigpoint doctor` tells what is missing."
        )
    if result.written:
        return (
            "Its questions were written by hand: the calls that are their evidence give the same results, and people "
            "agree on each answer. Nothing computes the answers."
        )
    edge = result.assumed_edge
    counted = "1 question assumes" if edge == 1 else f"{edge} questions assume"
    return f"Proved; {counted} that the map's box is complete." if edge else "Proved."


def _failure(one: Failure) -> str:
    if one.path == "second_path":  # its fault is a sentence already: what it expected, and what gold holds
        return f"  question {one.id} ({one.template}) fails by second_path: {one.expected}"
    return f"  question {one.id} ({one.template}) fails by {one.path}: expected {one.expected}, got {one.got}"


def reproduce(dataset: Dataset, as_json: AsJson = False) -> int:
    """Make a version again from its recipe and compare the bytes of its export. Exit 1 if they differ."""

    told: set[tuple[str, str]] = set()

    def tell(snapshot: str, template: str, _tried: int, _accepted: int) -> None:
        if (template, snapshot) not in told:
            told.add((template, snapshot))
            say(f"  {template} on {snapshot}")

    done = reproduce_version(Settings.load(), dataset, tell)
    verdict = "identical bytes" if done.is_identical else f"these files differ: {', '.join(done.differing)}"
    emit(done.as_json(), as_json, f"{done.version.reference} made again from its recipe: {verdict}.")
    return 0 if done.is_identical else 1
