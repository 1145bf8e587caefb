"""How the cells of papers' tables read for people: the terminal, the page and LaTeX share these."""

from collections.abc import Sequence

from app.leaderboard.formatting import day, map_source, printable
from app.papers.models import PaperCell, PaperReport, PaperRow, PaperRun, PaperTable

PARTIAL = "*"


def value(table: PaperTable, cell: PaperCell | None) -> str:
    """A figure with the decimals that the paper prints; empty where there is none."""
    if cell is None:
        return ""
    return f"{_printed(table, cell.value)}{PARTIAL if cell.partial else ''}"


def interval(table: PaperTable, cell: PaperCell | None) -> str:
    """Both ends of a run's interval; empty without one."""
    if cell is None or cell.low is None or cell.high is None:
        return ""
    return f"{_printed(table, cell.low)}–{_printed(table, cell.high)}"


def size(cell: PaperCell | None) -> str:
    """How many questions count in a run's cell; empty without data."""
    return "" if cell is None or cell.n is None else f"{cell.n}"


def _printed(table: PaperTable, share: float) -> str:
    return f"{share * (100 if table.unit == 'percent' else 1):.{table.decimals}f}"


def heading(table: PaperTable) -> str:
    """The table's number, what it is about, what it measures, and which way is better."""
    unit = ", %" if table.unit == "percent" else ""
    better = {"higher": "; higher is better", "lower": "; lower is better"}.get(table.better, "")
    return f"{table.place}, {table.title}: {table.measure}{unit}{better}"


def rules(report: PaperReport) -> str:
    """By which rules the runs were scored."""
    named = [f"{name} {version}" for name, version in report.profiles.items()]
    return f"{'profile' if len(named) == 1 else 'profiles'} {', '.join(named)}"


def label(row: PaperRow) -> str:
    """How a row is called: the paper's label, or the run's number."""
    return row.key if row.kind == "published" else f"run {row.key}"


def system(run: PaperRun) -> str:
    """Who answered: the solver, and whom it asked."""
    asked = run.model or ""
    if run.endpoint and run.endpoint != run.model:
        asked = f"{asked} at {run.endpoint}".strip()
    return f"{run.solver} with {printable(asked)}" if asked else run.solver


def about(run: PaperRun) -> str:
    """A run in a sentence: its name, data set, maps with their dates, solver and model, and when it ended."""
    maps = "; ".join(map_source(source) for source in run.snapshots)
    ended = "" if run.finished_at is None else f", ended on {day(run.finished_at)}"
    return f"{printable(run.name)}: {run.dataset} (map: {maps}), {system(run)}{ended}."


def has_data(row: PaperRow) -> bool:
    """Whether a run's row has any figure, and so a number of questions and an interval."""
    return row.kind == "mine" and any(cell is not None and cell.n is not None for cell in row.cells.values())


def has_intervals(row: PaperRow) -> bool:
    """Whether any figure of a row has an interval: means without a maximum have none."""
    return any(cell is not None and cell.low is not None for cell in row.cells.values())


def differences(runs: Sequence[PaperRun]) -> dict[str, str]:
    """Where the data of runs differ from the paper's, by the runs of which the same holds."""
    alike: dict[str, list[str]] = {}
    for run in runs:
        alike.setdefault(" ".join(run.notes), []).append(str(run.run))
    return {
        f"{'Run' if len(numbers) == 1 else 'Runs'} {', '.join(numbers)}": said
        for said, numbers in alike.items()
    }


def blocks(columns: Sequence[str], most: int) -> list[list[str]]:
    """The columns in blocks of at most `most`, and of about the same number."""
    count = -(-len(columns) // max(1, most))
    each = -(-len(columns) // count)
    return [list(columns[start : start + each]) for start in range(0, len(columns), each)]
