"""What one must know to read a paper's tables: what differs between the paper's data and that of a run."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Row

from app.leaderboard.empty_templates import read_empty_templates, say_reasons
from app.leaderboard.formatting import variant
from app.papers.definitions import PaperTables, TableQuestion
from app.templates.catalogue import list_templates
from app.templates.reference import Reference

READING = (
    "A cell of a run has its value, the number n of questions that count, and a 95 % interval. An empty cell has no "
    "data. A star marks an average over fewer columns than the paper's.",
    "Only public questions count, and only complete runs are shown.",
)


def published(reference: Reference) -> str:
    """What the published rows are."""
    return (
        f"Published rows are figures from the paper ({reference.url}): another map ({reference.map}), other models and "
        "other questions. Runs are not ranked with them."
    )


def of_run(
    run: Row[Any], paper: PaperTables, questions: Sequence[TableQuestion], asked: int, hidden: int
) -> list[str]:
    """Where the data of a run differ from the paper's; `asked` public questions it has, not all of which count."""
    found = [f"Public questions: {len(questions):,} (in the paper: {paper.questions:,})."]
    if run.is_imported:
        found.append("The data set was published by others and is not proved.")
    if run.variant is not None:
        found.append(f"Wrong options: {variant(run.variant)}.")
    if run.sample is not None:
        found.append("The run was asked a sample of the data set.")
    if hidden:
        found.append(f"Hidden questions of the data set that are left out: {hidden:,}.")
    if asked > len(questions):
        kinds = asked - len(questions)
        found.append(
            f"Public questions that are left out, because the paper has none of their kind: {kinds:,}."
        )
    return [*found, *_absent(run, paper, questions), *paper.differences(questions)]


def _absent(run: Row[Any], paper: PaperTables, questions: Iterable[TableQuestion]) -> Iterator[str]:
    """The templates of which no question counts: those that the map cannot give, with the reasons, and others."""
    asked = {one.template for one in questions}
    if asked.isdisjoint(list_templates(paper.benchmark)):
        return  # published by others, under names of their own
    absent = [name for name in list_templates(paper.benchmark) if name not in asked]
    empty = read_empty_templates(run.templates, asked, paper.benchmark)
    alike: dict[str, list[str]] = {}
    for one in empty:
        alike.setdefault("; ".join(say_reasons(one)), []).append(one.template)
    for why, names in alike.items():
        yield f"The map cannot give {', '.join(names)}: {why}."
    others = [name for name in absent if name not in {one.template for one in empty}]
    if others:
        yield f"It has no public question of {', '.join(others)}."
