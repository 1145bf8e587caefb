"""What the second path of several templates shares: places that are compared, and which of them may be one."""

from collections.abc import Sequence

from app.questions.second_path.answering import Refused
from app.questions.second_path.fairness import says_the_same
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import metres_between

NEAR = 50.0


def has_near_duplicate(layers: Layers, places: Sequence[int]) -> bool:
    """Whether two of the places lie within 50 m, and all words of one's name are among the other's."""
    names = {one: layers["poi"].rows[one].name or "" for one in places}
    return any(
        says_the_same(names[one], names[other]) and metres_between(layers, one, other)[0] <= NEAR
        for number, one in enumerate(places)
        for other in places[:number]
    )


def check_apart(places: Sequence[int], *ends: int) -> None:
    """Raise Refused where an end is among the places that are compared."""
    if {*places} & {*ends}:
        raise Refused("no_answer")
