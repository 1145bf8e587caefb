"""Our own questions under the published rules: an answer's text and our gold → one Score a scorer's kind of question.

The answer's text is parsed by rules, not by a model (app.scores.reading.structures). Its value and outcome are those of
the paper's Table 13.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from app.benchmarks.gsqa.published.cases import UNPARSED_TEMPLATES, Case, Scores, parsed_score, text_score
from app.benchmarks.gsqa.published.lookups import Lookup, objects_of
from app.scores.expectations import Judged
from app.scores.paper_rules import Objects
from app.scores.reading.structures import read_structures
from app.scores.registry import Scorer
from app.scores.score import Component, Outcome, Score

VERSION = 2
CORRECT_FROM = 0.5
CORRECT_UP_TO = 0.1
MAX_SHOWN = 20
"""Objects of a parsed answer that are stored."""

Gold = Mapping[str, Any]
"""Gold that holds a fact is of T7 or T8, which have no parsed score.

Gold of a question that others published holds under `published` what the rules read of it: {template, answer_type,
gold}.
"""
_ERRORS = ("angle_error", "relative_error")


def by_rules(name: str, answer: str) -> Objects:
    """The objects that an answer to a question of our scorer `name` tells of, by our rules alone."""
    return read_structures(answer)


def published_scorer(
    name: str, read: Callable[[str, str], Objects] = by_rules, lookup: Lookup = "toplevel"
) -> Scorer | None:
    """The published rules for questions of our scorer `name`; None where nothing was published for the kind.

    `read` parses an answer, given the scorer's name and the answer; `lookup` says how deep its fields are looked for.
    """
    if name not in _KINDS:
        return None
    return Scorer(name, VERSION, True, partial(_judge, name, partial(read, name), lookup))


def scorer_of_parsed(name: str, parsed: Mapping[str, Any]) -> Scorer | None:
    """The same for one answer that came with what its authors read from it: {objects, lookup}."""
    return published_scorer(name, lambda _name, _answer: parsed["objects"], parsed["lookup"])


def has_parsed_score(question: Judged) -> bool:
    """Whether answers to it have a parsed score: those that lean on facts have none."""
    leans = "fact" in question.gold or _published(question.gold).get("template") in UNPARSED_TEMPLATES
    return question.scorer.name != "fact" and not leans


def _judge(
    name: str,
    read: Callable[[str], Objects],
    lookup: Lookup,
    answer: str,
    gold: Gold,
    options: Sequence[str] | None,
) -> Score:
    structures = read(answer)
    case = _case(name, gold, answer, structures, lookup)
    text, parsed = text_score(case), None if "fact" in gold else parsed_score(case)
    decisive = parsed or text or {}
    value, right = _by_table_13(decisive)
    outcome = Outcome.CORRECT if right else Outcome.WRONG
    return Score(
        outcome if decisive["attempted"] else Outcome.UNPARSEABLE,
        value,
        {**_components("text", text), **_components("parsed", parsed)},
        {"objects": _shown(structures)},
    )


def _case(name: str, gold: Gold, answer: str, structures: Objects, lookup: Lookup) -> Case:
    """What the rules compare: the authors' own gold where they published the question, else ours as they have it."""
    if published := _published(gold):
        template, answer_type, golds = published["template"], published["answer_type"], published["gold"]
    else:
        template = ""
        answer_type, golds_of = _KINDS[name]
        golds = golds_of(gold)
    return Case("", template, answer_type, golds, answer, structures, lookup)


def _published(gold: Gold) -> Mapping[str, Any]:
    published: Mapping[str, Any] = gold.get("published", {})
    return published


def _shown(structures: Any) -> list[Any]:
    """The first objects of what was read, which may be any JSON where others read it."""
    return objects_of(structures)[:MAX_SHOWN]


def _by_table_13(scores: Scores) -> tuple[float, bool]:
    """A value in [0, 1], and whether it is right: an error of at most 0.1, or an F1 of at least 0.5."""
    error = next((scores[name] for name in _ERRORS if name in scores), None)
    if error is None:
        return scores["F1"], scores["F1"] >= CORRECT_FROM
    return 1.0 - min(error, 1.0), error <= CORRECT_UP_TO


def _components(part: str, scores: Scores | None) -> dict[str, Component]:
    if scores is None:
        return {}
    attempted = scores["attempted"]
    return {
        f"{part}_{name}": Component(min(float(value), 1.0), 1.0, attempted)
        for name, value in scores.items()
        if name != "attempted"
    }


def _names(gold: Gold) -> list[dict[str, Any]]:
    return [{"poi_name": name} for name in gold["names"]]


def _locations(gold: Gold) -> list[dict[str, Any]]:
    return [
        {f"addr_{part}": words for part, words in (place.get("address") or {}).items()}
        | {"lon": place["lon"], "lat": place["lat"]}
        for place in gold["objects"]
    ]


def _numbers(ours: str, published: str, gold: Gold) -> list[dict[str, Any]]:
    """Gold's one number, or that of each place of which any is right."""
    return [{published: float(one[ours])} for one in ([gold] if ours in gold else gold["objects"])]


def _counts(gold: Gold) -> list[dict[str, Any]]:
    return [{"count": int(gold["count"])}]


def _facts(gold: Gold) -> list[dict[str, Any]]:
    fact = gold["fact"]
    value = fact["names"][0] if fact["kind"] == "name" else fact["value"]
    return [{"multihop_long_answer": f"{gold['objects'][0]['name']} {fact['attribute']}: {value}"}]


_KINDS: dict[str, tuple[str, Callable[[Gold], list[dict[str, Any]]]]] = {
    "name": ("name", _names),
    "location": ("loc", _locations),
    "angle": ("angle", partial(_numbers, "azimuth", "angle")),
    "distance": ("distance", partial(_numbers, "distance", "distance")),
    "length": ("length", partial(_numbers, "length", "length")),
    "area": ("area", partial(_numbers, "area", "area")),
    "count": ("count", _counts),
    "fact": ("external", _facts),
}
"""Our scorers that the paper has questions for: its answer type, and gold as it has it."""
