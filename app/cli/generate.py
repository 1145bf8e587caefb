"""`trigpoint generate`: a proved data set version from a benchmark and one or more snapshots."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn
from rich.table import Table
from sqlalchemy import Connection

from app.cli.cities import named_maps
from app.cli.output import emit, progress, say
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.core.words import mixed_scripts
from app.db.engine import connect
from app.questions.drawing import OptionsWanted
from app.questions.generating import Recipe
from app.questions.generating import generate as make_version
from app.questions.naming import LOCAL
from app.questions.records import SnapshotRef
from app.questions.secrets import secret_for
from app.questions.snapshots import find_snapshots, find_snapshots_with_facts, refuse_old_layers
from app.questions.splitting import split_otherwise
from app.questions.storing import newest_of, store
from app.questions.versions import PublishedVersion, template_reports
from app.scores.withholding import LEAST_HIDDEN
from app.templates.catalogue import Benchmark, find_benchmark

DEFAULT_VARIANT = "hard"


def generate(
    benchmark: Annotated[str, typer.Argument(help="a folder of sql_templates/, such as gsqa")],
    out: Annotated[str, typer.Option(help="the data set's name; a name that exists gets its next version")],
    snapshot: Annotated[
        list[str] | None, typer.Option(help="NAME (its newest) or NAME@TIMESTAMP; may be given several times")
    ] = None,
    cities: Annotated[
        str | None,
        typer.Option(help="cities, such as berlin,paris, or all; missing maps are imported and cut"),
    ] = None,
    bank: Annotated[
        int, typer.Option(min=1, help="accepted questions of each template to choose from")
    ] = 200,
    per_template: Annotated[int, typer.Option(min=1, help="questions of each template in the version")] = 50,
    seed: Annotated[str, typer.Option(help="a whole number; the same seed gives the same bytes")] = "0",
    hidden: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="share of questions whose gold stays hidden")
    ] = 0.0,
    choose: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE, such as semantics=intersects; may be given several times"),
    ] = None,
    names: Annotated[
        str,
        typer.Option(help="how objects are named: local, en or both; the last two need proved English names"),
    ] = LOCAL,
    locale: Annotated[str, typer.Option(help="the language of the texts")] = "en",
    variant: Annotated[
        str | None,
        typer.Option(help="how wrong options are made, if a template has several ways; by default hard"),
    ] = None,
    five_options: Annotated[
        bool, typer.Option("--five-options", help="four wrong options if template and map provide them")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Make and publish a data set version; a second path proves every question before it is accepted."""
    _check_name(out)
    settings = Settings.load()
    found = find_benchmark(benchmark)
    recipe = Recipe(
        benchmark=found,
        snapshots=(),
        seed=_whole_number(seed),
        bank=bank,
        per_template=per_template,
        hidden=hidden,
        chosen=_choices(found, choose or []),
        wanted=_options(found, variant, five_options),
        locale=locale,
        names=names,
    )
    maps = named_maps(settings, snapshot or [], cities)
    with connect(settings, Role.WORKER) as connection:
        recipe = replace(recipe, snapshots=_snapshots(connection, found, maps))
        version, reports = _find_or_make(connection, out, recipe)
    result = {
        "dataset": version.name,
        "version": version.number,
        "snapshots": [one.reference for one in recipe.snapshots],
        "seed": recipe.seed,
        "variant": recipe.wanted.variant,
        "five_options": recipe.wanted.five,
        "templates": reports,
    }
    emit(result, as_json, _table(version, reports))


def _find_or_make(
    connection: Connection, name: str, recipe: Recipe
) -> tuple[PublishedVersion, dict[str, Any]]:
    """The newest version where this recipe made it, else the next, with what became of each template's tuples."""
    newest = newest_of(connection, name, recipe.benchmark.name)
    if recipe.hidden > 0:
        recipe = replace(recipe, secret_draws=True, secret=secret_for(connection, name))
    if newest:
        recipe = _without_voided(recipe, newest[1])
        _warn_of_public_draws(*newest)
    if newest and newest[1] == recipe.as_json():
        version = newest[0]
        say(f"{version.reference} was made by this recipe already; nothing differs, so no version is added.")
        return version, template_reports(connection, version)
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=progress, disable=not progress.is_terminal) as bars:
        generated = make_version(connection, recipe, _teller(bars, recipe.bank))
    version = store(connection, name, newest[0].number + 1 if newest else 1, generated, SystemClock())
    connection.commit()
    hidden_ones = sum(record.split == "hidden" for record in generated.records)
    also = f", {hidden_ones:,} of them hidden" if hidden_ones else ""
    say(f"{version.reference} is published with {len(generated.records):,} questions{also}.")
    if 0 < hidden_ones < LEAST_HIDDEN:
        say(
            f"Fewer than {LEAST_HIDDEN} are hidden, so no score counts them: give a larger --hidden or --per-template."
        )
    _warn_of_other_splits(connection, version)
    return version, {key: report.as_json() for key, report in generated.reports.items()}


def _without_voided(recipe: Recipe, newest: Mapping[str, Any]) -> Recipe:
    """What errata left out of the newest version stays out of the next; what they corrected is made anew, as all is."""
    recipe = replace(recipe, voided=newest.get("voided", ()))
    same = replace(recipe, corrected=newest.get("corrected", {}))
    return same if same.as_json() == newest else recipe


def _warn_of_other_splits(connection: Connection, version: PublishedVersion) -> None:
    """Say which hidden gold can be read in another data set: what both ask has one answer."""
    for one in split_otherwise(connection, version):
        if one.public_there:
            say(
                f"{one.public_there:,} hidden questions of {version.reference} are public in {one.reference}, with "
                "their gold. To keep gold hidden, make the data sets of different maps, or with the same --seed and "
                "--hidden."
            )
        if one.hidden_there:
            say(
                f"{one.hidden_there:,} public questions of {version.reference} are hidden in {one.reference}: this "
                "version makes their gold public."
            )


def _warn_of_public_draws(version: PublishedVersion, recipe: Mapping[str, Any]) -> None:
    """Say what became public by an earlier version: a secret of today hides the same keys no more."""
    if recipe["hidden"] > 0 and not recipe.get("secret_draws"):
        say(
            f"{version.reference} was made before options were drawn from a secret, so the keys of its hidden "
            "questions can be worked out, also where this version asks them again. With another --seed, other "
            "questions are asked, if the map has enough of them."
        )


def _snapshots(connection: Connection, benchmark: Benchmark, wanted: Sequence[str]) -> list[SnapshotRef]:
    """The maps, with their facts where a template stands on any; says which have none, and what that means."""
    templates = ", ".join(name for name, template in benchmark.templates.items() if template.uses_facts)
    found = find_snapshots(connection, wanted)
    refuse_old_layers(found)
    if not templates:
        return found
    found = find_snapshots_with_facts(connection, wanted)
    for one in found:
        if one.facts is None:
            say(
                f"{templates}: no external facts are known of {one.reference}, so all their questions are refused "
                "(no_facts). `trigpoint facts load FILE` or `trigpoint facts fetch` brings some."
            )
    return found


def _whole_number(seed: str) -> int:
    number = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 20 else -1
    if not 0 <= number < 1 << 63:
        raise UsageError(f"--seed {seed!r}: a seed is a whole number from 0 to {(1 << 63) - 1}.")
    return number


def _choices(benchmark: Benchmark, given: Sequence[str]) -> dict[str, str]:
    """Names and values; raises UsageError for a name that no template of the benchmark leaves a choice of."""
    offered = {
        name: parameter.default
        for template in benchmark.templates.values()
        for name, parameter in template.header.parameters.items()
        if parameter.type == "choice"
    }
    chosen = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or name not in offered:
            raise UsageError(
                f"--choose {one!r}: write NAME=VALUE. {benchmark.name} has these choices: "
                f"{', '.join(sorted(offered)) or 'none'}."
            )
        if value != offered[name]:
            chosen[name] = value
    return chosen


def _options(benchmark: Benchmark, variant: str | None, five: bool) -> OptionsWanted:
    """How options are made; raises UsageError for what no template of the benchmark can do."""
    there = benchmark.variants
    if variant is not None and variant not in there:
        offered = (
            f"there are {', '.join(there)}" if there else "its templates have no variants; remove --variant"
        )
        raise UsageError(f"--variant {variant!r}: {benchmark.name} has no such variant; {offered}.")
    if five and not any(template.header.strategies for template in benchmark.templates.values()):
        raise UsageError(f"--five-options: no question of {benchmark.name} has options; leave it out.")
    return OptionsWanted(variant or (DEFAULT_VARIANT if DEFAULT_VARIANT in there else None), five)


def _check_name(name: str) -> None:
    if (
        not name[:1].isalnum()
        or "@" in name
        or not all(letter.isalnum() or letter in "_-." for letter in name)
        or len(name) > 60
    ):
        raise UsageError(
            f"--out {name!r}: a data set's name has at most 60 characters: letters, digits, '_', '-' and '.'; "
            "it begins with a letter or digit."
        )
    if mixed_scripts(name) is not None:
        raise UsageError(
            f"--out {name!r}: a name must not mix alphabets in one word, whose letters look alike."
        )


def _teller(bars: Progress, bank: int) -> Callable[[str, str, int, int], None]:
    """A bar a template and map, of accepted questions against the bank; without a terminal a line when one begins."""
    tasks: dict[tuple[str, str], TaskID] = {}

    def tell(snapshot: str, template: str, tried: int, accepted: int) -> None:
        if (snapshot, template) not in tasks:
            if not progress.is_terminal:
                say(f"{template} on {snapshot} …")
            for done in tasks.values():
                bars.stop_task(done)
            tasks[snapshot, template] = bars.add_task("", total=bank)
        bars.update(
            tasks[snapshot, template],
            completed=accepted,
            description=f"{template} on {snapshot}: {tried:,} tried, accepted",
        )

    return tell


def _table(version: PublishedVersion, reports: dict[str, Any]) -> Table:
    table = Table(title=f"{version.reference}: questions by template")
    table.add_column("template")
    for column in ("capacity", "accepted", "selected"):
        table.add_column(column, justify="right")
    counted = any("options" in report for report in reports.values())
    if counted:
        table.add_column("with five options", justify="right")
    table.add_column("refused, by reason", overflow="fold")
    for name, report in reports.items():
        refused = ", ".join(f"{reason} {count:,}" for reason, count in report["refused"].items())
        table.add_row(
            name,
            f"{report['capacity']:,}",
            f"{report['accepted']:,}",
            f"{report['selected']:,}",
            *([f"{report['options'].get('5', 0):,}"] if counted else []),
            refused or "none",
        )
    return table
