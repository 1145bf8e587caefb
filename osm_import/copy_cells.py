"""Import stage: values as the lines that COPY reads (PostgreSQL manual, COPY, File Formats: text). Pure."""

from collections.abc import Sequence
from typing import Any

NULL = "\\N"


def write_line(values: Sequence[Any]) -> str:
    """Values as one line, with its end."""
    return write_cells(values) + "\n"


def write_cells(values: Sequence[Any]) -> str:
    """Values with tabs between."""
    return "\t".join([_text(value) for value in values])


def write_plain_cells(values: Sequence[Any]) -> str:
    """`write_cells` of values whose texts hold nothing to be escaped."""
    return "\t".join([value if type(value) is str else _text(value) for value in values])


def _text(value: Any) -> str:
    match value:
        case None:
            return NULL
        case bool():
            return "t" if value else "f"
        case list():
            quoted = [f'"{_quote(item)}"' if isinstance(item, str) else str(item) for item in value]
            return _escape("{" + ",".join(quoted) + "}")
        case str():
            return _escape(value)
    return repr(value)


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
