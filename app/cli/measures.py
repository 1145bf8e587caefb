"""The table of a paper's measures, which boards and reports share."""

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from app.leaderboard import formatting as words
from app.leaderboard.models import Measure, MeasuredValue


def measures_table(
    measures: Sequence[Measure], runs: Sequence[tuple[str, Mapping[str, MeasuredValue]]]
) -> Table:
    """In per cent: a row a run, with the mean of answer types where the paper has it; arrows say what is better."""
    table = Table()
    table.add_column("measures % of")
    averaged = {one.name for one in measures if words.has_average((values for _, values in runs), one)}
    for one in measures:
        table.add_column(words.measure_heading(one), justify="right")
        if one.name in averaged:
            table.add_column("mean of types", justify="right")
    for name, values in runs:
        cells = []
        for one in measures:
            cells.append(words.measure_cell(values, one))
            if one.name in averaged:
                cells.append(words.measure_average(values, one))
        table.add_row(Text(name), *cells)
    return table
