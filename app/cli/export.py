"""`trigpoint export`: a published version as files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import emit
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.exported import Export, Picture
from app.exports.formats import FORMATS, WITH_CARD, WITH_PLACES
from app.exports.versions import read_published
from app.exports.writing import write_files
from app.leaderboard.board import read_board
from app.plotting import keep_fonts_in
from app.questions.versions import find_version


def export(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    to: Annotated[Path, typer.Option(help="the folder to write to")],
    file_format: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "jsonl",
    with_gold: Annotated[
        bool, typer.Option("--with-gold", help="also export the gold of public questions")
    ] = False,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="also export the gold of hidden questions")
    ] = False,
    with_board: Annotated[
        bool, typer.Option("--with-board", help="a picture of the board in the card")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Write a version's questions as files for other tools, with canary and licence."""
    if file_format not in FORMATS:
        raise UsageError(f"--format {file_format!r}: there are {', '.join(FORMATS)}.")
    if include_hidden and not with_gold:
        raise UsageError(
            "--include-hidden is only for use with --with-gold: text and options of hidden questions are public."
        )
    if with_board and file_format not in WITH_CARD:
        raise UsageError(
            f"--with-board is only for formats with a card: {', '.join(sorted(WITH_CARD))}. {file_format} has none."
        )
    settings = Settings.load()
    with connect(settings, Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        places = file_format in WITH_PLACES
        exported = read_published(connection, version, with_gold, include_hidden, places)
    if file_format in WITH_CARD:
        exported = replace(exported, pictures=_pictures(settings, exported, with_board))
    files = FORMATS[file_format](exported)
    write_files(files, to)
    result = {"dataset": version.name, "version": version.number, "files": sorted(files), "folder": str(to)}
    emit(result, as_json, f"{version.reference}: {', '.join(sorted(files))} written to {to}.")


def _pictures(settings: Settings, exported: Export, with_board: bool) -> Sequence[Picture]:
    """The card's pictures; of the board as anybody sees it."""
    board = None
    if with_board:
        reference = exported.version.reference
        with connect(settings, Role.API) as connection:
            board = read_board(connection, reference)
        if not board.rows:
            raise NotFound(f"{reference} has no run yet, and so no board; remove --with-board.")
    keep_fonts_in(settings.local_dir)
    from app.plotting.cards import card_pictures  # loads matplotlib, which takes half a second

    return card_pictures(exported, board)
