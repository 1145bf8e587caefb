"""Second path of Open_At and Attribute_Of, which stand on what tags say of one place."""

from datetime import datetime
from weakref import WeakKeyDictionary

from app.questions.second_path.answering import (
    Parameters,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.hours import state_on
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

SOON = 10
GENERAL = frozenset(
    "asian european fusion international local mediterranean multi regional western other various traditional".split()
) | {"fine dining"}
ASKED = ("brand", "cuisine", "religion", "smoking", "sport", "stars", "wheelchair")

_told: WeakKeyDictionary[Layer, dict[str, set[str]]] = WeakKeyDictionary()


@second_path("mapeval", "Open_At")
def open_at(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """Whether the place is open."""
    position, *_ = told_place(layers, parameters, "place")
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    is_open, change = state_on(layers["poi"].rows[position].tags.get("opening_hours", ""), moment)
    return SecondAnswer({"text": "Yes" if is_open else "No"}, first_refusal((change < SOON, "changes_soon")))


@wrong_rule("mapeval", "Open_At")
def is_the_opposite(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is the other one of yes and no."""
    return {text, answer.value["text"]} == {"Yes", "No"}, f"the answer is {answer.value['text']}"


def _in_words(value: str) -> str:
    return " ".join(value.replace("_", " ").split())


def _values(layer: Layer) -> dict[str, set[str]]:
    """What any place of the layer is told to have, by attribute, in words."""
    if layer not in _told:
        found: dict[str, set[str]] = {key: set() for key in ASKED}
        for row in layer.rows:
            for key in ASKED:
                found[key].add(_in_words(row.tags.get(key, "")))
        _told[layer] = found
    return _told[layer]


@second_path("mapeval", "Attribute_Of")
def attribute_of(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """What the tag says, where that is one thing and not vague."""
    position, *_ = told_place(layers, parameters, "place")
    value = _in_words(layers["poi"].rows[position].tags.get(parameter(parameters, "attribute", str), ""))
    refusal = first_refusal(
        (not value, "no_answer"),
        (";" in value, "several_values"),
        (value.casefold() in GENERAL, "vague_value"),
    )
    return SecondAnswer({"text": value}, refusal)


@wrong_rule("mapeval", "Attribute_Of")
def is_told_of_others(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the map tells this of other places, and another thing of this one."""
    told = _values(layers["poi"]).get(parameter(parameters, "attribute", str), set())
    if text not in told or text.casefold() in GENERAL:
        return False, "the map tells this of no place, or it is vague"
    return text.casefold() != answer.value["text"].casefold(), f"the map tells {answer.value['text']!r}"
