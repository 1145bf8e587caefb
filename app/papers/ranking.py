"""Ranks under two judges as one of a paper's tables: own runs among themselves, published systems likewise. Pure."""

from collections.abc import Mapping, Sequence

from app.papers.cells import subtract
from app.papers.definitions import Ranking
from app.papers.models import PaperCell, PaperRow, PaperRun, PaperTable
from app.templates.reference import Reference, ReferencePart

JUDGE, SECOND_JUDGE, SHIFT = "judge", "second judge", "shift"


def rank_table(
    ranking: Ranking, part: ReferencePart, reference: Reference, table: PaperTable, runs: Sequence[PaperRun]
) -> PaperTable:
    """The table of ranks that follows from another table, whose rows are the runs of judges."""
    values = {row.key: row.cells[ranking.column] for row in table.rows if row.kind == "mine"}
    judged = [(run, cell.value) for run in runs if (cell := values[str(run.run)]) is not None]
    names = {str(run.run): run.name for run in runs}
    rows = [
        PaperRow(kind="mine", key=key, name=names[key], cells=cells)
        for key, cells in rank_runs(judged).items()
    ]
    published = [
        PaperRow(
            kind="published",
            key=key,
            name=reference.columns[key],
            cells=with_shift({name: _rank(figures[place]) for name, figures in part.rows.items()}),
        )
        for place, key in enumerate(part.columns)
    ]
    return PaperTable(
        table=part.table,
        place=part.place or f"Table {part.table}",
        title=part.title,
        measure=part.measure,
        better=part.better,
        unit="rank",
        decimals=0,
        columns=[JUDGE, SECOND_JUDGE, SHIFT],
        rows=published + rows,
        notes=[*([part.note] if part.note else []), *ranking.notes],
    )


def rank_runs(values: Sequence[tuple[PaperRun, float]]) -> dict[str, dict[str, PaperCell | None]]:
    """Ranks by the run of the first judge, as a key. The first judge is that of the first run, the second the next one.

    Of several runs of one judge on the same answers the first counts. Equal values share a rank. Each judge ranks the
    runs that both judges marked, if there are two.
    """
    by_judge: dict[str, dict[int, tuple[PaperRun, float]]] = {}
    for run, value in values:
        if run.judged is not None:
            by_judge.setdefault(_judge_of(run), {}).setdefault(run.judged, (run, value))
    judges = list(by_judge.values())[:2]
    if not judges:
        return {}
    both = [answers for answers in judges[0] if all(answers in one for one in judges)]
    ranks = [_ranks({answers: judge[answers][1] for answers in both}) for judge in judges]
    found = {}
    for answers in both:
        cells = [_rank(of_judge[answers]) for of_judge in ranks]
        found[str(judges[0][answers][0].run)] = with_shift(
            dict(zip((JUDGE, SECOND_JUDGE), cells, strict=False))
        )
    return found


def with_shift(ranks: Mapping[str, PaperCell | None]) -> dict[str, PaperCell | None]:
    """Both ranks, and by how much the second judge ranks higher."""
    first, second = ranks.get(JUDGE), ranks.get(SECOND_JUDGE)
    return {JUDGE: first, SECOND_JUDGE: second, SHIFT: subtract(first, second)}


def _judge_of(run: PaperRun) -> str:
    return f"{run.endpoint} {run.model}"


def _ranks(values: Mapping[int, float]) -> dict[int, int]:
    return {one: 1 + sum(other > value for other in values.values()) for one, value in values.items()}


def _rank(value: float | None) -> PaperCell | None:
    return None if value is None else PaperCell(value=value)
