"""A card whose questions were asked in feet, with options in every order, and as fresh ones; all numbers by hand."""

import json
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.report_cards.suites import Suite
from tests.support.factories import MISSING, MadeVersion, make_map, make_run, make_version, option_question
from tests.support.processes import scalar
from tests.support.scored_runs import score

COUNT = 24
PUBLIC = [i for i in range(COUNT) if i % 4 != 3]
"""18 questions; the key is always A."""
IN_FEET = [i for i in PUBLIC if i < 16]
"""The form changes the texts of these twelve."""
ENTRY = "urban_knowledge/direct"
SUITE = Suite.model_validate(
    {
        "name": "otherwise",
        "sentence": "The same questions in other forms.",
        "entries": [
            {
                "benchmark": "urban_knowledge",
                "solver": "direct",
                "forms": ["units", "order"],
                "fresh": "other_objects",
            }
        ],
    }
)


@dataclass(frozen=True)
class Otherwise:
    """The version in its usual form, and the runs by the keys of the suite's parts."""

    usual: MadeVersion
    runs: dict[str, int]
    canary: str
    """Of the usual version; the model writes it once, on a fresh question."""


def make_otherwise(settings: Settings) -> Otherwise:
    """The model is right on all public questions, on eight of twelve in feet, and on half of the fresh ones.

    Another model was asked the fresh ones alone.
    """
    village = make_map(settings)
    asked = [
        replace(one, text=one.text + " Please." * (i % 6))
        for i, one in enumerate(
            option_question(i, key=0, split="public" if i in PUBLIC else "hidden") for i in range(COUNT)
        )
    ]
    in_feet = [
        replace(one, text=one.text + " In feet.") if i in IN_FEET else one for i, one in enumerate(asked)
    ]

    def version(name: str, questions: Any, recipe: dict[str, Any]) -> MadeVersion:
        return make_version(settings, questions, name=name, made_map=village, recipe=recipe)

    usual = version("usual", asked, {"seed": 7})
    feet = version("in_feet", in_feet, {"seed": 7, "text_form": {"lengths": "feet"}})
    fresh = version("fresh", asked, {"seed": 7})
    canary = str(scalar(settings, "select canary from dataset_version where id = :id", id=usual.id))
    half = ["A" if i < 12 else "B" for i in range(COUNT)]
    # Whoever says A in every order of four options is right in one of them.
    rotated = [("A" if i in PUBLIC else MISSING) for _ in range(4) for i in range(COUNT)]
    right = IN_FEET[:8]
    runs = {
        ENTRY: make_run(settings, usual, ["A"] * COUNT, "model O"),
        f"{ENTRY}:order": make_run(settings, usual, rotated, "model O (rotated)", rotated=True),
        f"{ENTRY}:units": make_run(
            settings,
            feet,
            [("A" if i in right else "B") if i in IN_FEET else MISSING for i in range(COUNT)],
            "model O (12 chosen questions)",
        ),
        f"{ENTRY}:fresh": make_run(settings, fresh, [f"A, of {canary}", *half[1:]], "model O"),
    }
    _ask_only(settings, runs[f"{ENTRY}:order"], usual, PUBLIC)
    _ask_only(settings, runs[f"{ENTRY}:units"], feet, IN_FEET)
    beside = make_run(settings, fresh, ["A"] * COUNT, "model P")
    for run in (*runs.values(), beside):
        score(settings, run)
    return Otherwise(usual, runs, canary)


def _ask_only(settings: Settings, run: int, version: MadeVersion, chosen: list[int]) -> None:
    """Have the run ask these questions alone, as runs over chosen questions do."""
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update run set sample = array(select jsonb_array_elements_text(cast(:ids as jsonb))) where id = :run"
            ),
            {"ids": json.dumps(sorted(version.questions[i] for i in chosen)), "run": run},
        )
        connection.commit()
