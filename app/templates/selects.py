"""The one SELECT of a template file: whether it is one, in an order, with the columns and binds that it should have."""

from pathlib import Path

import sqlglot
from sqlglot import TokenType, exp

from app.core.errors import TemplateError
from app.templates.statements import bind_positions, binds_of, with_binds

_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Into, exp.Lock)


def check_select(
    path: Path, text: str, allowed: set[str], columns: set[str], first_line: int, declared_by: str = ""
) -> None:
    """Raise TemplateError, naming file and line, unless `text` is one SELECT in an order, with `columns`.

    It may change and lock nothing, and has no binds but those `allowed`; its first line is the file's `first_line`.
    """
    try:
        tokens = sqlglot.tokenize(_readable(text), read="postgres")
        parsed = sqlglot.parse(_readable(text), read="postgres")
    except sqlglot.errors.ParseError as error:
        fault = error.errors[0]
        line = first_line + int(str(fault.get("line") or 1)) - 1
        raise TemplateError(f"{path}:{line}: the SQL cannot be read: {fault.get('description')}.") from error
    except sqlglot.errors.TokenError as error:
        raise TemplateError(
            f"{path}:{first_line}: the SQL cannot be read: a quote or a comment is not closed."
        ) from error
    start = first_line + (tokens[0].line - 1 if tokens else 0)
    ends = [i for i, token in enumerate(tokens) if token.token_type == TokenType.SEMICOLON]
    if ends and ends[0] + 1 < len(tokens):
        line = first_line + tokens[ends[0] + 1].line - 1
        raise TemplateError(f"{path}:{line}: one SELECT is wanted here, and nothing after it.")
    select = parsed[0] if parsed else None
    if not isinstance(select, exp.Query) or select.find(*_CHANGES):
        raise TemplateError(f"{path}:{start}: one SELECT is wanted here that changes and locks nothing.")
    for name, position in bind_positions(text):
        if name not in allowed:
            line = first_line + text[:position].count("\n")
            raise TemplateError(
                f"{path}:{line}: :{name} is not declared{declared_by}; "
                f"there are: {', '.join(sorted(allowed)) or 'none'}."
            )
    for column in sorted(columns - set(select.named_selects)):
        what = ", which numbers its rows from 1" if column == "place" else ""
        raise TemplateError(f"{path}:{start}: the SELECT has no column `{column}`{what}.")
    if select.args.get("order") is None:
        raise TemplateError(f"{path}:{start}: the SELECT has no ORDER BY, so its rows could change places.")


def columns_of(text: str) -> set[str]:
    """The columns of a SELECT by their names; none of what is no SQL."""
    try:
        parsed = sqlglot.parse(_readable(text), read="postgres")
    except (sqlglot.errors.ParseError, sqlglot.errors.TokenError):
        return set()
    select = parsed[0] if parsed else None
    return set(select.named_selects) if isinstance(select, exp.Query) else set()


def _readable(body: str) -> str:
    return with_binds(body, dict.fromkeys(binds_of(body), "null"))
