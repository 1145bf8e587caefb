"""Reasons of refusal: every one that code can give has a meaning, and the documentation lists the same ones."""

import re

from app.core.settings import PROJECT_ROOT
from app.questions.refusals import ending_meaning, meaning, meanings, reasons_of

TABLE = "## Reasons of refusal"


def test_the_documentation_has_the_same_reasons() -> None:
    table = (PROJECT_ROOT / "sql_templates" / "README.md").read_text(encoding="utf-8").split(TABLE)[1]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    listed = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert {name for name in listed if not name.endswith("…")} == reasons_of("gsqa").keys() | reasons_of(
        "urban_knowledge"
    ).keys()


def test_every_reason_in_the_code_has_a_meaning() -> None:
    for benchmark in ("gsqa", "urban_knowledge"):
        said: set[str] = set()
        for file in (PROJECT_ROOT / "app" / "benchmarks" / benchmark / "derivations").glob("*.py"):
            said |= set(re.findall(r"refused\(\"([a-z_]+)\"", file.read_text(encoding="utf-8")))
        assert len(said) > 10
        assert {reason for reason in said if meaning(reason, benchmark) is None} == set()


def test_a_benchmark_has_reasons_of_its_own() -> None:
    assert meaning("closed_road", "urban_knowledge") == "the piece of the road ends where it begins"
    assert meaning("closed_road", "gsqa") is None


def test_reasons_that_name_something_are_told_too() -> None:
    assert (
        meaning("no_layer_road_node", "gsqa")
        == "the map lacks the layer road_node, which the template requires"
    )
    assert meaning("no_other_place", "gsqa") == "the map has no usable other place"
    assert meaning("unheard_of", "gsqa") is None
    assert meanings(["zero", "unheard_of"], "gsqa") == {"zero": "the number would be zero"}


def test_reasons_of_a_refresh_are_told_too() -> None:
    assert ending_meaning("anchor_gone", "gsqa") == "the anchor is in no layer of the new map"
    assert ending_meaning("leaves_outline", "gsqa") == meaning("leaves_outline", "gsqa")
    assert ending_meaning("gold", "gsqa") is None
