"""The pictures of a data set's card: its templates, and a board where one is given."""

from app.exports.exported import Export, Picture
from app.leaderboard.models import Board
from app.plotting.boards import draw_board
from app.plotting.canvas import render, title_of
from app.plotting.templates import draw_templates

FOLDER = "pictures"
MOST_RUNS = 25


def card_pictures(export: Export, board: Board | None = None) -> list[Picture]:
    """PNG files beside the card; a board tells of hidden questions what boards tell, sums in steps."""
    reference, rights = export.version.reference, export.version.attribution
    templates = render(lambda: draw_templates(export), f"{reference}: templates", rights, "png")
    pictures = [
        Picture(
            f"{FOLDER}/templates.png",
            f"How many questions of {reference} each template has, public and hidden: the numbers of the table above",
            templates,
        )
    ]
    if board is not None:
        drawn = render(
            lambda: draw_board(board, MOST_RUNS), f"{title_of(board)}: board", board.attribution, "png"
        )
        shows = (
            f"Scores of {min(MOST_RUNS, len(board.rows))} runs on {title_of(board)} with their 95 % intervals"
        )
        pictures.append(Picture(f"{FOLDER}/board.png", shows, drawn))
    return pictures
