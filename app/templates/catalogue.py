"""All benchmarks: folders of `sql_templates/` with a benchmark.toml, walked in sorted order, checked whole."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.core.errors import NotFound, TemplateError, UsageError
from app.core.settings import PROJECT_ROOT
from app.templates.header import Header
from app.templates.phrasings import read_phrasings
from app.templates.reference import FILE as REFERENCE
from app.templates.reference import Reference, check_references, read_reference
from app.templates.statements import PROVIDED, binds_of
from app.templates.templates import (
    LEAKY,
    LabelKind,
    Lines,
    PickDepends,
    Template,
    Unanswerable,
    part_of,
    read_select,
    read_text,
    split_header,
    validated,
)

TEMPLATES_FOLDER = PROJECT_ROOT / "sql_templates"
PICK_BINDS = {"outline", *PROVIDED}
"""What a pick's SELECT may ask of us: the snapshot's outline, as hexadecimal WKB, or null; its facts."""
MOST_OF_SHARES = 0.5
"""Of all questions, how many may be of templates that have a share."""
POOL_COLUMNS = {"place", "pool_group", "osm_key", "label"}


class PickFile(BaseModel):
    """What benchmark.toml says of a pick."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    depends: PickDepends | None = Field(default=None, description="on what of a map its rows depend")
    label: LabelKind | None = Field(
        default=None, description="how texts name its values, where its SELECT has no column `label`"
    )


class PoolFile(BaseModel):
    """What benchmark.toml says of a pool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: LabelKind = Field(description="how its rows are named, where its SELECT has no column `label`")


class UnanswerableFile(BaseModel):
    """What benchmark.toml says of a template that can ask what has no answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    select: str = Field(description="a file of unanswerable/, without .sql: what could answer")
    derive: str = Field(description="the registered pure function that makes gold of no rows")


class BenchmarkFile(BaseModel):
    """benchmark.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str
    version: int = Field(ge=1)
    templates: list[str]
    metric: Literal["accuracy", "mean_value"]
    direction: Literal["higher"]
    temperature: float = Field(description="of the direct solver, as published", ge=0, le=2)
    words: dict[str, dict[str, dict[str, str | list[str]]]] = Field(
        description="locale, parameter, value: how it is written; of several ways, each question has one"
    )
    everyday_words: dict[str, dict[str, dict[str, str]]] = Field(
        default_factory=dict, description="the same in everyday texts, where it is written otherwise there"
    )
    precise_only: dict[str, list[str]] = Field(
        default_factory=dict,
        description="by parameter: values for which people have no word, which everyday texts do not ask for",
    )
    weights: dict[str, float] = Field(default_factory=dict)
    dimensions: dict[str, list[str]] = Field(
        default_factory=dict, description="templates by dimension, where their headers do not say it"
    )
    strategies: dict[str, list[str]] = Field(
        default_factory=dict, description="templates by the paper's strategy of wrong options"
    )
    averages_dimensions: bool = Field(
        default=False, description="whether reports average over dimensions, as the paper does"
    )
    picks: dict[str, PickFile] = Field(
        default_factory=dict, description="by the name of a pick: what is known of it"
    )
    pools: dict[str, PoolFile] = Field(
        default_factory=dict, description="by the name of a pool of wrong options: what is known of it"
    )
    no_answer_option: bool = Field(
        default=False,
        description="whether the last option of every question is that it cannot be answered; in the variant `leaky` "
        "only questions that cannot be answered have it",
    )
    unanswerable: dict[str, UnanswerableFile] = Field(
        default_factory=dict,
        description="by the id of a template: how its questions without an answer are made",
    )
    shares: dict[str, Annotated[float, Field(gt=0, le=MOST_OF_SHARES)]] = Field(
        default_factory=dict,
        description="by the id of a template: its share of all questions, where it does not give as many as any other",
    )


@dataclass(frozen=True)
class Benchmark:
    """A family of templates with the words and the metric that they share."""

    file: BenchmarkFile
    templates: Mapping[str, Template]

    @property
    def name(self) -> str:
        """What `trigpoint generate` calls it."""
        return self.file.name

    def only(self, names: Collection[str]) -> "Benchmark":
        """The same with these templates alone, in their order. Raises UsageError for one that it does not have."""
        unknown = sorted(set(names) - self.templates.keys())
        if unknown:
            raise UsageError(f"{self.name} has no template {unknown[0]}; it has {', '.join(self.templates)}.")
        return replace(self, templates={name: one for name, one in self.templates.items() if name in names})

    @property
    def variants(self) -> list[str]:
        """The names of the ways in which wrong options can be made; those of templates that leave no choice are not."""
        headers = [template.header for template in self.templates.values()]
        named = {name for header in headers if header.has_variants for name in header.variants}
        return sorted(named | ({LEAKY} if self.file.no_answer_option else set()))


def load_benchmarks(folder: Path = TEMPLATES_FOLDER) -> dict[str, Benchmark]:
    """Every benchmark by name. Raises TemplateError, naming file and line, at the first fault."""
    return {name: _load_named(path) for name, path in _files_of_benchmarks(folder).items()}


def find_benchmark(name: str, folder: Path = TEMPLATES_FOLDER) -> Benchmark:
    """The benchmark called `name`, read without the others; raises NotFound naming those there are."""
    files = _files_of_benchmarks(folder)
    if name not in files:
        raise NotFound(f"There is no benchmark {name!r}; there are: {', '.join(files) or 'none'}.")
    return _load_named(files[name])


def _files_of_benchmarks(folder: Path) -> dict[str, Path]:
    """Each benchmark.toml by the name of its folder, in the order of names."""
    if not folder.is_dir():
        raise TemplateError(f"{folder}: the folder of templates is absent.")
    return {path.parent.name: path for path in sorted(folder.glob("*/benchmark.toml"))}


def _load_named(path: Path) -> Benchmark:
    """The benchmark of a file, which must be named as its folder is."""
    benchmark = _load(path)
    if benchmark.name != path.parent.name:
        raise TemplateError(
            f"{path}:{_name_line(path)}: the benchmark is named {benchmark.name!r}, "
            f"its folder {path.parent.name!r}."
        )
    return benchmark


@cache
def find_temperature(name: str) -> float:
    """The temperature that our benchmark `name` was published with, read once, without its templates."""
    return _read_toml(TEMPLATES_FOLDER / name / "benchmark.toml")[0].temperature


@cache
def find_dimensions(name: str) -> Mapping[str, str]:
    """The dimension of each template of our benchmark `name`, read once, from headers and benchmark.toml alone."""
    file, _ = _read_toml(TEMPLATES_FOLDER / name / "benchmark.toml")
    found: dict[str, str] = {}
    for path in sorted((TEMPLATES_FOLDER / name).glob("*.sql")):
        header, _, lines = split_header(path)
        found[header.id] = _grouped(file, path, header, lines).dimension or ""
    return found


@cache
def benchmark_names() -> tuple[str, ...]:
    """The names of our benchmarks, sorted, read once, without the benchmarks themselves."""
    return tuple(_files_of_benchmarks(TEMPLATES_FOLDER))


@cache
def list_templates(name: str) -> tuple[str, ...]:
    """The ids of the templates of our benchmark `name`, in their order, read once, without the templates themselves."""
    return tuple(_read_toml(TEMPLATES_FOLDER / name / "benchmark.toml")[0].templates)


@cache
def averages_dimensions(name: str) -> bool:
    """Whether reports of our benchmark `name` average over dimensions, read once; not of one that there is not."""
    path = TEMPLATES_FOLDER / name / "benchmark.toml"
    return name.isidentifier() and path.is_file() and _read_toml(path)[0].averages_dimensions


@cache
def find_reference(name: str, file: str = REFERENCE) -> Reference | None:
    """What a paper reports of our benchmark `name`, its own unless `file` is another's; None without such a file."""
    return read_reference(TEMPLATES_FOLDER / name, file) if name.isidentifier() else None


def _name_line(path: Path) -> int:
    return _read_toml(path)[1]["name",]


def _load(path: Path) -> Benchmark:
    file, toml_lines = _read_toml(path)
    found: dict[str, Path] = {}
    templates: dict[str, Template] = {}
    for sql_path in sorted(path.parent.glob("*.sql")):
        header, body, lines = split_header(sql_path)
        line = lines["id",]
        if header.id in found:
            raise TemplateError(
                f"{sql_path}:{line}: {header.id} is the id of {found[header.id].name} already."
            )
        if header.id not in file.templates:
            raise TemplateError(
                f"{sql_path}:{line}: {header.id} is not among the templates of benchmark.toml."
            )
        found[header.id] = sql_path
        grouped = _grouped(file, sql_path, header, lines)
        templates[header.id] = _with_parts(file, sql_path, grouped, body, lines)
    _refuse_unknown_groups(path, file, toml_lines)
    for number, name in enumerate(file.templates):
        line = toml_lines["templates",]
        if name not in found:
            raise TemplateError(f"{path}:{line}: no .sql file of this folder has the id {name}.")
        if name in file.templates[:number]:
            raise TemplateError(f"{path}:{line}: {name} is named twice.")
    for name, one in file.unanswerable.items():
        templates[name] = _with_unanswerable(path, toml_lines["unanswerable", name], templates.get(name), one)
    _refuse_unused(path.parent, templates, file)
    for name in file.picks:
        if all(name not in template.picks for template in templates.values()):
            raise TemplateError(f"{path}:{toml_lines['picks', name]}: no template uses the pick {name}.")
    for name in file.pools:
        if all(name != template.header.pool for template in templates.values()):
            raise TemplateError(f"{path}:{toml_lines['pools', name]}: no template uses the pool {name}.")
    check_references(path.parent)
    return Benchmark(file, {name: templates[name] for name in file.templates})


def _refuse_unknown_groups(path: Path, file: BenchmarkFile, lines: Lines) -> None:
    for table, groups in (("dimensions", file.dimensions), ("strategies", file.strategies)):
        for group, ids in groups.items():
            for name in ids:
                if name not in file.templates:
                    raise TemplateError(f"{path}:{lines[table, group]}: {name} is not among the templates.")
    for name in file.shares:
        if name not in file.templates:
            raise TemplateError(f"{path}:{lines['shares', name]}: {name} is not among the templates.")
    if sum(file.shares.values()) > MOST_OF_SHARES:
        raise TemplateError(
            f"{path}:{lines['shares',]}: the shares leave less than a half to other templates."
        )


def _read_toml(path: Path) -> tuple[BenchmarkFile, Lines]:
    text = read_text(path)
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.search(r"\(at line (\d+)", str(error))
        line = int(told[1]) if told else text.count("\n") + 1  # it breaks off at the end
        raise TemplateError(f"{path}:{line}: the TOML cannot be read: {error}.") from error
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, row in enumerate(text.splitlines(), 1):
        if header := re.match(r"\[([\w.]+)\]", row):
            table = tuple(header[1].split("."))
            lines.setdefault(table, number)
        elif key := re.match(r"([\w-]+)\s*=", row):
            lines.setdefault((*table, key[1]), number)
    return validated(BenchmarkFile, values, path, lines), lines


def _grouped(file: BenchmarkFile, path: Path, header: Header, lines: Lines) -> Header:
    """The header with the groups that benchmark.toml has for it: exactly one dimension in either file."""
    dimensions = [name for name, ids in file.dimensions.items() if header.id in ids]
    strategies = [name for name, ids in file.strategies.items() if header.id in ids]
    if header.strategy is not None:
        raise TemplateError(f"{path}:{lines['strategy',]}: strategies stand in benchmark.toml alone.")
    said = [header.dimension, *dimensions] if header.dimension else dimensions
    if len(said) != 1 or len(strategies) > 1:
        raise TemplateError(
            f"{path}:{lines['id',]}: {header.id} has {len(said)} dimensions and {len(strategies)} strategies: a "
            "template has one dimension, in its header or in benchmark.toml, and at most one strategy."
        )
    return header.model_copy(update={"dimension": said[0], "strategy": next(iter(strategies), None)})


def _with_parts(file: BenchmarkFile, path: Path, header: Header, body: str, lines: Lines) -> Template:
    picks = {
        parameter.pick: read_select(
            part_of(path, "picks", f"{parameter.pick}.sql", lines["parameters", name]), PICK_BINDS, {"value"}
        )
        for name, parameter in header.parameters.items()
        if parameter.pick
    }
    texts = part_of(path, "phrasings", f"{header.phrasings}.yaml", lines["phrasings",])
    pool_label = file.pools[header.pool].label if header.pool in file.pools else None
    pool = _read_pool(path, header, lines, POOL_COLUMNS - ({"label"} if pool_label else set()))
    for name in header.constants:
        if name not in binds_of(body) | binds_of(pool or ""):
            raise TemplateError(f"{path}:{lines['constants', name]}: no SELECT uses :{name}.")
    told = {name: file.picks[name] for name in picks if name in file.picks}
    depends = {name: one.depends for name, one in told.items() if one.depends}
    labels = {name: one.label for name, one in told.items() if one.label}
    return Template(
        file.name,
        path,
        header,
        body,
        picks,
        read_phrasings(texts, header),
        pool,
        depends,
        pick_labels=labels,
        precise_only={name: one for name, one in file.precise_only.items() if name in header.parameters},
        pool_label=pool_label,
        no_answer_option=file.no_answer_option and bool(header.strategies),
    )


def _read_pool(path: Path, header: Header, lines: Lines, columns: set[str]) -> str | None:
    """The pool that a template's variants read: what a question may draw from, or numbers as keys of the map are."""
    if header.pool is None:
        return None
    named = [("distractors",), *(("variants", name) for name in header.variants)]
    line = next(lines[*where, "pool"] for where in named if (*where, "pool") in lines)
    part = part_of(path, "distractors", f"{header.pool}.sql", line)
    from app.templates.selects import columns_of  # here, for the reason that `read_select` gives

    if "value" in columns_of(read_text(part)):  # numbers, read once a map
        return read_select(part, PICK_BINDS | set(header.margins), {"place", "value"})
    return read_select(part, set(header.parameters) | set(header.constants), columns)


def _with_unanswerable(path: Path, line: int, template: Template | None, one: UnanswerableFile) -> Template:
    """The template, with how its questions without an answer are made."""
    if template is None or template.header.strategies:
        raise TemplateError(
            f"{path}:{line}: unanswerable goes with a template of this folder without options."
        )
    select = part_of(path, "unanswerable", f"{one.select}.sql", line)
    binds = {*template.header.parameters, *template.header.constants}
    body = read_select(select, binds, {"place", "osm_key"})
    return replace(template, unanswerable=Unanswerable(body, one.derive))


def _refuse_unused(folder: Path, templates: Mapping[str, Template], file: BenchmarkFile) -> None:
    headers = [template.header for template in templates.values()]
    used: dict[str, set[str | None]] = {
        "selects": {header.select for header in headers if header.select},
        "picks": {parameter.pick for header in headers for parameter in header.parameters.values()},
        "phrasings": {header.phrasings for header in headers},
        "distractors": {header.pool for header in headers},
        "unanswerable": {one.select for one in file.unanswerable.values()},
    }
    for part, names in used.items():
        suffix = ".yaml" if part == "phrasings" else ".sql"
        wanted = {f"{name}{suffix}" for name in names}
        for path in sorted((folder / part).glob("*")):
            if path.name not in wanted:
                raise TemplateError(f"{path}:1: no template uses this file.")
