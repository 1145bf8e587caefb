"""`trigpoint leaderboard`: a data set's board in the terminal, the same one that REST and the page show."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output, tables
from app.cli.measures import measures_table
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.board import Kind, ProfileName, read_board
from app.leaderboard.history import read_benchmark_board, read_history
from app.leaderboard.models import BenchmarkBoard, Board, History, HistoryEntry, HistoryRow, Row, Section
from app.questions.errata import read_errata
from app.questions.gold import DEFAULT_KEY
from app.questions.imported.opening import is_closed
from app.questions.versions import find_version

BAR = 20
STATE_LABELS = ("right", "wrong", "unread", "silent", "error", "missing")
SQL_LABELS = tuple(name.replace("_", " ") for name in words.SQL_HELP)
NARROW_LABELS = ("right", "wrong", "unread", "silent", "err", "miss")

ONE_GROUP = (
    "No scores by {kind}: all public questions are in one group, or in none. The board holds them all."
)
"""In the place of a table without rows, and of one with a single row that the board has, too."""
WRITTEN_BY_HAND = "People wrote these questions by hand and agree on the answers; nothing computes them."


def leaderboard(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    by_template: Annotated[bool, typer.Option("--by-template", help="also every template's scores")] = False,
    by: Annotated[
        Kind | None,
        typer.Option(
            "--by",
            help="also the scores of each dimension, strategy, city, answer type or register, of questions without an "
            "answer (gold), or with and without questions whose published keys are flagged (recheck)",
        ),
    ] = None,
    cost: Annotated[
        bool,
        typer.Option("--cost", help="also cost, latency of calls, and spread of repeats"),
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="also each model's score on the newest versions")
    ] = False,
    benchmark: Annotated[
        bool,
        typer.Option("--benchmark", help="also each model's score on all data sets of the benchmark"),
    ] = False,
    profile: Annotated[
        ProfileName,
        typer.Option("--profile", help="the rules that score the answers; published: those of the paper"),
    ] = "trigpoint",
    gold_key: Annotated[
        str, typer.Option("--gold-key", help="the key of the gold that runs were scored by")
    ] = DEFAULT_KEY,
    sql: Annotated[bool, typer.Option("--sql", help="also results of the models' SQL")] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="also the figures of the benchmark's paper")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Show the leaderboard of a data set."""
    settings = Settings.load()
    with connect(settings, _role_that_sees(settings, dataset)) as connection:
        board = read_board(connection, dataset, by, profile, gold_key=gold_key)
        over_versions = read_history(connection, dataset, profile=profile) if history else None
        over_datasets = (
            read_benchmark_board(connection, board.benchmark, profile=profile) if benchmark else None
        )
        errata = read_errata(connection, find_version(connection, dataset))
    for one in errata:
        if one.earlier == f"{board.dataset}@{board.version}":
            output.say(
                f"{one.later} corrects this version: {one.said}. `trigpoint leaderboard {one.later}` shows it."
            )
    renderings: list[str | Table] = [render_board(board)]
    if board.measures and board.rows:
        named = [(words.name(row), row.measures) for row in board.rows]
        renderings += ["", measures_table(board.measures, named)]
    if cost:
        renderings += ["", render_cost(board)]
    if by is not None:
        kind = by.replace("_", " ")
        renderings += [
            "",
            render_sections(board, kind, board.groups) if board.groups else ONE_GROUP.format(kind=kind),
        ]
    if by_template:
        renderings += ["", render_sections(board, "template", board.templates)]
    if over_versions is not None:
        renderings += ["", render_history(over_versions), *_steps(over_versions.rows)]
    if over_datasets is not None:
        renderings += ["", render_benchmark(over_datasets), *_steps(over_datasets.rows)]
    if sql:
        renderings += ["", render_sql(board)]
    told = footnotes(board) + (render_reference(board) if reference else [])
    found = board.model_dump(mode="json")
    if over_versions is not None:
        found["history"] = over_versions.model_dump(mode="json")
    if over_datasets is not None:
        found["benchmark_board"] = over_datasets.model_dump(mode="json")
    output.emit(found, as_json, *renderings, *told)


def _role_that_sees(settings: Settings, dataset: str) -> Role:
    """The role that sees what everybody sees; of an imported data set that is not open, the maintainers' role."""
    if settings.password_maintainer is None:
        return Role.API
    with connect(settings, Role.MAINTAINER) as connection:
        return Role.MAINTAINER if is_closed(connection, dataset.partition("@")[0]) else Role.API


def render_board(board: Board, width: int | None = None) -> Table:
    """The board as a table; where `width` (the terminal's, unless given) has no room for bars it goes without."""
    room = width or output.results.width
    with_bars = _board(board, wide=True)
    return with_bars if tables.fits(with_bars, room) else _board(board, wide=False)


def _board(board: Board, *, wide: bool) -> Table:
    table = Table(
        title=Text(f"{board.dataset}@{board.version}", style="bold")
        + Text(f"   {board.benchmark}, {words.count(board.n)} questions", style="dim"),
    )
    table.add_column("#", justify="right")
    table.add_column("run")
    table.add_column("score %" if wide else "%", justify="right")
    table.add_column("95 % interval" if wide else "95 %", justify="right")
    if wide:
        table.add_column("0 %" + " " * (BAR - 8) + "100 %")
    for label in STATE_LABELS if wide else NARROW_LABELS:
        table.add_column(label, justify="right")
    for row in board.rows:
        table.add_row(*_cells(row, wide), style="" if row.rank is not None else "dim")
    if not board.rows:
        table.add_row("", Text("no run yet", style="dim"))
    return table


def _cells(row: Row, wide: bool) -> list[Text]:
    name = Text(words.name(row))
    for mark in filter(None, (words.origin(row), words.status(row))):
        name.append(f" ({mark})", style="italic")
    cells = [
        Text(words.rank(row)),
        name,
        Text(words.score(row), style="bold" if row.rank is not None else ""),
        Text(words.interval(row)),
    ]
    if wide:
        cells.append(bar(row.score, row.low, row.high))
    states = [
        Text(words.state(row, state), style="" if getattr(row.states, state) else "dim")
        for state in words.STATE_LABELS
    ]
    return [*cells, *states]


def bar(score: float | None, low: float | None, high: float | None) -> Text:
    """A bar of BAR cells: full up to the interval, hatched within it, darker below the score than above."""
    if score is None or low is None or high is None:
        return Text("·" * BAR, style="dim")
    text = Text()
    for cell in range(BAR):
        middle = (cell + 0.5) / BAR
        if middle <= low:
            text.append("█", style="cyan")
        elif middle <= score:
            text.append("▓", style="cyan")
        elif middle <= high:
            text.append("▒", style="cyan")
        else:
            text.append("·", style="dim")
    return text


def render_sections(board: Board, kind: str, sections: Mapping[str, Section]) -> Table:
    """Scores in per cent: a row a template or group, a column a run."""
    table = Table()
    table.add_column(f"score % by {kind}")
    table.add_column("n", justify="right")
    table.add_column("chance", justify="right")
    table.add_column("random, expected", justify="right")
    for row in board.rows:
        table.add_column(Text(words.name(row)), justify="right")
    for name, section in sections.items():
        scores = {row.run: row.score for row in section.rows}
        table.add_row(
            Text(name + ("*" if section.left_out else "")),
            words.count(section.n),
            words.percent(section.chance),
            words.percent(section.random_expectation),
            *(words.percent(scores[row.run]) for row in board.rows),
        )
    return table


def render_cost(board: Board) -> Table:
    """What runs took: calls, tokens, money, milliseconds a call; and how far their repeats lie apart."""
    table = Table()
    table.add_column("cost of")
    for label in (*words.SPENT_HELP, "repeats %"):
        table.add_column(label, justify="right")
    for row in board.rows:
        table.add_row(Text(words.name(row)), *words.spent(row).values(), words.spread(row))
    return table


def render_history(history: History) -> Table:
    """Scores in per cent with ranks: a row a model, a column a version."""
    columns = {(history.dataset, number): f"@{number}" for number in history.versions}
    return _beside("version", columns, history.rows)


def render_benchmark(board: BenchmarkBoard) -> Table:
    """Scores in per cent with ranks: a row a model, a column a data set."""
    columns = {(one.dataset, one.version): f"{one.dataset}@{one.version}" for one in board.datasets}
    return _beside("data set", columns, board.rows)


def _beside(kind: str, columns: Mapping[tuple[str, int], str], rows: Sequence[HistoryRow]) -> Table:
    """Boards beside one another; `columns` says how the board of a data set's version is headed."""
    table = Table()
    table.add_column(f"score % (rank) by {kind}")
    for heading in columns.values():
        table.add_column(heading, justify="right")
    for row in rows:
        entries = {(entry.dataset, entry.version): entry for entry in row.entries}
        table.add_row(Text(words.printable(row.name)), *(_placed(entries.get(one)) for one in columns))
    return table


def _steps(rows: Sequence[HistoryRow]) -> list[str]:
    """What the mark says, a line a board that has stepped scores."""
    told = {
        f"{entry.dataset}@{entry.version}": words.mark(entry.step, entry.n)
        for row in rows
        for entry in row.entries
        if entry.step is not None and entry.score is not None
    }
    return [f"{board}: {said}" for board, said in told.items()]


def _placed(entry: HistoryEntry | None) -> str:
    if entry is None or entry.score is None:
        return words.NONE
    return words.score(entry) + ("" if entry.rank is None else f" ({entry.rank})")


def render_sql(board: Board) -> Table:
    """How the SQL of each run's model went: valid in per cent, and statements that are not valid by kind."""
    table = Table()
    table.add_column("SQL of")
    for label in SQL_LABELS:
        table.add_column(label, justify="right")
    with_sql = [(row, row.sql) for row in board.rows if row.sql is not None]
    for row, sql in with_sql:
        table.add_row(Text(words.name(row)), *words.sql_cells(sql).values())
    if not with_sql:
        table.add_row(Text("no run wrote SQL", style="dim"))
    return table


def render_reference(board: Board) -> list[str | Table]:
    """The paper's figures, a table a measure, under everything of ours."""
    if board.reference is None:
        return ["", f"No paper's figures are known for {board.benchmark}."]
    shown: list[str | Table] = ["", *words.reference(board.reference)]
    for part in board.reference.parts:
        table = Table()
        table.title = Text(f"Table {part.table}, {part.title}: {words.measure(part)}", style="dim")
        table.title_justify = "left"
        table.add_column("paper")
        for column in part.columns:
            table.add_column(column, justify="right")
        for name, figures in part.rows.items():
            table.add_row(name, *(words.figure(part, figure) for figure in figures))
        shown += ["", table, *([part.note] if part.note else [])]
    legend = "; ".join(f"{name}: {meaning}" for name, meaning in board.reference.columns.items())
    return [*shown, "", f"{legend}."]


def footnotes(board: Board) -> list[str | Table]:
    """Chance, what the numbers mean, the map and its licence."""
    states = (
        "unread: no value was found in the answer; silent: the answer is empty or says that the model does not know. "
        "Both count 0."
    )
    told = [
        *words.expectations(board),
        *words.notes(board),
        *words.explain_measures(board.measures),
        states,
        *words.cautions(board),
        *words.review(board),
    ]
    empty = words.empty_templates(board)
    told += ["", *empty, ""] if empty else []
    if board.written_by_hand:
        told = [WRITTEN_BY_HAND, *told]
    return ["", *told, f"{words.maps_of(board.snapshots)} {board.attribution}"]
