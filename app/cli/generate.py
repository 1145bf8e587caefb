"""`trigpoint generate`: a proved data set version from a benchmark and one or more snapshots."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn
from rich.table import Table

from app.cli.cities import named_maps
from app.cli.output import emit, progress, say
from app.cli.text_options import Lengths, Locale, Names, Phrasing, Points, Register
from app.core.errors import UsageError
from app.core.settings import Settings
from app.operations.generate import GeneratedVersion, generate_version
from app.operations.recipe import GenerateRequest, draft_recipe
from app.questions.dials import read_dials
from app.questions.generating import Progress as TellGenerated
from app.questions.naming import LOCAL
from app.questions.text_forms import read_text_form
from app.questions.text_registers import MIXED
from app.questions.versions import PublishedVersion
from app.scores.withholding import LEAST_HIDDEN

Templates = Annotated[
    list[str] | None,
    typer.Option(help="ask only this template of the benchmark; may be given several times"),
]
Choices = Annotated[
    list[str] | None,
    typer.Option(help="NAME=VALUE, such as semantics=intersects; may be given several times"),
]
Hops = Annotated[
    str | None,
    typer.Option(metavar="MIN-MAX", help="only questions to whose answers so many calls of tools lead"),
]
RegionKm = Annotated[
    str | None,
    typer.Option(
        metavar="MIN-MAX",
        help="only questions that a circle with a radius of so many km around a place decides",
    ),
]
NearnessKm = Annotated[
    str | None,
    typer.Option(
        metavar="MIN-MAX", help="only questions whose options lie so many km from each other on average"
    ),
]
Noise = Annotated[
    int | None, typer.Option(min=0, max=100, help="lines of blocks of a context that do not matter")
]


def generate(
    benchmark: Annotated[str, typer.Argument(help="a folder of sql_templates/, such as gsqa")],
    out: Annotated[str, typer.Option(help="the data set's name; if it exists, its next version is made")],
    snapshot: Annotated[
        list[str] | None,
        typer.Option(help="NAME (its newest map) or NAME@TIMESTAMP; may be given several times"),
    ] = None,
    cities: Annotated[
        str | None,
        typer.Option(help="cities, such as berlin,paris, or all; missing maps are imported and cut"),
    ] = None,
    bank: Annotated[
        int, typer.Option(min=1, help="largest number of accepted questions of each template to choose from")
    ] = 200,
    per_template: Annotated[
        int, typer.Option(min=1, help="largest number of questions of each template in the version")
    ] = 50,
    per_city: Annotated[
        int | None, typer.Option(min=1, help="as --per-template, of each map, and instead of it")
    ] = None,
    seed: Annotated[str, typer.Option(help="a whole number; the same seed gives the same bytes")] = "0",
    hidden: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="share of questions whose gold stays hidden")
    ] = 0.0,
    template: Templates = None,
    choose: Choices = None,
    names: Names = LOCAL,
    locale: Locale = "en",
    register: Register = MIXED,
    variant: Annotated[
        str | None,
        typer.Option(help="how wrong options are made, if a template has several ways; by default hard"),
    ] = None,
    five_options: Annotated[
        bool,
        typer.Option(
            "--five-options", help="four wrong options instead of three, if template and map allow it"
        ),
    ] = False,
    unanswerable: Annotated[
        float,
        typer.Option(
            min=0.0, max=0.5, help="share of questions without an answer, which it is right to refuse"
        ),
    ] = 0.0,
    phrasing: Phrasing = 0,
    lengths: Lengths = "usual",
    points: Points = "decimal",
    hops: Hops = None,
    region_km: RegionKm = None,
    nearness_km: NearnessKm = None,
    noise: Noise = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Make and publish a data set version; a second path proves every question before it is accepted."""
    asked = GenerateRequest(
        benchmark,
        out,
        bank,
        per_template,
        whole_number(seed),
        hidden,
        choose or [],
        names,
        locale,
        variant,
        five_options,
        register,
        unanswerable,
        per_city,
        template or [],
        read_text_form(phrasing, lengths, points),
        read_dials(hops, region_km, nearness_km, noise),
    )
    settings, recipe = Settings.load(), draft_recipe(asked)
    maps = named_maps(settings, snapshot or [], cities)
    with generating_bars(bank) as tell:
        done = generate_version(settings, out, recipe, maps, say, tell)
    say_what_came_of_it(done)
    emit(done.as_json(), as_json, table(done.version, done.reports))


def say_what_came_of_it(done: GeneratedVersion) -> None:
    """Say that the version is published, or was already, and what there is to know of its hidden questions."""
    version = done.version
    if not done.is_new:
        say(f"{version.reference} was made by this recipe already; nothing differs, so no version is added.")
        return
    also = f", {done.hidden:,} of them hidden" if done.hidden else ""
    say(f"{version.reference} is published with {done.questions:,} questions{also}.")
    if 0 < done.hidden < LEAST_HIDDEN:
        say(
            f"Fewer than {LEAST_HIDDEN} are hidden, so no score counts them: give a larger --hidden or --per-template."
        )
    _warn_of_other_splits(done)


def _warn_of_other_splits(done: GeneratedVersion) -> None:
    """Say which hidden gold can be read in another data set: what both ask has one answer."""
    reference = done.version.reference
    for one in done.shared:
        if one.public_there:
            say(
                f"{one.public_there:,} hidden questions of {reference} are public in {one.reference}, with "
                "their gold. To keep gold hidden, make the data sets of different maps, or with the same --seed and "
                "--hidden."
            )
        if one.hidden_there:
            say(
                f"{one.hidden_there:,} public questions of {reference} are hidden in {one.reference}: this "
                "version makes their gold public."
            )


def whole_number(seed: str) -> int:
    """A seed as it was typed. Raises UsageError for one that is no whole number."""
    number = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 20 else -1
    if not 0 <= number < 1 << 63:
        raise UsageError(f"--seed {seed!r}: a seed is a whole number from 0 to {(1 << 63) - 1}.")
    return number


@contextmanager
def generating_bars(bank: int) -> Iterator[TellGenerated]:
    """A bar a template and map, of accepted questions against the bank; without a terminal a line when one begins."""
    tasks: dict[tuple[str, str], TaskID] = {}
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = Progress(*columns, console=progress, disable=not progress.is_terminal)

    def tell(snapshot: str, template: str, tried: int, accepted: int) -> None:
        if (snapshot, template) not in tasks:
            if not progress.is_terminal:
                say(f"{template} on {snapshot} …")
            if not tasks:
                shown.start()
            for done in tasks.values():
                shown.stop_task(done)
            tasks[snapshot, template] = shown.add_task("", total=bank)
        shown.update(
            tasks[snapshot, template],
            completed=accepted,
            description=f"{template} on {snapshot}: {tried:,} tried, accepted",
        )

    try:
        yield tell
    finally:
        if tasks:
            shown.stop()


def table(version: PublishedVersion, reports: Mapping[str, Any]) -> Table:
    """What became of each template's tuples."""
    shown = Table(title=f"{version.reference}: questions by template")
    shown.add_column("template")
    for column in ("capacity", "accepted", "selected"):
        shown.add_column(column, justify="right")
    counted = any("options" in report for report in reports.values())
    if counted:
        shown.add_column("with five options", justify="right")
    shown.add_column("refused, by reason", overflow="fold")
    for name, report in reports.items():
        refused = ", ".join(f"{reason} {count:,}" for reason, count in report["refused"].items())
        shown.add_row(
            name,
            f"{report['capacity']:,}",
            f"{report['accepted']:,}",
            f"{report['selected']:,}",
            *([f"{report['options'].get('5', 0):,}"] if counted else []),
            refused or "none",
        )
    return shown
