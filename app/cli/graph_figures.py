"""What became of the graphs of a run, as the terminal shows it."""

from collections.abc import Mapping

from rich.table import Table

from app.cli.tables import pairs
from app.leaderboard import formatting as words
from app.published.graph_figures import GraphFigures


def render_graphs(found: GraphFigures) -> list[str | Table]:
    """The figures of graphs, a row each."""
    rows = [
        ("episodes with graphs", words.count(found.episodes)),
        ("graphs from", _told(found.sources)),
        ("broken, and repaired", f"{words.count(found.broken)}, and {words.count(found.repaired)}"),
        ("violations before", _told(found.violations_before)),
        ("violations after", _told(found.violations_after)),
        ("failed stage", _told(found.stages)),
        ("answers found by", _told(found.rules)),
    ]
    return ["", pairs(rows)]


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {words.count(count)}" for name, count in counts.items()) or "none"
