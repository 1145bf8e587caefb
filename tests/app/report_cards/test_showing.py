"""What a card says of the parts of its suite that were not asked."""

from app.report_cards.showing import say_left_out
from app.report_cards.stored import CardEntry


def entry(key: str, **more: object) -> CardEntry:
    benchmark, _, solver = key.partition("/")
    values = {"dataset": "town_gsqa_1@1", "run": 3, "status": "complete", "scored": True, "left_out": None}
    told = {**values, "tool_set": None, "without_questions": {}, **more}
    return CardEntry.model_validate({"key": key, "benchmark": benchmark, "solver": solver, **told})


def test_templates_without_questions_are_named_with_their_reason_in_words_once_for_a_data_set() -> None:
    refused = {"T27": {"no_region": 9, "margin": 2}, "T11": {"no_region": 5}, "T3": {"own_reason": 1}}
    entries = [
        entry("gsqa/direct", without_questions=refused),
        entry("gsqa/tools", without_questions=refused),
        entry("mapqa/direct", dataset=None, run=None, left_out="The router is not installed."),
    ]
    assert list(say_left_out(entries)) == [
        "gsqa/direct: no question could be made of T3 (own_reason); T11, T27 (the map has no region that may be "
        "asked about)",
        "mapqa/direct: The router is not installed.",
    ]
