"""`trigpoint report`: a run or a data set's runs, by dimension, strategy, template, register and more."""

from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.cli.measures import measures_table
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.board import ProfileName
from app.leaderboard.report import report_dataset, report_runs
from app.leaderboard.report_models import Cell, OverallAverages, Report, RunReport

SECTIONS = {
    "dimensions": "dimension",
    "strategies": "strategy of wrong options",
    "templates": "template",
    "answer_types": "answer type",
    "registers": "register",
    "contexts": "length of the context",
    "option_counts": "number of options",
    "sub_kinds": "what is worked out",
    "zooms": "zoom of the picture",
    "tiers": "distance of the first station",
    "densities": "density around the user",
    "cities": "city",
    "scripts": "script of the names",
    "wikidata": "named objects in Wikidata",
    "tags": "tags of the least known named object",
    "positions": "position of the key",
}


class Wanted(NamedTuple):
    """Which mean a further column shows; by default that of boards."""

    mean: Literal["questions", "dimensions"] = "questions"
    unanswerable: Literal["in", "out"] = "in"

    def of(self, run: RunReport) -> float | None:
        """That mean of a run; None of one that is not complete."""
        name = self.mean if self.unanswerable == "in" else f"answerable_{self.mean}"
        found: float | None = None if run.means is None else getattr(run.means, name)
        return found

    def column(self) -> str:
        """What the column is called."""
        without = "" if self.unanswerable == "in" else ", answerable"
        return f"each of {self.mean} once{without} %"


def report(
    runs_or_dataset: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…|DATASET",
            help="numbers of runs of one version; or NAME (its newest version) or NAME@VERSION",
        ),
    ],
    profile: Annotated[
        ProfileName,
        typer.Option("--profile", help="the rules that score the answers; published: those of the paper"),
    ] = "trigpoint",
    mean: Annotated[
        Literal["questions", "dimensions"] | None,
        typer.Option("--mean", help="also a mean in which each question or each dimension counts once"),
    ] = None,
    unanswerable: Annotated[
        Literal["in", "out"] | None,
        typer.Option("--unanswerable", help="whether that mean has questions without an answer"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Show the scores of runs by dimension, strategy, template, register, city, script and popularity.

    A number means a run.
    """
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        if all(map(_is_number, runs_or_dataset)):
            found = report_runs(connection, [int(one) for one in runs_or_dataset], profile)
        elif len(runs_or_dataset) == 1:
            found = report_dataset(connection, runs_or_dataset[0], profile)
        else:
            raise UsageError("Give run numbers, or one data set; then all runs on its board are reported.")
    output.emit(found.model_dump(mode="json"), as_json, *render(found, _wanted(mean, unanswerable)))


def _wanted(
    mean: Literal["questions", "dimensions"] | None, unanswerable: Literal["in", "out"] | None
) -> Wanted | None:
    return (
        None if mean is None and unanswerable is None else Wanted(mean or "questions", unanswerable or "in")
    )


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19


def render(report: Report, wanted: Wanted | None = None) -> list[str | Table]:
    """Every section as a table with a column a run, then what one must know to read them."""
    title = f"{report.dataset}@{report.version}   {report.benchmark}, {words.count(report.n)} questions"
    shown: list[str | Table] = [title, "", _overall(report, wanted)]
    if report.measures and report.runs:
        named = [(_name(run), run.measures) for run in report.runs]
        shown += ["", measures_table(report.measures, named)]
    for section, label in SECTIONS.items():
        names = dict.fromkeys(name for run in report.runs for name in getattr(run, section) or ())
        if names:
            shown += ["", _cells(report, section, label, names)]
    shown += [part for run in report.runs for part in _matched(run)]
    shown += _diagnoses(report)
    return [*shown, *_reference(report), "", *notes(report, wanted)]


def _table(first: str, others: Iterable[str]) -> Table:
    table = Table()
    table.add_column(first)
    for other in others:
        table.add_column(Text(other), justify="right")
    return table


def _overall(report: Report, wanted: Wanted | None) -> Table:
    columns = ["score %", "95 % interval", "n", "read %", "mean of dimensions %", "by templates %"]
    table = _table("run", [*columns, *([wanted.column()] if wanted else [])])
    for run in report.runs:
        averages = run.averages or OverallAverages(dimension_mean=None, template_weighted=None)
        table.add_row(
            Text(_name(run)),
            words.score(run.overall),
            _interval(run.overall),
            words.count(run.overall.n),
            words.percent(run.parse_rate),
            words.percent(averages.dimension_mean),
            words.percent(averages.template_weighted),
            *([words.percent(wanted.of(run))] if wanted else []),
        )
    if report.chance is not None:
        chance = words.percent(report.chance)
        table.add_row(Text("chance", style="dim"), chance, style="dim")
    if not report.runs:
        table.add_row(Text("no run yet", style="dim"))
    return table


def _cells(report: Report, section: str, label: str, names: Iterable[str]) -> Table:
    table = _table(label, ["n", *(_name(run) for run in report.runs)])
    for name in names:
        cells: list[Cell | None] = [(getattr(run, section) or {}).get(name) for run in report.runs]
        n = next(cell.n for cell in cells if cell is not None)
        table.add_row(Text(words.printable(name)), words.count(n), *map(_score, cells))
    return table


def _score(cell: Cell | None) -> str:
    if cell is None or cell.score is None:
        return words.NONE
    return f"{words.score(cell)} ({_interval(cell)}){'*' if cell.left_out else ''}"


def _interval(cell: Cell) -> str:
    return words.NONE if cell.score is None else f"{words.percent(cell.low)}–{words.percent(cell.high)}"


def _name(run: RunReport) -> str:
    unranked = "" if run.status == "complete" else f" ({run.status})"
    return f"{words.printable(run.name)}{unranked}"


def _matched(run: RunReport) -> list[str | Table]:
    if run.matched is None:
        return []
    table = _table(
        f"cities at matched popularity: {_name(run)}", ("matched %", "95 % interval", "plain %", "n")
    )
    for name, city in run.matched.cities.items():
        table.add_row(
            Text(words.printable(name)),
            words.percent(city.score),
            f"{words.percent(city.low)}–{words.percent(city.high)}",
            words.percent(city.crude),
            words.count(city.n),
        )
    return ["", table]


def _diagnoses(report: Report) -> list[str | Table]:
    """What answers to public questions show beside their scores, a row a run that has been diagnosed."""
    diagnosed = [(run, run.diagnosis) for run in report.runs if run.diagnosis is not None]
    if not diagnosed:
        return []
    table = _table(
        "diagnosis of public answers, counted in no score",
        ("place named", "right %", "nearness %", "numbers", "too large", "too small", "median ratio"),
    )
    for run, found in diagnosed:
        table.add_row(
            Text(_name(run)),
            f"{words.count(found.named)} of {words.count(found.places)}",
            words.percent(found.right / found.named if found.named else None),
            words.percent(found.nearness),
            words.count(found.numbers),
            words.count(found.over),
            words.count(found.under),
            words.NONE if found.median_ratio is None else f"{found.median_ratio:.3g}",
        )
    return ["", table]


def _reference(report: Report) -> list[str | Table]:
    """The paper's overall figures of UrbanGeoEval; tables of other benchmarks stand under their boards."""
    if report.reference is None or not any(run.averages for run in report.runs):
        return []
    shown: list[str | Table] = ["", *words.reference(report.reference)]
    for part in report.reference.parts:
        table = _table(f"Table {part.table}, {part.title}: {words.measure(part)}", part.rows)
        for place, column in enumerate(part.columns):
            figures = [row[place] for row in part.rows.values()]
            percents = [words.NONE if figure is None else f"{100 * figure:.2f}" for figure in figures]
            table.add_row(Text(report.reference.columns[column]), *percents)
        shown += ["", table, *([part.note] if part.note else [])]
    return shown


def notes(report: Report, wanted: Wanted | None = None) -> list[str]:
    """What one must know to read the tables."""
    told = [f"Score: {words.metric(report)}. Interval: {report.interval}."]
    if any(run.averages for run in report.runs):
        told.append(
            "Mean of dimensions: each dimension counts once. By templates: each template counts once. For "
            "four models the paper gives the mean of dimensions, for GPT-4o the mean by templates."
        )
    if wanted is not None:
        without = "" if wanted.unanswerable == "in" else ", without those without an answer"
        told.append(
            f"The last column is a mean over public questions{without}: each of {wanted.mean} counts once. A score "
            "counts each question once, also those without an answer."
        )
    for run in report.runs:
        told += words.reading(words.printable(run.name), run.states)
    told += words.cut_off(
        words.CutOff(words.printable(run.name), run.truncated, run.answers) for run in report.runs
    )
    if any(run.matched for run in report.runs):
        told.append(
            "Matched: the mean score of each city over groups of similar popularity. A group is defined by whether the "
            "object has a Wikidata item, and by the quartile of its number of tags. Each group has the weight that it "
            "has in all cities together. Templates are not matched."
        )
    if not report.names_stored:
        told.append(
            "This version does not store the writing system and the popularity of names; make a new version."
        )
    if report.right is not None:
        told += [f"Right by the paper's rules: {report.right}.", *words.explain_measures(report.measures)]
    if report.right is not None and report.left_out:
        told.append(words.NOT_BY_PAPER)
    elif report.hidden:
        told.append(
            f"{words.count(report.hidden)} questions are hidden. Rows with * leave out hidden questions: these count "
            f"only in the whole, and only if there are at least {report.least_hidden} of them."
        )
    if report.step is not None:
        told.append(words.steps(report.step, report.n))
    return [*told, f"{words.maps_of(report.snapshots)} {report.attribution}"]
