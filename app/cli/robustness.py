"""`trigpoint robustness`: how much the form of a question's text does."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.robustness import compare_forms
from app.leaderboard.robustness_models import FormCompared, Robustness


def robustness(
    runs: Annotated[
        list[int],
        typer.Argument(
            metavar="RUN…",
            help="the first is compared with each of the others; a rotated run may stand alone",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Compare runs on the same questions in other words, units, coordinates, or orders of options."""
    with connect(Settings.load(), Role.API) as connection:
        found = compare_forms(connection, runs)
    output.emit(found.model_dump(mode="json"), as_json, *_shown(found))


def _shown(found: Robustness) -> list[str | Table]:
    told: list[str | Table] = [f"Run {found.run}, {words.printable(found.name)} on {found.dataset}, and:", ""]
    if found.forms:
        told += [_forms(found), ""]
        told += [
            f"Run {one.run}: no text of a question that both answered differs."
            for one in found.forms
            if not one.n
        ]
    for order in found.orders:
        told.append(
            f"Run {order.run}, with the options in several orders: of {words.count(order.n)} questions, "
            f"{words.count(order.right_in_all)} are right in every order and {words.count(order.right_in_any)} in one "
            "order at least."
        )
    return [*told, "Only public questions whose prompts differ count. " + found.attribution]


def _forms(found: Robustness) -> Table:
    table = Table()
    table.add_column("run")
    table.add_column("differs in")
    for label in (
        "questions",
        f"run {found.run}, %",
        "%",
        "more, %",
        "95 %",
        "p",
        "became wrong",
        "became right",
    ):
        table.add_column(label, justify="right")
    for one in found.forms:
        table.add_row(Text(f"{words.printable(one.name)} ({one.run})"), _differs(one), *_figures(one))
    return table


def _differs(one: FormCompared) -> str:
    return ", ".join(one.differs) or "nothing (the same texts again)"


def _figures(one: FormCompared) -> list[str]:
    return [
        words.count(one.n),
        _percent(one.base_score),
        _percent(one.score),
        words.NONE if one.difference is None else f"{100 * one.difference:+.1f}",
        words.signed_span(one.low, one.high),
        words.probability(one.p),
        words.count(one.became_wrong),
        words.count(one.became_right),
    ]


def _percent(share: float | None) -> str:
    return words.NONE if share is None else words.percent(share)
