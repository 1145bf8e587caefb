"""`trigpoint compare`: runs of one data set version compared question by question."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.board import ProfileName
from app.leaderboard.models import Comparisons, NewTemplates
from app.leaderboard.pairwise import compare_runs
from app.scores.profiles import TRIGPOINT


def compare(
    runs: Annotated[list[int], typer.Argument(metavar="RUN RUN…", help="two or more runs of one version")],
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            help="the questions that count: all, template:T5, dimension:…, strategy:…, city:…, answer_type:…, "
            "register:… or gold:unanswerable",
        ),
    ] = "all",
    profile: Annotated[
        ProfileName,
        typer.Option("--profile", help="the rules that score the answers; published: those of the paper"),
    ] = "trigpoint",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Compare complete runs of one data set version, pair by pair."""
    with connect(Settings.load(), Role.API) as connection:
        found = compare_runs(connection, runs, scope, profile=profile)
    output.emit(found.model_dump(mode="json"), as_json, _title(found), "", render(found), "", *notes(found))


def render(found: Comparisons) -> Table:
    """A row a pair, in per cent; the better run stands first."""
    names = {run.run: words.printable(run.name) for run in found.runs}
    table = Table()
    table.add_column("run, and below it the other")
    if found.common:
        table.add_column("both", justify="right")
    for label in ("less, %", "95 %", "p", "by Holm", "", "least %", "new templates"):
        table.add_column(label, justify="right")
    for pair in found.pairs:
        table.add_row(
            Text(f"{names[pair.run]} ({pair.run})\n{names[pair.other]} ({pair.other})"),
            *([words.count(pair.n)] if found.common else []),
            words.stepped(f"{100 * pair.difference:+.1f}", pair.step),
            words.signed_span(pair.low, pair.high),
            words.probability(pair.p),
            words.probability(pair.adjusted_p),
            "tied" if pair.tied else "differs",
            words.percent(pair.detectable),
            _new_templates(pair.new_templates),
        )
    return table


def _new_templates(found: NewTemplates | None) -> str:
    return (
        words.NONE
        if found is None
        else f"{words.signed_span(found.low, found.high)}, p {words.probability(found.p)}"
    )


def notes(found: Comparisons) -> list[str]:
    """What one must know to read the table."""
    pair = found.pairs[0]
    where = f"{words.count(pair.templates)} templates, {words.count(pair.places)} places"
    common = (
        "Each pair is compared on the public questions that both runs answered. "
        "The column *both* gives the number of these questions."
    )
    stepped = [] if pair.step is None else [words.steps(pair.step, pair.n)]
    return [
        *([common] if found.common else []),
        *stepped,
        *([words.say_differences(found.differ)] if found.differ else []),
        f"Test: {found.test} ({where}); p adjusted by {found.adjustment}; tied: adjusted p above {found.level:g}.",
        words.new_templates(pair.new_templates is not None),
        f"Least: the smallest true difference that the test finds in {100 * found.power:.0f} of 100 cases, before "
        "the adjustment.",
    ]


def _title(found: Comparisons) -> str:
    of_scope = "" if found.scope == "all" else f" of {found.scope}"
    asked = "questions in common" if found.common else f"{words.count(found.pairs[0].n)} questions"
    rules = f", by the rules of profile {found.profile}" if found.profile != TRIGPOINT.name else ""
    return f"{found.dataset}@{found.version}   {asked}{of_scope}{rules}"
