"""Runs over two tiny data sets whose every number is computed by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.report_cards.entries import CardRun
from app.report_cards.making import make_card
from app.report_cards.models import CardContent
from tests.support.factories import (
    FAILED,
    MISSING,
    MadeVersion,
    azimuth_question,
    make_map,
    make_run,
    make_version,
    option_question,
)
from tests.support.judged_runs import judged_question, make_verdicts, verdicts_by
from tests.support.scored_runs import score

WHERE, HOW_MUCH = "Retrieve_Coordinates", "Compare_Area_Size"
# Eight questions of either template, of which two of the first are hidden; the key is always A.
TEMPLATES = [WHERE] * 8 + [HOW_MUCH] * 8
HIDDEN = (6, 7)
MINE = "AAAABB" + "AA" + "ABBBBBBA"
"""Right at 4 of 6 public questions of the first template, and at 2 of 8 of the second."""
OTHER = "AAAAAA" + "BB" + "ABBBBBBA"
TOOLS_CHECK = "map_tools_check"
WITH_TOOLS = "AAAAAA" + "AA" + "AAAAAAAB"
AGENT = {"agent": {"tools": "all", "steps": 8}}
HOSTILE = '<script>alert("model")</script> \u202eevil\u202c ' + "w" * 500
"""What a model may answer: a script, a sign that turns text about, a word without an end."""


@dataclass(frozen=True)
class Made:
    """The versions and runs of the tests."""

    settings: Settings
    options: MadeVersion
    directions: MadeVersion
    runs: dict[str, int]

    def card(self, *names: str, **told: Any) -> CardContent:
        """The card of these runs, read as REST reads it."""
        entries = [self.entry(name) for name in names]
        with connect(self.settings, Role.API) as connection:
            return make_card(connection, entries, **told)

    def entry(self, name: str) -> CardRun:
        """A run as suites name it."""
        benchmark = {"directions": "gsqa", "bare": TOOLS_CHECK, "bare_tools": TOOLS_CHECK}.get(
            name, "urban_knowledge"
        )
        tools = "all" if "tools" in name else None
        return CardRun(self.runs[name], f"{benchmark}/{name}", benchmark, "direct", tools)


@pytest.fixture(scope="session")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    village = make_map(settings)
    asked = [
        option_question(i, key=0, template=template, split="hidden" if i in HIDDEN else "public")
        for i, template in enumerate(TEMPLATES)
    ]
    options = make_version(settings, asked, name="options", made_map=village)
    asked_ways = [replace(one, binds=one.parameters) for one in map(azimuth_question, range(4))]
    directions = make_version(settings, asked_ways, name="directions", made_map=village)
    checked = make_version(
        settings,
        [option_question(i, key=0, template="Nearest_Of_Four") for i in range(4)],
        name="checked",
        benchmark=TOOLS_CHECK,
        made_map=village,
    )
    given: dict[str, tuple[MadeVersion, list[object], str, str, dict[str, Any]]] = {
        "mine": (options, list(MINE), "model A", "complete", {}),
        "other": (options, list(OTHER), "model B", "complete", {}),
        "tools": (options, list(WITH_TOOLS), "model A", "complete", AGENT),
        "broken": (options, [*MINE[:14], FAILED, MISSING], "model C", "incomplete", {}),
        "rule": (options, list("ABCD" * 4), "random", "complete", {}),
        "directions": (directions, ["90", "90 degrees", "270", None], "model A", "complete", {}),
        "bare": (checked, list("ABBB"), "model A", "complete", {}),
        "bare_tools": (checked, list("AAAB"), "model A (react)", "complete", AGENT),
        "hostile": (options, [HOSTILE] * 16, "<b>model</b>", "complete", {}),
    }
    runs = {}
    for name, (version, answers, label, status, presentation) in given.items():
        solver = {"rule": "random", "tools": "react", "bare_tools": "react"}.get(name, "direct")
        runs[name] = make_run(settings, version, answers, label, solver, status, presentation=presentation)
        score(settings, runs[name])
    judged = make_version(settings, [judged_question("DS", i) for i in range(2)], "judged", made_map=village)
    runs["judged"] = make_run(settings, judged, ["3", "2"], "model A")
    score(settings, runs["judged"])
    verdicts = verdicts_by(("DS", "DS"), lambda place, _: {"answer": 5.0} if place else {})
    runs["judge"] = make_verdicts(settings, judged, runs["judged"], verdicts)
    return Made(settings, options, directions, runs)
