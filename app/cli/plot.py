"""`trigpoint plot`: pictures for papers, from the same board that REST and the page show."""

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from app.cli.output import emit
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import ProfileName, read_board
from app.leaderboard.models import Board
from app.leaderboard.offsets import read_offsets
from app.plotting import keep_fonts_in

What = Literal["board", "heatmap", "radar", "error"]
ENDINGS = ("svg", "png")
Dataset = Annotated[str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")]
To = Annotated[
    Path, typer.Option("--to", metavar="FILE.svg|.png", help="the picture; an existing file is replaced")
]
Bars = Annotated[
    int, typer.Option("--limit", min=1, max=100, help="show at most this many runs, from the top")
]
Columns = Annotated[
    int, typer.Option("--limit", min=1, max=15, help="show at most this many runs, from the top")
]
Lines = Annotated[
    int, typer.Option("--limit", min=1, max=8, help="show at most this many runs, from the top")
]
Rules = Annotated[
    ProfileName,
    typer.Option("--profile", help="the rules that score the answers; published: those of the paper"),
]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]

plot = typer.Typer(help="Pictures of a board for papers, as SVG or PNG.", no_args_is_help=True)


@plot.command("board")
def plot_board(
    dataset: Dataset, to: To, limit: Bars = 25, profile: Rules = "trigpoint", as_json: AsJson = False
) -> None:
    """Draw a board: one bar for each run, with its interval."""
    _plot("board", dataset, to, limit, as_json, profile)


@plot.command("heatmap")
def plot_heatmap(
    dataset: Dataset, to: To, limit: Columns = 15, profile: Rules = "trigpoint", as_json: AsJson = False
) -> None:
    """Draw a heat map of templates and models: each cell has a shade and a number."""
    _plot("heatmap", dataset, to, limit, as_json, profile)


@plot.command("radar")
def plot_radar(
    dataset: Dataset, to: To, limit: Lines = 6, profile: Rules = "trigpoint", as_json: AsJson = False
) -> None:
    """Draw the scores of models by dimension, around a circle and in a table."""
    _plot("radar", dataset, to, limit, as_json, profile)


@plot.command("error")
def plot_error(dataset: Dataset, to: To, limit: Lines = 6, as_json: AsJson = False) -> None:
    """Draw how errors of distances, directions and places depend on the true distance, for public questions."""
    _plot("error", dataset, to, limit, as_json)


def _plot(
    what: What, dataset: str, to: Path, limit: int, as_json: bool, profile: ProfileName = "trigpoint"
) -> None:
    kind = _kind_of(to)
    settings = Settings.load()
    with connect(settings, Role.API) as connection:
        board = read_board(connection, dataset, "dimension" if what == "radar" else None, profile)
        _check(what, board)
        panels = read_offsets(connection, board) if what == "error" else []
    if what == "error" and not panels:
        raise NotFound(
            f"{board.dataset}@{board.version} has no public question whose answer is a distance, direction or "
            "place: `trigpoint plot heatmap` shows its templates."
        )
    keep_fonts_in(settings.local_dir)
    from app.plotting.pictures import picture  # loads matplotlib, which takes half a second

    drawn = picture(what, board, panels, limit, kind)
    try:
        to.write_bytes(drawn)
    except OSError as error:
        raise UsageError(f"--to {to}: {error.strerror}.") from error
    found = {
        "dataset": board.dataset,
        "version": board.version,
        "picture": what,
        "file": str(to),
        "bytes": len(drawn),
    }
    emit(found, as_json, f"{board.dataset}@{board.version}: {what} written to {to}, {len(drawn):,} bytes.")


def _kind_of(to: Path) -> Literal["svg", "png"]:
    ending = to.suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        raise UsageError(f"--to {to}: the name must end in .svg or .png.")
    if not to.parent.is_dir():
        raise UsageError(f"--to {to}: there is no folder {to.parent}.")
    return cast(Literal["svg", "png"], ending)


def _check(what: What, board: Board) -> None:
    reference = f"{board.dataset}@{board.version}"
    if not board.rows:
        raise NotFound(f"{reference} has no run yet: `trigpoint evaluate {reference} --solver …` makes one.")
    if what != "board" and all(row.score is None for row in board.rows):
        raise NotFound(
            f"No run of {reference} has a score: none is complete. `trigpoint plot board` shows why, "
            "and `trigpoint run list` shows their progress."
        )
