"""Read template files: the header and the one SELECT, checked; errors name the file and the line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from app.core.errors import TemplateError
from app.core.identity import digest
from app.templates.header import Header
from app.templates.statements import PICTURE_BINDS, PROVIDED, binds_of

M = TypeVar("M", bound=BaseModel)
LabelKind = Literal[
    "address",
    "addressed",
    "class",
    "class_of",
    "class_place",
    "classed",
    "context_place",
    "described",
    "listed_places",
    "place",
    "scene",
    "street_place",
    "tour",
    "trip",
]
"""How a text names what a pick offers: app/questions/labels/register.py says what each makes of which columns."""
LEAKY = "leaky"
"""The variant in which the option that there is no answer stands only where it is right, as MapEval published it."""
PickDepends = Literal["objects", "counts"]
"""Of nothing but each object, what shares its name, and the outline; or of how many places there are besides."""


@dataclass(frozen=True)
class Unanswerable:
    """How a template's questions without an answer are made: a SELECT of what could answer, and what reads its rows."""

    body: str
    derive: str

    @cached_property
    def body_hash(self) -> str:
        """Changes when anything does that could change such questions."""
        return digest(self.body, self.derive)


@dataclass(frozen=True)
class Template:
    """One template: what it asks, where its parameters come from, and the SELECT that answers it."""

    benchmark: str
    path: Path
    header: Header
    body: str
    picks: Mapping[str, str]
    phrasings: Mapping[str, Mapping[str, Sequence[str]]]
    """Texts by locale and register."""
    pool: str | None
    pick_depends: Mapping[str, PickDepends] = field(default_factory=dict)
    """By the name of a pick: what its rows depend on, where benchmark.toml says so. No part of the body hash: it says
    when the rows of today's pick need not be read, and changes no question."""
    unanswerable: Unanswerable | None = None
    """How its questions without an answer are made, if it can make any. No part of the body hash: no other question
    depends on it."""
    pick_labels: Mapping[str, LabelKind] = field(default_factory=dict)
    """By the name of a pick whose SELECT has no labels: how its values are named, where benchmark.toml says so."""
    precise_only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By parameter: the values for which people have no word, so that nobody is asked for them in everyday words."""
    pool_label: LabelKind | None = None
    """How the pool's rows are named, where benchmark.toml says so."""
    no_answer_option: bool = False
    """Whether the last option of its questions is that they cannot be answered."""

    @property
    def id(self) -> str:
        """Its name within the benchmark."""
        return self.header.id

    def offers_no_answer(self, variant: str | None) -> bool:
        """Whether an answerable question has the option that it cannot be answered, where that variant is wanted."""
        return self.no_answer_option and variant != LEAKY

    @property
    def uses_facts(self) -> bool:
        """Whether its questions stand on external facts."""
        return "facts" in binds_of(self.body)

    def proved_by(self, gold_kind: str) -> tuple[str, str]:
        """The SELECT and the name of the derivation that make gold of that kind.

        A template may have nothing but questions without an answer; then its own derivation says so.
        """
        if gold_kind == "value" or self.unanswerable is None:
            return self.body, self.header.derive
        return self.unanswerable.body, self.unanswerable.derive

    @cached_property
    def body_hash(self) -> str:
        """Changes when anything does that could change its questions."""
        # templates without these keep their hash
        further: list[Any] = [dict(one) for one in (self.pick_labels, self.precise_only) if one]
        further += [{"pool": self.pool_label}] if self.pool_label else []
        further += [{"no_answer_option": True}] if self.no_answer_option else []
        return digest(self.header.as_json(), self.body, dict(self.picks), self._texts, self.pool, *further)

    def has_everyday_words(self, parameters: Mapping[str, Any]) -> bool:
        """Whether people have a word for every value of a question; of `attribute@source`, the attribute counts."""
        return not any(
            str(parameters.get(name)).partition("@")[0] in values
            for name, values in self.precise_only.items()
        )

    @property
    def _texts(self) -> dict[str, Any]:
        """The phrasings as they are hashed: by locale alone where there is one register, as before there were two."""
        return {
            locale: next(iter(texts.values())) if len(texts) == 1 else dict(texts)
            for locale, texts in self.phrasings.items()
        }


Lines = Mapping[tuple[str, ...], int]
"""The line on which each key of a file stands, by the keys that lead to it."""


def read_text(path: Path) -> str:
    """The text of a template file; raises TemplateError where it is not UTF-8."""
    content = path.read_bytes()
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise TemplateError(f"{path}:{line}: the file is not UTF-8: {error.reason}.") from error


def read_select(path: Path, allowed: set[str], columns: set[str]) -> str:
    """The one SELECT, with an ORDER BY and `columns`, of a file without a header.

    Raises TemplateError naming file and line.
    """
    # What reads SQL takes a tenth of a second to import, and most commands that know of templates read none.
    from app.templates.selects import check_select

    text = read_text(path)
    check_select(path, text, allowed, columns, first_line=1)
    return text.strip()


def read_yaml(path: Path) -> tuple[Any, Lines]:
    """The content of a YAML file and where its keys stand; raises TemplateError naming file and line."""
    return _load_yaml(path, read_text(path), first_line=1)


def split_header(path: Path) -> tuple[Header, str, Lines]:
    """The header, the SELECT and the header's lines of a template file; raises TemplateError naming file and line.

    The SELECT is the file's body, or that of the file of selects/ that the header names: never both.
    """
    from app.templates.selects import check_select  # here, too: see `read_select`

    text = read_text(path)
    if not text.startswith("/*") or "*/" not in text:
        raise TemplateError(
            f"{path}:1: a template starts with a comment /* … */ that holds its header in YAML."
        )
    comment, _, body = text.partition("*/")
    values, lines = _load_yaml(path, comment[2:], first_line=1)
    header = validated(Header, values, path, lines)
    source, body, first_line = _select_of(path, header, lines, body, comment.count("\n") + 1)
    declared = {*header.parameters, *header.constants, *PROVIDED, *(PICTURE_BINDS if header.picture else ())}
    check_select(
        source,
        body,
        declared,
        {"place"},
        first_line,
        declared_by=f" by {path.name}" if source != path else "",
    )
    for name in header.parameters:
        if name not in binds_of(body) and name != header.frame:
            raise TemplateError(f"{path}:{lines['parameters', name]}: the SELECT does not use :{name}.")
    return header, body.strip(), lines


def part_of(path: Path, folder: str, name: str, line: int) -> Path:
    """The file `name` of a folder beside a template, named on its `line`; raises TemplateError where there is none."""
    part = path.parent / folder / name
    if not part.is_file():
        raise TemplateError(f"{path}:{line}: {folder}/{name} is named here and does not exist.")
    return part


def _select_of(path: Path, header: Header, lines: Lines, body: str, first_line: int) -> tuple[Path, str, int]:
    """Where a template's SELECT stands, the text that holds it, and the line on which that text starts."""
    if header.select is None:
        return path, body, first_line
    if body.strip():
        line = first_line + body[: len(body) - len(body.lstrip())].count("\n")
        raise TemplateError(
            f"{path}:{line}: nothing may follow a header that names a `select`: drop this, or that key."
        )
    shared = part_of(path, "selects", f"{header.select}.sql", lines["select",])
    return shared, read_text(shared), 1


def validated(model: type[M], values: Any, path: Path, lines: Lines) -> M:
    """`values` as a model; raises TemplateError naming the file, the line and the field of the first fault."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        where = tuple(str(part) for part in fault["loc"])
        line = next((lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in lines), 1)
        raise TemplateError(f"{path}:{line}: {'.'.join(where) or 'header'}: {fault['msg']}.") from error


def _load_yaml(path: Path, text: str, first_line: int) -> tuple[Any, dict[tuple[str, ...], int]]:
    loader = yaml.CSafeLoader(text)
    try:
        node = loader.get_single_node()
        values = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        # What breaks off is found behind the last line.
        line = first_line + min(
            error.problem_mark.line if error.problem_mark else 0, text.rstrip().count("\n")
        )
        raise TemplateError(f"{path}:{line}: the YAML cannot be read: {error.problem}.") from error
    except yaml.reader.ReaderError as error:
        line = first_line + text[: error.position].count("\n")
        raise TemplateError(f"{path}:{line}: the YAML cannot be read: {error.reason}.") from error
    lines: dict[tuple[str, ...], int] = {}

    def walk(current: Any, where: tuple[str, ...]) -> None:
        if isinstance(current, yaml.MappingNode):
            for key, value in current.value:
                if (*where, key.value) in lines:
                    raise TemplateError(
                        f"{path}:{first_line + key.start_mark.line}: {key.value!r} stands here twice."
                    )
                lines[(*where, key.value)] = first_line + key.start_mark.line
                walk(value, (*where, key.value))
        elif isinstance(current, yaml.SequenceNode):
            for number, value in enumerate(current.value):
                lines[(*where, str(number))] = first_line + value.start_mark.line
                walk(value, (*where, str(number)))

    walk(node, ())
    return values, lines
