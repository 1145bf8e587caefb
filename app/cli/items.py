"""`trigpoint items`: public questions by difficulty and discrimination, and those that a person should look at."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.item_response.items import ItemFigures, ItemReport, read_item_report, to_review
from app.item_response.reviewing import write_for_review
from app.leaderboard import formatting as words
from app.questions.versions import find_version

Order = Literal["difficulty", "discrimination"]


def items(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    runs: Annotated[
        list[int] | None,
        typer.Option("--runs", metavar="RUN", help="only this complete run; may be given again"),
    ] = None,
    by: Annotated[
        Order, typer.Option("--by", help="hardest first, or those first that tell runs apart least")
    ] = "difficulty",
    show: Annotated[int, typer.Option("--show", min=0, help="rows that are printed")] = 20,
    review: Annotated[
        Path | None,
        typer.Option(
            "--review",
            metavar="FILE",
            help="write the remarked questions as a review's page (.html) or sheet (.csv)",
        ),
    ] = None,
    with_gold: Annotated[
        bool, typer.Option("--with-gold", help="with --review: show the gold of the questions")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="print one JSON object, with all questions")
    ] = False,
) -> None:
    """Show how hard public questions are and how well they tell runs apart, by stored scores of complete runs."""
    if with_gold and review is None:
        raise UsageError("--with-gold is only for use with --review.")
    settings = Settings.load()
    with connect(settings, Role.API) as connection:
        version = find_version(connection, dataset)
        found = read_item_report(connection, version, tuple(dict.fromkeys(runs or ())))
    suspects = to_review(found)
    told = found.model_dump(mode="json")
    said = []
    if review is not None:
        if not suspects:
            raise UsageError(f"No question of {version.reference} has a remark that asks for a review.")
        ids = [one.id for one in suspects]
        with connect(settings, Role.MAINTAINER) as connection:
            number = write_for_review(connection, version, ids, review, with_gold=with_gold)
        told |= {"review": str(review), "reviewed": ids}
        said = [f"{review}: {number} questions to look at. `trigpoint review load` takes the marks."]
    output.emit(told, as_json, *render(found, by, show), *said)


def render(found: ItemReport, by: Order, show: int) -> list[str | Table]:
    """What the runs say of items in sum, the first items, those with a remark, and how to read it."""
    known = sorted(
        (one for one in found.items if one.difficulty is not None), key=lambda one: _place(one, by)
    )
    remarked = to_review(found)
    never = sum(one.remark == "never right" for one in found.items)
    always = sum(one.remark == "always right" for one in found.items)
    shown: list[str | Table] = [
        f"{found.dataset}@{found.version}: {words.count(len(found.items))} public questions, "
        f"{len(found.runs)} runs"
        + (f" ({len(found.equal)} more have the same values as one of them)" if found.equal else "")
        + ".",
        f"Right in all runs: {words.count(always)}. Right in none: {words.count(never)}. Reversed: "
        f"{_count(found, 'reversed')}. Weak: {_count(found, 'weak')}.",
    ]
    if show and known:
        shown += ["", _table(known[:show])]
    if show and remarked:
        shown += ["", "To look at:", _table(remarked[:show])]
    return [
        *shown,
        "",
        "Difficulty is on the scale of the runs' abilities (mean 0, variance 1). Strongest and weakest: mean value, in "
        "per cent, over the third of the runs with the highest and the lowest ability. Reversed: discrimination below "
        "0, one-sided 95 %. Weak: estimated below 0.35.",
        *([] if found.converged else ["The fit did not converge: its figures are rough."]),
    ]


def _place(one: ItemFigures, by: Order) -> tuple[float, str]:
    return (-(one.difficulty or 0.0) if by == "difficulty" else one.discrimination or 0.0, one.id)


def _count(found: ItemReport, remark: str) -> str:
    return words.count(sum(one.remark == remark for one in found.items))


def _table(rows: list[ItemFigures]) -> Table:
    table = Table()
    table.add_column("question")
    table.add_column("template")
    for label in ("difficulty", "discrimination", "mean", "strongest", "weakest"):
        table.add_column(label, justify="right")
    table.add_column("")
    for one in rows:
        table.add_row(
            Text(one.id),
            Text(one.template),
            _with_error(one.difficulty, one.difficulty_error),
            _with_error(one.discrimination, one.discrimination_error),
            words.percent(one.mean),
            words.percent(one.strongest),
            words.percent(one.weakest),
            one.remark or "",
        )
    return table


def _with_error(value: float | None, error: float | None) -> str:
    return "–" if value is None or error is None else f"{value:+.2f} ± {error:.2f}"
