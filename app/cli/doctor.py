"""`trigpoint doctor`: examine the installation and say how to mend each fault."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli.output import emit
from app.cli.tables import listing
from app.core.settings import Settings
from app.doctor import Finding, State, examine

MARKS = {State.OK: "ok", State.WARN: "note", State.FAIL: "FAIL"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Check versions, extensions, roles, ports, disk, queue and endpoints; exit 1 if anything must be repaired."""
    findings = examine(Settings.load())
    broken = [finding for finding in findings if finding.state is State.FAIL]
    result = {
        "ok": not broken,
        "checks": [
            {"name": f.name, "state": f.state.value, "said": f.said, "remedy": f.remedy} for f in findings
        ],
    }
    emit(result, as_json, as_table(findings), f"{len(broken)} to repair." if broken else "All is well.")
    if broken:
        raise typer.Exit(1)


def as_table(findings: list[Finding]) -> Table:
    """One row a finding; the remedy stands under what was found."""
    table = listing("", "check", "found", sentences=["found"])
    for finding in findings:
        said = finding.said if finding.remedy is None else f"{finding.said}\n→ {finding.remedy}"
        table.add_row(MARKS[finding.state], finding.name, Text(said))
    return table
