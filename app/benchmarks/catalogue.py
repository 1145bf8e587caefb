"""All benchmarks: folders of `sql_templates/` with a benchmark.toml, walked in sorted order, checked whole."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.benchmarks.templates import Template, read_select, read_yaml, split_header, validated
from app.core.errors import NotFound, TemplateError
from app.core.settings import PROJECT_ROOT

TEMPLATES_FOLDER = PROJECT_ROOT / "sql_templates"
PICK_BINDS = {"outline"}
"""What a pick's SELECT may ask of us: the snapshot's outline, as hexadecimal EWKB, or null."""


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
    words: dict[str, dict[str, dict[str, str]]] = Field(
        description="locale, parameter, value: how it is written"
    )
    weights: dict[str, float] = Field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """A family of templates with the words and the metric that they share."""

    file: BenchmarkFile
    templates: Mapping[str, Template]

    @property
    def name(self) -> str:
        """What `trigpoint generate` calls it."""
        return self.file.name


def load_benchmarks(folder: Path = TEMPLATES_FOLDER) -> dict[str, Benchmark]:
    """Every benchmark by name. Raises TemplateError, naming file and line, at the first fault."""
    if not folder.is_dir():
        raise TemplateError(f"{folder}: the folder of templates is absent.")
    benchmarks: dict[str, Benchmark] = {}
    for path in sorted(folder.glob("*/benchmark.toml")):
        benchmark = _load(path)
        if benchmark.name != path.parent.name:
            raise TemplateError(
                f"{path}:1: the benchmark is named {benchmark.name!r}, its folder {path.parent.name!r}."
            )
        benchmarks[benchmark.name] = benchmark
    return benchmarks


def find_benchmark(name: str, folder: Path = TEMPLATES_FOLDER) -> Benchmark:
    """The benchmark called `name`; raises NotFound naming those there are."""
    benchmarks = load_benchmarks(folder)
    if name not in benchmarks:
        raise NotFound(f"There is no benchmark {name!r}; there are: {', '.join(benchmarks) or 'none'}.")
    return benchmarks[name]


def _load(path: Path) -> Benchmark:
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise TemplateError(f"{path}: the TOML cannot be read: {error}.") from error
    file = validated(BenchmarkFile, values, path, {})
    found: dict[str, Path] = {}
    templates: dict[str, Template] = {}
    for sql_path in sorted(path.parent.glob("*.sql")):
        header, body = split_header(sql_path)
        if header.id in found:
            raise TemplateError(f"{sql_path}:1: {header.id} is the id of {found[header.id].name} already.")
        if header.id not in file.templates:
            raise TemplateError(f"{sql_path}:1: {header.id} is not among the templates of benchmark.toml.")
        found[header.id] = sql_path
        templates[header.id] = _with_parts(file, sql_path, header, body)
    missing = [name for name in file.templates if name not in found]
    if missing:
        raise TemplateError(f"{path}: no .sql file of this folder has the id {missing[0]}.")
    _refuse_unused(path.parent, templates)
    return Benchmark(file, {name: templates[name] for name in file.templates})


def _with_parts(file: BenchmarkFile, path: Path, header: Any, body: str) -> Template:
    picks = {
        parameter.pick: read_select(_part(path, "picks", f"{parameter.pick}.sql"), PICK_BINDS)
        for parameter in header.parameters.values()
    }
    phrasings = read_yaml(_part(path, "phrasings", f"{header.phrasings}.yaml"))
    if not isinstance(phrasings, dict) or not all(
        isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)
        for texts in phrasings.values()
    ):
        raise TemplateError(
            f"phrasings/{header.phrasings}.yaml:1: a list of texts for each locale is wanted."
        )
    pool = None
    if header.distractors and header.distractors.pool:
        allowed = set(header.parameters) | set(header.constants)
        pool = read_select(_part(path, "distractors", f"{header.distractors.pool}.sql"), allowed)
    return Template(file.name, path, header, body, picks, phrasings, pool)


def _part(path: Path, folder: str, name: str) -> Path:
    part = path.parent / folder / name
    if not part.is_file():
        raise TemplateError(f"{path}:1: {folder}/{name} is named here and does not exist.")
    return part


def _refuse_unused(folder: Path, templates: Mapping[str, Template]) -> None:
    headers = [template.header for template in templates.values()]
    used: dict[str, set[str | None]] = {
        "picks": {parameter.pick for header in headers for parameter in header.parameters.values()},
        "phrasings": {header.phrasings for header in headers},
        "distractors": {header.distractors.pool for header in headers if header.distractors},
    }
    for part, names in used.items():
        for path in sorted((folder / part).glob("*.*")):
            if path.stem not in names:
                raise TemplateError(f"{path}:1: no template uses this file.")
