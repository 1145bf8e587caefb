"""A chat endpoint that plays Spatial-Agent's model by rules: it reads the question's words, and writes a graph.

It was written from texts of questions and from the documentation of graphs alone, and knows nothing of the SQL and the
stored plans that gold comes from. It keeps no state. Where the graph decides nothing, it answers from what the steps
gave, as a model is asked to. `python -m tests.support.planner` serves it and says its address.
"""

import json
import re
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.support.planner_graphs import Sketch
from tests.support.planner_plans import find_rule, listed_kinds
from tests.support.planner_words import class_of
from tests.support.turns_endpoint import Message, Turns, serving_turns

NOT_KNOWN = "I do not know"
SEARCHES = ("nearest_places", "place_search", "filter_places_by_time")
_OPTION = re.compile(r"([A-Z])\) (.*)")
_STEP = re.compile(r"^s(\d+) (\w+) \((done|failed|unresolved)\): (.*)$", re.MULTILINE)
_PLACE = re.compile(r"\{[^{}]*\}")


class Question(NamedTuple):
    """What is asked, what is said after it, and its options."""

    text: str
    rest: str
    options: Sequence[str]


class Step(NamedTuple):
    """A step of the graph by its number; `told` is empty where it gave nothing."""

    number: int
    op: str
    told: str


@contextmanager
def serving_planner() -> Iterator[Turns]:
    """The endpoint at work."""
    with serving_turns(say_by_rules) as turns:
        yield turns


def say_by_rules(body: dict[str, Any]) -> Message:
    """The graph of the question, or its answer where a graph was carried out already."""
    instructions, asked = body["messages"][:2]
    question = read_question(asked["content"])
    if "was carried out" in instructions["content"]:
        return {"content": answer_from(instructions["content"], question)}
    return {"content": plan_of(question)}


def read_question(content: str) -> Question:
    """The question in a message: the last part before the options, or the first one where there are none."""
    parts = content.split("\n\n")
    found = [number for number, part in enumerate(parts) if part.startswith("A) ")]
    options = (
        [told[2] for line in parts[found[-1]].split("\n") if (told := _OPTION.match(line))] if found else []
    )
    text = parts[found[-1] - 1] if found else parts[0]
    question, mark, rest = text.partition(" Answer from ")
    if not mark:
        question, mark, rest = text.partition(" I mean: ")
        rest = f"I mean: {rest}" if mark else ""
    for aside in (
        " Only ones with known opening hours.",
        " Only those with known hours.",
        " Just the ones whose hours are known.",
    ):
        question = question.removesuffix(aside)
    return Question(question.strip(), rest, options)


def plan_of(question: Question) -> str:
    """The graph as text."""
    sketch = Sketch()
    rule, said = find_rule(*question)
    rule.draw(sketch, said)
    return sketch.as_text()


# --- answers from traces -------------------------------------------------------------------------------------


def answer_from(trace: str, question: Question) -> str:
    """The answer that the steps tell: a letter where there are options, else a text."""
    steps = _steps_of(trace)
    rule, said = find_rule(*question)
    match rule.reads:
        case "kinds":
            return _kinds(steps, listed_kinds(said["rest"]))
        case "names":
            names = [one["name"] for one in _listed(steps) if one.get("name")]
            return _set_among(names, question.options) if question.options else "; ".join(names) or "none"
        case "nearest":
            return _nearest(steps, question, said)
        case "attribute":
            return _attribute(steps, question)
    return _letter_of("cannot be answered", question.options)


def _steps_of(trace: str) -> list[Step]:
    """The steps in the order of the graph, in which they were written; that of the trace is another."""
    return sorted(
        Step(int(number), op, told if state == "done" else "")
        for number, op, state, told in _STEP.findall(trace)
    )


def _listed(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The places that the last search listed."""
    found = [one.told for one in steps if one.op in SEARCHES and one.told]
    return _places(found[-1]) if found else []


def _places(told: str) -> list[dict[str, Any]]:
    """The places in what a step gave, as far as it was not cut."""
    found: list[dict[str, Any]] = []
    for one in _PLACE.findall(told):
        try:
            place = json.loads(one)
        except ValueError:
            continue
        found += [place] if "id" in place else []
    return found


def _letter_of(option: str, options: Sequence[str]) -> str:
    for number, one in enumerate(options):
        if option in one:
            return chr(ord("A") + number)
    return NOT_KNOWN


def _letter_at(number: int) -> str:
    return chr(ord("A") + number)


def _kinds(steps: Sequence[Step], kinds: Sequence[str]) -> str:
    """The kinds whose search found something, and that of the place itself."""
    own = next(
        (str(place["type"]) for one in steps if one.op == "geocode" for place in _places(one.told)), ""
    )
    searched = [one.told for one in steps if one.op == "place_search"]
    found = [
        kind for kind, told in zip(kinds, searched, strict=True) if _places(told) or own == class_of(kind)
    ]
    return "; ".join(found) or "none"


def _set_among(names: Sequence[str], options: Sequence[str]) -> str:
    """The option that names exactly these."""
    for number, one in enumerate(options):
        left = one
        for name in sorted(names, key=len, reverse=True):
            left = left.replace(name, "", 1)
        if all(name in one for name in names) and not re.sub(r"\band\b|[,; ]", "", left):
            return _letter_at(number)
    return _letter_of("cannot be answered", options)


def _nearest(steps: Sequence[Step], question: Question, said: Mapping[str, str]) -> str:
    """The first place with a name that a search listed, on the wanted side where there is one."""
    anchor = next((place for one in steps if one.op == "geocode" for place in _places(one.told)), None)
    for place in _listed(steps):
        if not place.get("name") or ("side" in said and not _is_on_side(place, anchor, said["side"])):
            continue
        if not question.options:
            return str(place["name"])
        if place["name"] in question.options:
            return _letter_at([*question.options].index(place["name"]))
    return _letter_of("cannot be answered", question.options)


def _is_on_side(place: Mapping[str, Any], anchor: Mapping[str, Any] | None, side: str) -> bool:
    if anchor is None:
        return False
    north, east = place["lat"] - anchor["lat"], place["lon"] - anchor["lon"]
    return bool({"north": north, "south": -north, "east": east, "west": -east}[side] > 0)


def _attribute(steps: Sequence[Step], question: Question) -> str:
    """The option that is one of several values."""
    told = next((one.told for one in reversed(steps) if one.op == "calculate_field"), "")
    found = re.search(r'"value": ?"([^"]*)"', told)
    values = [one.strip().replace("_", " ") for one in found[1].split(";")] if found else []
    for number, one in enumerate(question.options):
        if one.replace("_", " ") in values:
            return _letter_at(number)
    return _letter_of("cannot be answered", question.options)


if __name__ == "__main__":
    with serving_planner() as endpoint:
        sys.stdout.write(f"{endpoint.url}\n")
        sys.stdout.flush()
        threading.Event().wait()
