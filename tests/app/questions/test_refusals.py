"""Reasons of refusal: every one that code can give has a meaning, and the documentation lists the same ones."""

import re

from app.core.settings import PROJECT_ROOT
from app.questions.refusals import REASONS, ending_meaning, meaning, meanings

TABLE = "## Reasons of refusal"


def test_the_documentation_has_the_same_reasons() -> None:
    table = (PROJECT_ROOT / "sql_templates" / "README.md").read_text(encoding="utf-8").split(TABLE)[1]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    listed = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert {name for name in listed if not name.endswith("…")} == set(REASONS)


def test_every_reason_in_the_code_has_a_meaning() -> None:
    said: set[str] = set()
    for part in ("derivations", "second_path"):
        for file in (PROJECT_ROOT / "app").glob(f"**/{part}/**/*.py"):
            said |= set(re.findall(r"refused\(\"([a-z_]+)\"", file.read_text(encoding="utf-8")))
    assert len(said) > 20
    assert {reason for reason in said if meaning(reason) is None} == set()


def test_reasons_that_name_something_are_told_too() -> None:
    assert meaning("no_layer_road_node") == "the map lacks the layer road_node, which the template requires"
    assert meaning("no_other_place") == "the map has no usable other place"
    assert meaning("unheard_of") is None
    assert meanings({"zero": 1, "unheard_of": 2}) == {"zero": "the number would be zero"}


def test_reasons_of_a_refresh_are_told_too() -> None:
    assert ending_meaning("anchor_gone") == "the anchor is in no layer of the new map"
    assert ending_meaning("leaves_outline") == meaning("leaves_outline")
    assert ending_meaning("gold") is None
