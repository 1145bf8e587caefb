"""Read template files: the header and the one SELECT, checked; errors name the file and the line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import sqlglot
import yaml
from pydantic import BaseModel, ValidationError
from sqlglot import exp

from app.benchmarks.header import Header
from app.benchmarks.statements import binds_of, with_binds
from app.core.errors import TemplateError
from app.core.identity import digest

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Template:
    """One template: what it asks, where its parameters come from, and the SELECT that answers it."""

    benchmark: str
    path: Path
    header: Header
    body: str
    picks: Mapping[str, str]
    phrasings: Mapping[str, Sequence[str]]
    pool: str | None

    @property
    def id(self) -> str:
        """Its name within the benchmark."""
        return self.header.id

    @cached_property
    def body_hash(self) -> str:
        """Changes when anything does that could change its questions."""
        return digest(self.header.as_json(), self.body, dict(self.picks), dict(self.phrasings), self.pool)


def read_select(path: Path, allowed: set[str]) -> str:
    """The one SELECT of a file without a header; raises TemplateError naming file and line."""
    text = path.read_text()
    _check_select(path, text, allowed, first_line=1)
    return text.strip()


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; raises TemplateError naming file and line."""
    return _load_yaml(path, path.read_text(), first_line=1)[0]


def split_header(path: Path) -> tuple[Header, str]:
    """The header and the body of a template file; raises TemplateError naming file and line."""
    text = path.read_text()
    if not text.startswith("/*") or "*/" not in text:
        raise TemplateError(
            f"{path}:1: a template starts with a comment /* … */ that holds its header in YAML."
        )
    comment, _, body = text.partition("*/")
    values, lines = _load_yaml(path, comment[2:], first_line=1)
    header = validated(Header, values, path, lines)
    _check_body(path, header, body, first_line=comment.count("\n") + 1)
    return header, body.strip()


def validated(model: type[M], values: Any, path: Path, lines: Mapping[tuple[str, ...], int]) -> M:
    """`values` as a model; raises TemplateError naming the file, the line and the field of the first fault."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        where = tuple(str(part) for part in fault["loc"])
        line = next((lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in lines), 1)
        raise TemplateError(f"{path}:{line}: {'.'.join(where) or 'header'}: {fault['msg']}.") from error


def _load_yaml(path: Path, text: str, first_line: int) -> tuple[Any, dict[tuple[str, ...], int]]:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise TemplateError(f"{path}:{line}: the YAML cannot be read: {error.problem}.") from error
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

    walk(node, ())
    return values, lines


def _check_body(path: Path, header: Header, body: str, first_line: int) -> None:
    declared = set(header.parameters) | set(header.constants)
    _check_select(path, body, declared, first_line)
    unused = set(header.parameters) - binds_of(body)
    if unused:
        raise TemplateError(f"{path}:{first_line}: the SELECT does not use :{', :'.join(sorted(unused))}.")
    select = sqlglot.parse_one(_readable(body), read="postgres")
    assert isinstance(select, exp.Query), "checked above"
    if "place" not in select.named_selects:
        raise TemplateError(
            f"{path}:{first_line}: the SELECT has no column `place` that numbers its rows from 1."
        )
    if select.args.get("order") is None:
        raise TemplateError(
            f"{path}:{first_line}: the SELECT has no ORDER BY, so its rows could change places."
        )


def _readable(body: str) -> str:
    return with_binds(body, dict.fromkeys(binds_of(body), "null"))


def _check_select(path: Path, text: str, allowed: set[str], first_line: int) -> None:
    try:
        statements = [
            statement
            for statement in sqlglot.parse(_readable(text), read="postgres")
            if statement is not None
        ]
    except sqlglot.errors.ParseError as error:
        fault = error.errors[0]
        line = first_line + int(str(fault.get("line") or 1)) - 1
        raise TemplateError(f"{path}:{line}: the SQL cannot be read: {fault.get('description')}.") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise TemplateError(f"{path}:{first_line}: one SELECT is wanted here, and nothing else.")
    for name in sorted(binds_of(text) - allowed):
        line = first_line + text[: text.index(f":{name}")].count("\n")
        raise TemplateError(
            f"{path}:{line}: :{name} is not declared; there are: {', '.join(sorted(allowed)) or 'none'}."
        )
