"""The cells of a run in one of a paper's tables. Pure; sums are math.fsum's, so the same scores give the same bits."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.papers.definitions import TableAnswer, TableColumn, TableQuestion, TableRules
from app.papers.models import PaperCell
from app.scores.aggregating import Part, strata_of_parts
from app.scores.intervals import Shown, effect_of_design, interval_of, wilson_of


class WeighedCell(NamedTuple):
    """A cell, and how many independent questions its questions are worth."""

    cell: PaperCell
    worth: float


def fill_cells(
    rules: TableRules, questions: Sequence[TableQuestion], answers: Mapping[str, Sequence[TableAnswer]]
) -> dict[str, PaperCell | None]:
    """A cell a column, None where no question counts; `answers` are a complete run's, by question."""
    weighed = {name: _weigh(column, questions, answers) for name, column in rules.columns.items()}
    cells = {name: None if one is None else one.cell for name, one in weighed.items()}
    cells |= {name: average_cells(weighed, weights) for name, weights in rules.averages.items()}
    cells = _in_unit(rules, cells)
    return only_shown(rules, cells)


def only_shown(rules: TableRules, cells: Mapping[str, PaperCell | None]) -> dict[str, PaperCell | None]:
    """The cells that the table shows, with the differences of others."""
    told = {
        name: subtract(cells.get(one), cells.get(other)) for name, (one, other) in rules.differences.items()
    }
    return {name: told[name] if name in told else cells.get(name) for name in rules.names}


def subtract(one: PaperCell | None, other: PaperCell | None) -> PaperCell | None:
    """The difference of two cells, without an interval: both are of the same answers."""
    if one is None or other is None:
        return None
    return PaperCell(value=one.value - other.value, n=one.n, partial=one.partial or other.partial)


def _in_unit(rules: TableRules, cells: Mapping[str, PaperCell | None]) -> dict[str, PaperCell | None]:
    return {
        name: _times(cell, rules.columns[name].most if name in rules.columns else 1.0)
        for name, cell in cells.items()
    }


def _times(cell: PaperCell | None, most: float | None) -> PaperCell | None:
    if cell is None or most is None or most == 1.0:
        return cell
    ends = {
        name: None if end is None else most * end for name, end in (("low", cell.low), ("high", cell.high))
    }
    return cell.model_copy(update={"value": most * cell.value, **ends})


def _weigh(
    column: TableColumn, questions: Sequence[TableQuestion], answers: Mapping[str, Sequence[TableAnswer]]
) -> WeighedCell | None:
    found = [
        (one, value)
        for one in questions
        if column.counts(one) and (value := question_value(column, answers.get(one.id, ()))) is not None
    ]
    if not found:
        return None
    values = [value for _, value in found]
    mean = math.fsum(values) / len(values)
    if column.most is None:
        return WeighedCell(PaperCell(value=mean, n=len(values)), len(values))
    strata = strata_of_parts([Part(one.id, one.template, graded=True, place=one.place) for one, _ in found])
    low, high = interval_of(Shown(mean, len(values)), values, strata)
    cell = PaperCell(value=mean, n=len(values), low=low, high=high)
    return WeighedCell(cell, len(values) / effect_of_design(values, strata))


def question_value(column: TableColumn, answers: Sequence[TableAnswer]) -> float | None:
    """A question's value: the mean over those of its answers that count, None where none does."""
    found = [value for one in answers if (value := column.value(one)) is not None]
    return math.fsum(found) / len(found) if found else None


def average_cells(cells: Mapping[str, WeighedCell | None], weights: Mapping[str, float]) -> PaperCell | None:
    """The weighted mean of the columns that have a value; None where none has.

    Each column counts by its weight, however many questions it has. The interval is Wilson's at 95 % for as many
    questions as the weighted columns are worth, 1 / sum(weight² / worth) (Kish, Survey Sampling, 1965).
    """
    known = [(one, weights[name]) for name in weights if (one := cells[name]) is not None]
    if not known:
        return None
    total = math.fsum(weight for _, weight in known)
    mean = math.fsum(one.cell.value * weight for one, weight in known) / total
    worth = total**2 / math.fsum(weight**2 / one.worth for one, weight in known)
    low, high = wilson_of(mean, worth)
    n = sum(one.cell.n or 0 for one, _ in known)
    return PaperCell(value=mean, n=n, low=low, high=high, partial=len(known) < len(weights))
