"""`trigpoint verify` and `trigpoint reproduce`: a published version proved, and made, again."""

from typing import Annotated

import typer
from rich.progress import Progress

from app.cli.output import emit, progress, say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.versions import export_generated, export_published
from app.questions.reproducing import reproduce as make_again
from app.questions.stored import load_questions
from app.questions.verifying import Failure, Verification
from app.questions.verifying import verify as check_questions
from app.questions.versions import find_version

Dataset = Annotated[str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


def verify(dataset: Dataset, as_json: AsJson = False) -> int:
    """Prove every question again: stored SQL, second path, wrong options, evidence. Exit 1 on any failure."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        questions = load_questions(connection, version)
        with Progress(console=progress, transient=True) as bar:
            task = bar.add_task(f"proving {version.reference}", total=len(questions))
            result = check_questions(connection, questions, lambda done: bar.update(task, completed=done))
    emit(result.as_json(), as_json, *lines_of(version.reference, result))
    return 0 if result.proved else 1


def lines_of(reference: str, result: Verification) -> list[str]:
    """What the command says of a version, the verdict last."""
    checked, not_wrong = result.distractors["checked"], result.distractors["not_wrong"]
    lines = [
        f"{reference}: {result.questions} questions",
        f"  stored SQL   {result.stored_sql['agree']} agree, {result.stored_sql['differ']} differ",
        f"  second path  {result.second_path['agree']} agree, {result.second_path['differ']} differ",
        f"  evidence     {result.evidence['agree']} agree, {result.evidence['differ']} differ",
        f"  wrong options {checked} checked, {not_wrong} not wrong",
    ]
    lines += [_failure(one) for one in result.failures[:20]]
    if len(result.failures) > 20:
        lines.append(f"  … and {len(result.failures) - 20} more; --json lists them all")
    return [*lines, _verdict(result)]


def _verdict(result: Verification) -> str:
    if not result.proved:
        return "NOT proved."
    edge = result.assumed_edge
    return f"Proved; {edge} {'assumes' if edge == 1 else 'assume'} a complete box." if edge else "Proved."


def _failure(one: Failure) -> str:
    if one.path == "second_path":  # its fault is a sentence already: what it expected, and what gold holds
        return f"  question {one.id} ({one.template}) fails by second_path: {one.expected}"
    return f"  question {one.id} ({one.template}) fails by {one.path}: expected {one.expected}, got {one.got}"


def reproduce(dataset: Dataset, as_json: AsJson = False) -> int:
    """Make a version again from its recipe and compare the bytes of its export. Exit 1 if they differ."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        published = export_published(connection, version, with_gold=True, include_hidden=True)
        generated = make_again(
            connection, version, lambda place, name, tried, accepted: say(f"  {name} on {place}")
        )
        again = export_generated(connection, generated, version.name, version.number)
    differing = sorted(name for name in published if published[name] != again.get(name))
    result = {
        "dataset": version.name,
        "version": version.number,
        "bytes": sum(map(len, published.values())),
        "identical": not differing,
        "differing": differing,
    }
    verdict = "identical bytes" if not differing else f"these files differ: {', '.join(differing)}"
    emit(result, as_json, f"{version.reference} made again from its recipe: {verdict}.")
    return 0 if not differing else 1
