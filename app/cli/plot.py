"""`trigpoint plot`: pictures for papers, from the same board that REST and the page show."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from pydantic import BaseModel
from sqlalchemy import Connection

from app.cli.output import emit, write_file
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.analyses import read_cities, read_effort, read_skills, read_versus
from app.leaderboard.board import ProfileName, read_board
from app.leaderboard.dials import DialName, read_dial
from app.leaderboard.models import Board
from app.leaderboard.offsets import read_offsets
from app.plotting import keep_fonts_in

What = Literal["board", "heatmap", "radar", "error"]
Analysis = Literal["skills", "cities", "dial", "effort", "versus"]
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
OwnProfile = Literal["trigpoint", "judge_hybrid", "judge_pure"]
OwnRules = Annotated[
    OwnProfile,
    typer.Option("--profile", help="the rules that score the answers; judge_…: the marks of judges"),
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


@plot.command("skills")
def plot_skills(dataset: Dataset, to: To, profile: OwnRules = "trigpoint", as_json: AsJson = False) -> None:
    """Draw which dimensions or templates go together: their correlations over runs, for public questions."""
    _analyse("skills", dataset, to, read_skills, as_json, profile)


@plot.command("cities")
def plot_cities(
    dataset: Dataset,
    to: To,
    run: Annotated[
        int | None, typer.Option(help="whose scores; the first run of the board if left out")
    ] = None,
    profile: OwnRules = "trigpoint",
    as_json: AsJson = False,
) -> None:
    """Draw a run's scores by map and template, for public questions."""
    _analyse(
        "cities", dataset, to, lambda connection, board: read_cities(connection, board, run), as_json, profile
    )


@plot.command("dial")
def plot_dial(
    dataset: Dataset,
    to: To,
    dial: Annotated[
        DialName,
        typer.Option(
            help="what changes from left to right; distance is in metres, region and nearness are in km"
        ),
    ],
    limit: Lines = 8,
    profile: OwnRules = "trigpoint",
    as_json: AsJson = False,
) -> None:
    """Draw how scores change with what makes questions hard: a curve for each run, for public questions."""
    _analyse(
        "dial",
        dataset,
        to,
        lambda connection, board: read_dial(connection, board, dial),
        as_json,
        profile,
        limit,
    )


@plot.command("effort")
def plot_effort(
    dataset: Dataset, to: To, limit: Lines = 8, profile: OwnRules = "trigpoint", as_json: AsJson = False
) -> None:
    """Draw scores against the time and the length of answers, for public questions."""
    _analyse("effort", dataset, to, read_effort, as_json, profile, limit)


@plot.command("versus")
def plot_versus(
    dataset: Dataset,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="another data set, as DATASET")],
    to: To,
    limit: Lines = 8,
    profile: OwnRules = "trigpoint",
    other_profile: Annotated[
        OwnProfile, typer.Option(help="the rules that score the answers of OTHER")
    ] = "trigpoint",
    as_json: AsJson = False,
) -> None:
    """Draw the scores of models on one data set against those on another, for public questions."""

    def read(connection: Connection, board: Board) -> BaseModel:
        second = read_board(connection, other, None, other_profile)
        _check("heatmap", second)
        return read_versus(connection, board, second)

    _analyse("versus", dataset, to, read, as_json, profile, limit)


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

    _write(what, board, picture(what, board, panels, limit, kind), to, as_json)


def _analyse(
    what: Analysis,
    dataset: str,
    to: Path,
    read: Callable[[Connection, Board], BaseModel],
    as_json: bool,
    profile: ProfileName,
    limit: int = 0,
) -> None:
    """As `_plot`, of an analysis over the board's runs; --json prints its figures, too."""
    kind = _kind_of(to)
    settings = Settings.load()
    with connect(settings, Role.API) as connection:
        board = read_board(connection, dataset, None, profile)
        _check("heatmap", board)
        found = read(connection, board)
    keep_fonts_in(settings.local_dir)
    from app.plotting.pictures import analysis  # loads matplotlib, which takes half a second

    _write(what, board, analysis(what, board, found, limit, kind), to, as_json, found)


def _write(
    what: str, board: Board, drawn: bytes, to: Path, as_json: bool, figures: BaseModel | None = None
) -> None:
    write_file(to, drawn)
    found = {
        "dataset": board.dataset,
        "version": board.version,
        "picture": what,
        "file": str(to),
        "bytes": len(drawn),
    }
    told = {} if figures is None else {"figures": figures.model_dump(mode="json")}
    said = f"{board.dataset}@{board.version}: {what} written to {to}, {len(drawn):,} bytes."
    emit(found | told, as_json, said)


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
