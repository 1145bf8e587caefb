"""Suites: what a report card asks, as data. Reads suites/*.toml, or a file that somebody names."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from app.agent_tools.sets import ALL, set_names
from app.core.errors import NotFound, TemplateError, UsageError
from app.core.identity import digest
from app.core.words import printable
from app.report_cards.variants import FORMS, FRESH, Form, Variant, key_of_variant
from app.solvers import find_solver
from app.solvers.agents.terms import AgentTerms, check_terms
from app.solvers.names import ANSWERING
from app.templates.catalogue import benchmark_names, list_templates
from app.templates.templates import Lines, read_text, validated

FOLDER = Path(__file__).parent / "suites"
DEFAULT = "geo-lite"
LARGEST_FILE = 100_000
"""Bytes; a hundred entries take some tens of thousands."""
MOST = 1_000_000_000
"""More than anybody means by a number of tokens, seconds or questions, and less than what the database holds."""
Need = Literal["router", "pictures"]
"""What an entry cannot do without: OSRM; or mapnik here and an endpoint that sees pictures."""
CAPS = ("steps", "tokens", "seconds", "money")
"""How far an episode with tools may go, by the names of `AgentTerms`."""


class SuiteEntry(BaseModel):
    """Questions of one benchmark that one solver answers.

    The questions are those of a published `version`, or are made on the card's map: at most `per_template` of each
    template. Of two entries that make the same questions, both ask one version.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    benchmark: str
    solver: str
    key: str = Field(default="", pattern=r"^[a-z0-9_/.-]{0,80}$")
    """Its name within the suite; BENCHMARK/SOLVER where nothing is said."""
    version: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}@[1-9][0-9]{0,8}$")
    templates: tuple[str, ...] = Field(default=(), strict=False)
    """The templates to ask; all of the benchmark where none is named."""
    per_template: int = Field(default=2, ge=1, le=10_000)
    bank: int = Field(default=20, ge=1, le=1_000_000)
    seed: int = Field(default=0, ge=0, le=2**31 - 101)
    """Of the questions and of the calls."""
    requires: tuple[Need, ...] = Field(default=(), strict=False)
    sample: int | None = Field(default=None, ge=1, le=MOST)
    """How many questions of the version are asked, drawn by the seed; all where nothing is said."""
    repeats: int = Field(default=1, ge=1, le=100)
    with_context: bool | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1, le=MOST)
    tools: str | None = None
    """The set of tools of a solver that calls tools; its usual one where nothing is said."""
    steps: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1, le=MOST)
    seconds: int | None = Field(default=None, ge=1, le=MOST)
    money: str | None = None
    judge: bool = False
    """Whether a judge marks its answers, where the card has one."""
    forms: tuple[Form, ...] = Field(default=(), strict=False)
    """In which other forms its questions are asked, too."""
    forms_sample: int = Field(default=100, ge=1, le=MOST)
    """How many questions are asked in each other form, drawn by the seed among those that the form changes."""
    fresh: str | None = Field(
        default=None, pattern=r"^(other_objects|map:[A-Za-z0-9][A-Za-z0-9_.@:-]{0,99})$"
    )
    """Of what fresh twins are asked, too: of other objects of the same map, or of another map, as map:NAME."""

    @field_validator("benchmark")
    @classmethod
    def _known_benchmark(cls, name: str) -> str:
        return _one_of("benchmark", name, benchmark_names())

    @field_validator("solver")
    @classmethod
    def _known_solver(cls, name: str) -> str:
        return _one_of("solver", name, ANSWERING)

    @field_validator("tools")
    @classmethod
    def _known_tools(cls, name: str | None) -> str | None:
        return None if name is None else _one_of("set of tools", name, set_names())

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in self.templates:
            _one_of(f"template of {self.benchmark}", name, list_templates(self.benchmark))
        caps = [name for name in ("tools", *CAPS) if getattr(self, name) is not None]
        if caps and not self.calls_tools:
            raise ValueError(f"the solver {self.solver} calls no tools; remove {', '.join(caps)}")
        try:
            if caps:
                check_terms(AgentTerms(**{name: getattr(self, name) for name in caps}).of_solver(self.solver))
        except UsageError as error:
            raise ValueError(str(error).removesuffix(".")) from error
        made = {"templates", "per_template", "bank"} & self.model_fields_set
        if self.version is not None and made:
            raise ValueError(f"a published version is as it is; remove {', '.join(sorted(made))}")
        if "forms_sample" in self.model_fields_set and not self.forms:
            raise ValueError("forms_sample says how many questions are asked in other forms; name `forms`")
        if self.fresh is not None and self.sample is not None:
            raise ValueError("twins are of all questions; remove sample or fresh")
        return self

    @property
    def name(self) -> str:
        """Its key."""
        return self.key or f"{self.benchmark}/{self.solver}"

    @property
    def variants(self) -> tuple[Variant, ...]:
        """As what its questions are asked beside its own run."""
        asked: tuple[Variant, ...] = tuple(form for form in FORMS if form in self.forms)
        return (*asked, FRESH) if self.fresh else asked

    @property
    def calls_tools(self) -> bool:
        """Whether its solver is given tools."""
        return find_solver(self.solver).calls_tools

    @property
    def terms(self) -> AgentTerms | None:
        """What its solver is given; None where it calls no tools, or nothing is said."""
        said = {name: getattr(self, name) for name in ("tools", *CAPS) if getattr(self, name) is not None}
        return AgentTerms(**said) if said else None

    @property
    def tool_set(self) -> str | None:
        """The set of tools that its solver is given; None where it calls none."""
        if not self.calls_tools:
            return None
        return AgentTerms(self.tools or ALL).of_solver(self.solver).tools

    @property
    def questions_hash(self) -> str:
        """Of what decides its questions beside the map: entries that have the same ask the same questions."""
        made = (self.benchmark, sorted(self.templates), self.per_template, self.bank, self.seed)
        return digest(list(made))


class SuitePart(NamedTuple):
    """What one run of a card answers: an entry, or a variant of it."""

    entry: SuiteEntry
    variant: Variant | None = None

    @property
    def key(self) -> str:
        """Its key within the card."""
        name = self.entry.name
        return name if self.variant is None else key_of_variant(name, self.variant)


class Suite(BaseModel):
    """A named list of entries; `sentence` says what it is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    sentence: Annotated[str, AfterValidator(printable)] = Field(min_length=1, max_length=300)
    entries: tuple[SuiteEntry, ...] = Field(min_length=1, max_length=100)

    @model_validator(mode="after")
    def _keys_differ(self) -> Self:
        keys = [one.name for one in self.entries]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"two entries have the key {key}: give one of them another `key`")
        return self

    @property
    def parts(self) -> list[SuitePart]:
        """All that runs answer: the entries in their order, then their variants."""
        return [
            *map(SuitePart, self.entries),
            *(SuitePart(one, variant) for one in self.entries for variant in one.variants),
        ]

    def as_json(self) -> dict[str, Any]:
        """The suite as cards store it: what is said of each entry."""
        return self.model_dump(mode="json", exclude_unset=True)

    @property
    def content_hash(self) -> str:
        """Of everything that it says but its name and sentence."""
        return digest(self.as_json()["entries"])


def suite_names() -> list[str]:
    """The suites that there are by name."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_suite(given: str) -> Suite:
    """The suite of a name, or of a file: what has a slash or ends with .toml is a file.

    Raises NotFound, and TemplateError naming file and line at the first fault.
    """
    if "/" in given or given.endswith(".toml"):
        path = Path(given)
        if not _is_file(path):
            raise NotFound(f"There is no file {given}; it should describe a suite.")
        return read_suite(path)
    if given not in suite_names():
        raise NotFound(
            f"There is no suite {given!r}; there are: {', '.join(suite_names())}. A file of your own is named with "
            "its path, such as ./mine.toml."
        )
    return read_suite(FOLDER / f"{given}.toml")


def read_suite(path: Path) -> Suite:
    """The suite of a file. Raises TemplateError naming the file and the line of its first fault."""
    text = _read_small(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.search(r"\(at line (\d+)", str(error))
        line = int(told[1]) if told else text.count("\n") + 1  # it breaks off at the end
        raise TemplateError(f"{path}:{line}: the TOML cannot be read: {error}.") from error
    except RecursionError as error:
        rows = text.splitlines()
        line = 1 + max(range(len(rows)), key=lambda row: rows[row].count("[") + rows[row].count("{"))
        raise TemplateError(f"{path}:{line}: the TOML cannot be read: it is nested too deeply.") from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        found = re.search(r"[0-9_]{4300}", text)
        line = text[: found.start() if found else 0].count("\n") + 1
        raise TemplateError(
            f"{path}:{line}: the TOML cannot be read: a number has too many digits."
        ) from error
    return validated(Suite, values, path, _lines_of(text))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name that is too long
        return False


def _read_small(path: Path) -> str:
    """The text of a file. Raises TemplateError for one that is large, unreadable or not UTF-8."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise TemplateError(
                f"{path}:1: a suite has at most {LARGEST_FILE:,} bytes, and this file has {size:,}."
            )
        return read_text(path)
    except OSError as error:
        raise TemplateError(f"{path}:1: the file cannot be read: {error.strerror}.") from error


def _lines_of(text: str) -> Lines:
    """Where keys stand, by the keys that lead to them; entries are counted from 0."""
    lines: dict[tuple[str, ...], int] = {(): 1}
    entry = -1
    for number, row in enumerate(text.splitlines(), 1):
        table = () if entry < 0 else ("entries", str(entry))
        if re.match(r"\s*\[\[\s*[\"']?entries[\"']?\s*\]\]", row):
            entry += 1
            lines["entries", str(entry)] = number
            lines.setdefault(("entries",), number)
        elif key := re.match(r"\s*([\"']?)([\w-]+)\1\s*=", row):
            lines.setdefault((*table, key[2]), number)
    return lines


def _one_of(what: str, name: str, known: Sequence[str]) -> str:
    if name not in known:
        raise ValueError(f"there is no {what} {name!r}; there are: {', '.join(known)}")
    return name
