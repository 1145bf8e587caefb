"""Second path of Closest_Pair, Farthest_Pair and Lies_Between. Metres."""

from typing import Any

from app.benchmarks.mapeval.second_path.places import check_apart, has_near_duplicate
from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import (
    compared_places,
    metres_between,
    place_called,
    told_place,
)
from app.questions.second_path.verdicts import Verdict, wrong_rule

CLOSEST = 200.0
CLEAR_METRES, CLEAR_SHARE = 32.0, 0.05
SHORTEST_WAY = 500.0
MOST_TIMES, OTHERS_TIMES = 1.2, 1.4
"""How many times as long as the straight way the way by the answer is at most, and by the others at least."""


def _clear(metres: float) -> float:
    return max(CLEAR_METRES, CLEAR_SHARE * metres)


def _pair(layers: Layers, parameters: Parameters, of_farthest: bool) -> SecondAnswer:
    """Which of the four pairs, each of two places that follow each other, is the closest or the farthest."""
    poi = layers["poi"]
    places = compared_places(layers, parameters, 8)
    pairs = [(places[number], places[number + 1]) for number in range(0, 8, 2)]
    metres = {pair: metres_between(layers, *pair)[0] for pair in pairs}
    first, second, *_ = sorted(pairs, key=metres.__getitem__, reverse=of_farthest)
    gap = abs(metres[first] - metres[second])
    refusal = first_refusal(
        (min(metres.values()) < CLOSEST, "too_close"),
        (gap < _clear(min(metres[first], metres[second])), "margin"),
    )
    texts = {pair: " and ".join(poi.rows[one].name or "" for one in pair) for pair in pairs}
    facts: dict[str, Any] = {
        "metres": {texts[pair]: metres[pair] for pair in pairs},
        "sure": {
            poi.keys[one]: max(gap, abs(metres[pair] - metres[first])) / 4 for pair in pairs for one in pair
        },
    }
    return SecondAnswer({"text": texts[first], "objects": [poi.keys[first[0]]]}, refusal, facts)


@second_path("mapeval", "Closest_Pair")
def closest_pair(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The pair with the smallest distance."""
    return _pair(layers, parameters, of_farthest=False)


@second_path("mapeval", "Farthest_Pair")
def farthest_pair(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The pair with the greatest distance."""
    return _pair(layers, parameters, of_farthest=True)


@wrong_rule("mapeval", "Closest_Pair")
def is_farther_apart(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the pair is compared, and clearly farther apart than the answer."""
    metres, right = answer.facts["metres"].get(text), answer.facts["metres"][answer.value["text"]]
    if metres is None:
        return False, "no such pair is compared"
    return metres - right >= _clear(right), f"{metres:.0f} m apart, the answer {right:.0f} m"


@wrong_rule("mapeval", "Farthest_Pair")
def is_closer_together(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the pair is compared, and clearly closer together than the answer."""
    metres, right = answer.facts["metres"].get(text), answer.facts["metres"][answer.value["text"]]
    if metres is None:
        return False, "no such pair is compared"
    return right - metres >= _clear(metres), f"{metres:.0f} m apart, the answer {right:.0f} m"


@second_path("mapeval", "Lies_Between")
def lies_between(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only one of four places that adds little to the way from the origin to the destination."""
    poi = layers["poi"]
    ends = [told_place(layers, parameters, name)[0] for name in ("origin", "destination")]
    places = compared_places(layers, parameters, 4)
    check_apart(places, *ends)
    apart, _ = metres_between(layers, *ends)
    ways = {one: sum(metres_between(layers, end, one)[0] for end in ends) for one in places}
    first, second, *_ = sorted(places, key=ways.__getitem__)
    unclear = ways[first] > MOST_TIMES * apart or ways[second] < OTHERS_TIMES * apart
    refusal = first_refusal(
        (apart < SHORTEST_WAY, "too_close"),
        (unclear, "not_one_right"),
        (has_near_duplicate(layers, places), "near_duplicate"),
    )
    gap = ways[second] - ways[first]
    facts = {
        "times": {poi.keys[one]: way / apart if apart else 0.0 for one, way in ways.items()},
        "sure": {poi.keys[one]: max(gap, way - ways[first]) / 8 for one, way in ways.items()}
        | {poi.keys[end]: gap / 8 for end in ends},
    }
    row = poi.rows[first]
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, refusal, facts)


@wrong_rule("mapeval", "Lies_Between")
def is_out_of_the_way(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and the way by it is clearly longer."""
    one = place_called(layers, text, compared_places(layers, parameters, 4))
    if one is None:
        return False, "no place of this name is compared"
    times = answer.facts["times"][layers["poi"].keys[one]]
    return times >= OTHERS_TIMES, f"the way by it is {times:.2f} times as long"
