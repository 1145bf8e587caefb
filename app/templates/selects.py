"""The one SELECT of a template file: whether it is one, in an order, with the columns and binds that it should have."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.dialects import Postgres

from app.core.errors import TemplateError
from app.templates.statements import bind_positions, binds_of, with_binds

_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Into, exp.Lock)


@dataclass(frozen=True)
class _Read:
    """What is known of a text that is SQL. Lines count from 0: of its first word, and of what follows a semicolon."""

    first_line: int
    more_line: int | None
    is_select: bool
    columns: tuple[str, ...]
    is_ordered: bool


def check_select(
    path: Path, text: str, allowed: set[str], columns: set[str], first_line: int, declared_by: str = ""
) -> None:
    """Raise TemplateError, naming file and line, unless `text` is one SELECT in an order, with `columns`.

    It may change and lock nothing, and has no binds but those `allowed`; its first line is the file's `first_line`.
    """
    try:
        read = _read(text)
    except sqlglot.errors.ParseError as error:
        fault = error.errors[0]
        line = first_line + int(str(fault.get("line") or 1)) - 1
        raise TemplateError(f"{path}:{line}: the SQL cannot be read: {fault.get('description')}.") from error
    except sqlglot.errors.TokenError as error:
        raise TemplateError(
            f"{path}:{first_line}: the SQL cannot be read: a quote or a comment is not closed."
        ) from error
    start = first_line + read.first_line
    if read.more_line is not None:
        line = first_line + read.more_line
        raise TemplateError(f"{path}:{line}: one SELECT is wanted here, and nothing after it.")
    if not read.is_select:
        raise TemplateError(f"{path}:{start}: one SELECT is wanted here that changes and locks nothing.")
    for name, position in bind_positions(text):
        if name not in allowed:
            line = first_line + text[:position].count("\n")
            raise TemplateError(
                f"{path}:{line}: :{name} is not declared{declared_by}; "
                f"there are: {', '.join(sorted(allowed)) or 'none'}."
            )
    for column in sorted(columns - set(read.columns)):
        what = ", which numbers its rows from 1" if column == "place" else ""
        raise TemplateError(f"{path}:{start}: the SELECT has no column `{column}`{what}.")
    if not read.is_ordered:
        raise TemplateError(f"{path}:{start}: the SELECT has no ORDER BY, so its rows could change places.")


def columns_of(text: str) -> set[str]:
    """The columns of a SELECT by their names; none of what is no SQL."""
    try:
        return set(_read(text).columns)
    except (sqlglot.errors.ParseError, sqlglot.errors.TokenError):
        return set()


@cache
def _read(text: str) -> _Read:
    """What sqlglot finds in a text, kept: parts are shared by templates, and reading all of them takes seconds."""
    sql = with_binds(text, dict.fromkeys(binds_of(text), "null"))
    dialect = Postgres()
    tokens = dialect.tokenize(sql)
    parsed = dialect.parser().parse(tokens, sql)
    select = parsed[0] if parsed else None
    ends = [number for number, token in enumerate(tokens) if token.token_type == TokenType.SEMICOLON]
    more = tokens[ends[0] + 1 :] if ends else []
    return _Read(
        first_line=tokens[0].line - 1 if tokens else 0,
        more_line=more[0].line - 1 if more else None,
        is_select=isinstance(select, exp.Query) and not select.find(*_CHANGES),
        columns=tuple(select.named_selects) if isinstance(select, exp.Query) else (),
        is_ordered=isinstance(select, exp.Query) and select.args.get("order") is not None,
    )
