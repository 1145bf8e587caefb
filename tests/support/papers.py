"""What the shared folder of papers holds: the worked cases that papers print."""

import json
from typing import Any

from app.core.settings import PROJECT_ROOT

PAPERS = PROJECT_ROOT.parent / "shared" / "papers"


def worked_cases(paper: str) -> list[dict[str, Any]]:
    """The worked cases of a paper, in the order of its figures."""
    cases: list[dict[str, Any]] = json.loads((PAPERS / f"{paper}-cases.json").read_text())["cases"]
    return cases
