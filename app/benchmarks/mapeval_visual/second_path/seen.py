"""What the second path may speak of: objects that the picture is said to show, if the map has them."""

from collections.abc import Sequence

from app.benchmarks.mapeval_visual.second_path.symbols import read_symbols
from app.questions.second_path.answering import Parameters, Refused, parameter
from app.questions.second_path.layers import Layers

FOUR = 4


def seen_place(layers: Layers, parameters: Parameters, name: str) -> int:
    """The position of the place that a parameter means; raises Refused where its name is not written."""
    key = parameter(parameters, name, str)
    return _position(layers, parameters, key)


def four_places(layers: Layers, parameters: Parameters) -> list[int]:
    """The positions of the four places that are compared; raises Refused for others than four that are named."""
    keys = list(dict.fromkeys(parameter(parameters, "places", list)))
    if len(keys) != FOUR:
        raise Refused("bad_parameters", parameter="places", found=keys)
    return [_position(layers, parameters, key) for key in keys]


def _position(layers: Layers, parameters: Parameters, key: str) -> int:
    position = layers["poi"].position.get(key)
    if position is None or key not in parameter(parameters, "labelled", list):
        raise Refused("no_answer", osm_key=key)
    return position


def symbol_name(classes: Sequence[str]) -> str | None:
    """The symbol of the first class that has one, or stands for a key that has one; None where none has."""
    table = read_symbols().items()
    for one in classes:
        for name, symbol in table:
            if one in symbol["classes"]:
                return name
        if any(one in symbol.get("keys", ()) for _, symbol in table):
            return None
    return None


def place_named(layers: Layers, text: str, compared: Sequence[int]) -> int | None:
    """The position of the one place among those compared that has this name."""
    found = [one for one in compared if " ".join((layers["poi"].rows[one].name or "").split()) == text]
    return found[0] if len(found) == 1 else None
