"""Accuracy by position of the key, as the terminal shows it."""

from rich.table import Table

from app.leaderboard import formatting as words
from app.leaderboard.positions import Consistency, Positions


def render_positions(found: Positions) -> list[str | Table]:
    """A row a position, then how many questions are right in all rotations, and in any."""
    table = Table()
    table.add_column("key shown as")
    for column in ("questions", "answers", "right", "score %", "95 % interval", "letter said"):
        table.add_column(column, justify="right")
    for one in found.positions:
        table.add_row(
            one.position,
            words.count(one.n),
            words.count(one.answers),
            words.count(one.correct),
            words.percent(one.rate),
            words.span(one.low, one.high),
            words.count(one.said),
        )
    if not found.positions:
        return ["", "No public question of this run has options."]
    return ["", table, *([] if found.consistency is None else ["", _consistency(found.consistency)])]


def _consistency(found: Consistency) -> str:
    return (
        f"Of {words.count(found.questions)} questions, right in all rotations: {words.count(found.right_in_all)} "
        f"({words.percent(found.all_rate)} %), in at least one: {words.count(found.right_in_any)} "
        f"({words.percent(found.any_rate)} %)."
    )
