"""What a run of an agent that explores came to, as the terminal shows it: by tier of the questions."""

from rich.table import Table

from app.leaderboard import formatting as words
from app.published.exploration import RANKS, Exploration


def render_exploration(found: Exploration) -> list[str | Table]:
    """A row a tier, then what the last column means."""
    table = Table()
    table.add_column("first station")
    for column in ("episodes", *(f"Hits@{rank} %" for rank in RANKS), "moves", "calls", "unreached %"):
        table.add_column(column, justify="right")
    for one in found.tiers:
        table.add_row(
            one.name,
            words.count(one.episodes),
            *(words.percent(hits.score) for hits in one.hits),
            f"{one.moves:.2f}",
            f"{one.calls:.2f}",
            words.percent(one.unreached / one.episodes),
        )
    return [
        "",
        table,
        "Unreached: episodes without a right station among the first three, whose calls left no room for a further "
        "move and search within 20.",
    ]
