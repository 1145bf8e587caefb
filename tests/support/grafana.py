"""The dashboards for Grafana as a test reads them: their panels, and the SQL that Grafana would send for each.

Only what the dashboards use of Grafana's syntax is filled in: ${name:sqlstring} and $__timeFilter(column).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.settings import PROJECT_ROOT

FOLDER = PROJECT_ROOT / "dashboards" / "grafana"
BOARDS: Mapping[str, Path] = {path.stem: path for path in sorted((FOLDER / "boards").glob("*.json"))}

Ask = Callable[[str], list[dict[str, Any]]]
"""Runs a statement as the role of BI tools and gives its rows."""


@dataclass(frozen=True)
class Panel:
    """One chart: its body in the file, and its statement as Grafana would send it."""

    body: Mapping[str, Any]
    statement: str

    @property
    def title(self) -> str:
        return str(self.body["title"])


def read_board(name: str) -> dict[str, Any]:
    """The dashboard as its file has it."""
    board: dict[str, Any] = json.loads(BOARDS[name].read_text())
    return board


def filled_panels(board: Mapping[str, Any], ask: Ask, chosen: Mapping[str, str]) -> list[Panel]:
    """Every panel, with `chosen` or else the first value of each variable; a variable with All gets all values."""
    values: dict[str, Sequence[str]] = {}
    for variable in board["templating"]["list"]:
        found = [str(next(iter(row.values()))) for row in ask(filled(variable["query"], values))]
        assert found, f"the variable {variable['name']} has no values"
        name = variable["name"]
        values[name] = found if variable["multi"] else [chosen.get(name, found[0])]
        assert set(values[name]) <= set(found), name
    return [
        Panel(panel, filled(target["rawSql"], values))
        for panel in board["panels"]
        for target in panel["targets"]
    ]


def filled(statement: str, values: Mapping[str, Sequence[str]]) -> str:
    """A statement with quoted values for its variables, and all time for the dashboard's time range."""
    whole = re.sub(r"\$\{(\w+):sqlstring\}", lambda found: _quoted(values[found[1]]), statement)
    whole = re.sub(
        r"\$__timeFilter\((\w+)\)", r"\1 between '1970-01-01T00:00:00Z' and '2100-01-01T00:00:00Z'", whole
    )
    assert "$" not in whole, f"not filled in: {whole}"
    return whole.replace(":", r"\:")  # SQLAlchemy reads a colon before a word as a bind


def _quoted(values: Sequence[str]) -> str:
    return ",".join("'" + value.replace("'", "''") + "'" for value in values)
