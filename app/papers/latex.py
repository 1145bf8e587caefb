"""Papers' tables as LaTeX that needs no package: a `table` for each, with its notes below."""

from collections.abc import Iterator, Sequence

from app.leaderboard.formatting import printable
from app.papers import figures
from app.papers.models import PaperReport, PaperRow, PaperTable

MOST_COLUMNS = 7
"""Columns that stand beside one another on a page; further ones follow below."""
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "–": "--",
}
"""Signs that LaTeX takes for commands, or that end an argument or a row; and the dash."""


def escape(text: str) -> str:
    """`text` as LaTeX prints it, whatever is in it; signs that cannot be shown are replaced."""
    plain = " ".join(text.split())
    return "".join(_COMMANDS.get(sign, sign) for sign in printable(plain)) if plain else ""


def as_latex(report: PaperReport) -> str:
    """Every table, one after the other; the first lines say what the file is, as a comment."""
    lines = [
        f"% {escape(report.title)}: published rows, and runs of ours.",
        "% No package is needed. pdfLaTeX reads UTF-8 from 2018 on; LuaLaTeX and XeLaTeX show names in more scripts.",
        *(f"% {escape(note)}" for note in report.notes),
    ]
    for table in report.tables:
        lines += ["", *_table(report, table)]
    return "\n".join(lines) + "\n"


def _table(report: PaperReport, table: PaperTable) -> Iterator[str]:
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{escape(figures.heading(table))}}}"
    yield r"\footnotesize"
    for number, columns in enumerate(figures.blocks(table.columns, MOST_COLUMNS)):
        if number:
            yield r"\par\medskip"
        yield from _block(table, columns)
    yield r"\par\medskip"
    yield r"\raggedright"
    for note in [*_legend(report, table), *table.notes]:
        yield rf"{escape(note)}\par"
    yield r"\end{table}"


def _block(table: PaperTable, columns: Sequence[str]) -> Iterator[str]:
    yield rf"\begin{{tabular}}{{ll{'r' * len(columns)}}}"
    yield r"\hline"
    yield _line(["", "", *columns])
    yield r"\hline"
    kind = ""
    for row in table.rows:
        if kind == "published" and row.kind == "mine":
            yield r"\hline"
        yield from _rows(table, row, columns, row.kind if row.kind != kind else "")
        kind = row.kind
    yield r"\hline"
    yield r"\end{tabular}"


def _rows(table: PaperTable, row: PaperRow, columns: Sequence[str], kind: str) -> Iterator[str]:
    cells = [row.cells[column] for column in columns]
    yield _line([kind, figures.label(row), *(figures.value(table, one) for one in cells)])
    if figures.has_data(row):
        yield _line(["", "n", *map(figures.size, cells)])
        if figures.has_intervals(row):
            yield _line(["", "95 %", *(figures.interval(table, one) for one in cells)])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"


def _legend(report: PaperReport, table: PaperTable) -> Iterator[str]:
    labels = [row.key for row in table.rows if row.kind == "published"]
    systems = "; ".join(f"{label}: {report.systems[label]}" for label in labels)
    yield f"Published ({report.map}): {systems}."
    for run in report.runs:
        yield f"Run {run.run}, mine: {figures.about(run)}"
    for names, said in figures.differences(report.runs).items():
        yield f"{names}: {said}"
    yield "Published rows and runs have different maps, models and questions."
