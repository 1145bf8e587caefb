"""Questions of MapEval that people write, as its authors' annotators did with MapQaTor (MapEval, appendix B.1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval.contexts.blocks import Block, information, nearby_list, routes_block, travel_line
from app.benchmarks.mapeval.contexts.writing import MOST_WORDS, TITLE
from app.questions.gold import NO_ANSWER, UNANSWERABLE, VALUE
from app.workbench.forms import WrittenForm, WrittenItem, register_written

CLASSES = {
    "poi": "one place, or several by name",
    "nearby": "what lies around a place",
    "routing": "a route or a travel time",
    "trip": "a trip with several stops",
}
DIMENSIONS = {
    "": "none of these",
    "straight line": "a straight-line distance",
    "direction": "a direction",
    "counting": "a count",
}
UNANSWERABLE_CLASS = "unanswerable"
ENDS = ("position", "origin", "destination")
"""Fields of results that say of where a tool was asked."""


def print_result(tool: str, result: Mapping[str, Any], sentence: str) -> Sequence[str]:
    """Places, lists, routes and travel times as contexts print them; other results in the words of their tools.

    So is what was asked of a point: contexts call places by their names, and a point has none.
    """
    blocks: Mapping[str, Callable[[Mapping[str, Any]], Block]] = {
        "place_details": information,
        "nearby": nearby_list,
        "directions": routes_block,
        "travel_time": lambda found: [travel_line(found)],
    }
    if tool in blocks and all(result[end].get("name") for end in ENDS if end in result):
        return [line.text for line in blocks[tool](result)]
    return sentence.splitlines()


def gold_of(options: Sequence[str], place: int) -> tuple[dict[str, Any], str]:
    """Gold, and whether the question has an answer; the option that it has none stands last."""
    return {"index": place}, UNANSWERABLE if options[place] == NO_ANSWER else VALUE


def template_of(class_: str, kind: str) -> tuple[str, str]:
    """The template's name and the dimension: those without an answer are a class of their own."""
    label = UNANSWERABLE_CLASS if kind == UNANSWERABLE else class_
    return f"written_{label}", label


def export_item(item: WrittenItem) -> dict[str, Any]:
    """An item of `dataset.json`; the key counts from 0, and is -1 where there is no answer."""
    return {
        "id": item.number,
        "context": item.context,
        "question": item.question,
        "classification": None if item.key < 0 else item.class_,
        "answer": {"options": list(item.options), "correct": item.key},
    }


register_written(
    WrittenForm(
        benchmark="mapeval",
        classes=CLASSES,
        dimensions=DIMENSIONS,
        title=TITLE,
        most_words=MOST_WORDS,
        print_result=print_result,
        gold_of=gold_of,
        template_of=template_of,
        export_item=export_item,
    )
)
