"""`trigpoint lite …`: a small set of questions that stands for all, and a run's score estimated by it."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli import output
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.item_response.lite_file import read_lite, write_lite
from app.item_response.making import LiteEstimate, estimate_run, make_lite_set
from app.leaderboard.numbers import percent, span
from app.questions.versions import find_version

AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]

lite = typer.Typer(help="Small sets of questions that stand for a whole data set.", no_args_is_help=True)


@lite.command()
def choose(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    size: Annotated[int, typer.Option("--size", min=1, help="number of questions")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="a new file for the set (JSON)")],
    runs: Annotated[
        list[int] | None,
        typer.Option("--runs", metavar="RUN", help="only this complete run; may be given again"),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**53 - 1, help="decides which runs are kept aside together")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Choose public questions whose answers estimate a run's score over all, with the error of such estimates."""
    with connect(Settings.load(), Role.API) as connection:
        version = find_version(connection, dataset)
        found = make_lite_set(connection, version, size, seed, tuple(dict.fromkeys(runs or ())))
    write_lite(out, found)
    told = {
        "dataset": version.name,
        "version": version.number,
        "file": str(out),
        "size": size,
        "seed": seed,
        "recipe_hash": found.recipe_hash,
        "runs": found.recipe.runs,
        "questions": found.questions,
        "level": found.level,
        "error": found.error,
        "mean_error": found.mean_error,
        "plain_error": found.plain_error,
        "mix": found.mix,
    }
    said = (
        f"{out}: {size} of {found.questions} public questions of {version.reference}, chosen with "
        f"{len(found.recipe.runs)} runs. 95 % of runs kept aside were within ±{percent(found.error)} points of their "
        f"score over all questions (their plain mean over these {size}: ±{percent(found.plain_error)}). Ask them with "
        f"`trigpoint evaluate {version.reference} --only {out} …`."
    )
    output.emit(told, as_json, said)


@lite.command()
def estimate(
    run: Annotated[
        int, typer.Argument(metavar="RUN", help="a complete run over the set, or over all questions")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the set, as `lite choose` wrote it")],
    as_json: AsJson = False,
) -> None:
    """Estimate a run's score over all public questions from its answers to those of a lite set."""
    lite_set = read_lite(file)
    with connect(Settings.load(), Role.API) as connection:
        found = estimate_run(connection, run, lite_set)
    output.emit(found.model_dump(mode="json"), as_json, *_sentences(found))


def _sentences(found: LiteEstimate) -> list[str]:
    said = [
        f"Run {found.run} ({found.name}): an estimated {percent(found.estimate)} % over all {found.questions} public "
        f"questions of {found.dataset}, 95 % within {span(found.low, found.high)} %, from {found.items} of them "
        f"({percent(found.plain)} % of these are right)."
    ]
    if found.full is not None:
        said.append(f"It was asked all: there it has {percent(found.full)} %.")
    if found.was_used:
        said.append("The set was chosen with this run: the interval is too narrow for it.")
    return said
