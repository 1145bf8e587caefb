"""Writing a published version as files for other tools."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.agent_tools.sets import find_set
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.exported import Export, Picture
from app.exports.formats import FORMATS, WITH_AGENTS, WITH_CARD, WITH_PLACES
from app.exports.versions import read_published
from app.exports.writing import write_files
from app.leaderboard.board import read_board
from app.plotting import keep_fonts_in
from app.questions.versions import PublishedVersion, find_version


@dataclass(frozen=True)
class ExportRequest:
    """Which version is written where, in which form, and with how much of its gold."""

    dataset: str
    folder: Path
    file_format: str
    with_gold: bool = False
    include_hidden: bool = False
    with_board: bool = False
    """Whether the card shows the board."""
    tool_set: str | None = None
    """The set of tools that a task's agent is given; None for a task without tools."""


@dataclass(frozen=True)
class WrittenExport:
    """The files that were written."""

    version: PublishedVersion
    files: Sequence[str]
    folder: Path

    def as_json(self) -> dict[str, Any]:
        """As `export --json` prints it."""
        return {
            "dataset": self.version.name,
            "version": self.version.number,
            "files": list(self.files),
            "folder": str(self.folder),
        }


def export_version(settings: Settings, request: ExportRequest) -> WrittenExport:
    """Write the version's questions, with canary and licence. Raises NotFound, UsageError."""
    _check(request)
    name = request.file_format
    with connect(settings, Role.MAINTAINER) as connection:
        version = find_version(connection, request.dataset)
        exported = read_published(
            connection, version, request.with_gold, request.include_hidden, name in WITH_PLACES
        )
    exported = replace(exported, tool_set=request.tool_set)
    if name in WITH_CARD:
        exported = replace(exported, pictures=_draw_pictures(settings, exported, request.with_board))
    files = FORMATS[name](exported)
    write_files(files, request.folder)
    return WrittenExport(version, sorted(files), request.folder)


def _check(request: ExportRequest) -> None:
    name = request.file_format
    if name not in FORMATS:
        raise UsageError(f"--format {name!r}: there are {', '.join(FORMATS)}.")
    if request.include_hidden and not request.with_gold:
        raise UsageError(
            "--include-hidden is only for use with --with-gold: text and options of hidden questions are public."
        )
    if request.tool_set is not None and name not in WITH_AGENTS:
        raise UsageError(
            f"--tools is only for the format {', '.join(sorted(WITH_AGENTS))}. {name} has no agents."
        )
    if request.tool_set is not None:
        find_set(request.tool_set)
    if request.with_board and name not in WITH_CARD:
        raise UsageError(
            f"--with-board is only for formats with a card: {', '.join(sorted(WITH_CARD))}. {name} has none."
        )


def _draw_pictures(settings: Settings, exported: Export, with_board: bool) -> Sequence[Picture]:
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
