"""How the rule-based agent answers questions with options by the tool set `mapeval`.

The tools of this set tell where places are, and what is near them. Distances and directions it works out by itself, and
reads opening hours as the map writes them.
"""

from collections.abc import Callable, Generator, Mapping, Sequence

from tests.support.rule_agent_choices import Choice, letter_of_refusal, read_choice, read_options
from tests.support.rule_agent_details import (
    MOST,
    Details,
    Near,
    direction_to,
    is_open,
    metres_between,
    read_details,
    read_key,
    read_nearby,
)
from tests.support.rule_agent_journeys import read_journey, split_names
from tests.support.rule_agent_kinds import IN_PAPERS, class_of
from tests.support.rule_agent_lookup import Steps, Wish, letter_of, look_up, tell
from tests.support.rule_agent_travel import JOURNEYS


def answer_choice(said: str) -> Steps:
    """The calls that lead to the letter of an option; the letter at the end, None where it is not known."""
    if journey := read_journey(*read_options(said)):
        return (yield from JOURNEYS[journey.task](journey))
    asked = read_choice(said)
    if asked.task == "refuse":
        return letter_of_refusal(said)
    return (yield from TASKS[asked.task](asked))


def _list_around(asked: Choice) -> Generator[list[Wish], list[str], tuple[Details, list[Near]] | None]:
    """The place that is named, and the places of the kind around it, the nearest first."""
    name = asked.places[0].name
    (said,) = yield [("PlaceSearch", {"placeName": name})]
    key = read_key(said)
    if key is None:
        return None
    kind = class_of(asked.kind)
    kind = IN_PAPERS.get(kind, kind)
    details, listed = yield [
        ("PlaceDetails", {"placeId": key}),
        ("NearbySearch", {"placeId": key, "type": kind}),
    ]
    here = read_details(details)
    return None if here is None else (here, read_nearby(listed))


def _places(asked: Choice) -> Generator[list[Wish], list[str], list[Details] | None]:
    names = [one.name for one in asked.places]
    found = yield from look_up(names)
    return [found[name] for name in names] if all(name in found for name in names) else None


def _with_options(
    asked: Choice,
) -> Generator[list[Wish], list[str], tuple[list[Details], dict[str, Details]] | None]:
    """The places that are named, and by letter those that are options."""
    names = [one.name for one in asked.places]
    found = yield from look_up([*names, *asked.options.values()])
    if any(name not in found for name in names):
        return None
    options = {letter: found[name] for letter, name in asked.options.items() if name in found}
    return [found[name] for name in names], options


def _distance(asked: Choice) -> Steps:
    places = yield from _places(asked)
    if places is None:
        return None
    kilometres = metres_between(places[0].point, places[1].point) / 1000
    return min(asked.options, key=lambda one: abs(float(asked.options[one].split()[0]) - kilometres))


def _direction(asked: Choice) -> Steps:
    places = yield from _places(asked)
    if places is None:
        return None
    return letter_of(asked.options, direction_to(places[0].point, places[1].point))


def _that_way(asked: Choice) -> Steps:
    found = yield from _with_options(asked)
    if found is None:
        return None
    (here,), options = found
    return next(
        (one for one, there in options.items() if direction_to(here.point, there.point) == asked.word), None
    )


def _between(asked: Choice) -> Steps:
    found = yield from _with_options(asked)
    if found is None or not found[1]:
        return None
    (here, there), options = found

    def way(letter: str) -> float:
        stop = options[letter].point
        return metres_between(here.point, stop) + metres_between(stop, there.point)

    return min(options, key=way)


def _pair(asked: Choice) -> Steps:
    pairs = {letter: split_names(one) for letter, one in asked.options.items()}
    found = yield from look_up([name for ways in pairs.values() for way in ways for name in way])
    far = {}
    for letter, ways in pairs.items():
        for one, other in ways:
            if one in found and other in found and (found[one].name, found[other].name) == (one, other):
                far[letter] = metres_between(found[one].point, found[other].point)
    if not far:
        return None
    return (max if asked.word == "farthest" else min)(far, key=lambda letter: far[letter])


def _is_open(asked: Choice) -> Steps:
    places = yield from _places(asked)
    told = None if places is None else is_open(places[0], asked.time)
    return None if told is None else letter_of(asked.options, "Yes" if told else "No")


def _attribute(asked: Choice) -> Steps:
    places = yield from _places(asked)
    if places is None:
        return None
    words = set(asked.word.split())
    fitting = [
        value
        for name, value in places[0].lines.items()
        if words & set(name.split()) and value in asked.options.values()
    ]
    return letter_of(asked.options, fitting[0]) if fitting else None


def _ranked(asked: Choice) -> Steps:
    found = yield from _list_around(asked)
    if found is None:
        return None
    _, listed = found
    return letter_of(asked.options, listed[asked.rank - 1].name) if len(listed) >= asked.rank else None


def _with(asked: Choice) -> Steps:
    found = yield from _with_options(asked)
    if found is None or asked.wanted is None:
        return None
    (here,), options = found
    line, value = asked.wanted
    fitting = [one for one, there in options.items() if value in there.lines.get(line, "").split(";")]
    return min(fitting, key=lambda one: metres_between(here.point, options[one].point), default=None)


def _count(asked: Choice) -> Steps:
    found = yield from _list_around(asked)
    within = None if found is None else _within(asked, *found)
    return None if within is None else letter_of(asked.options, str(len(within)))


def _within(asked: Choice, here: Details, listed: Sequence[Near]) -> list[Near] | None:
    """Those within the metres; None where a list ends before."""
    within = [one for one in listed if metres_between(here.point, one.point) <= asked.metres]
    return None if len(within) == MOST else within


def _open_around(asked: Choice) -> Steps:
    found = yield from _list_around(asked)
    within = None if found is None else _within(asked, *found)
    if within is None:
        return None
    told = yield from tell([one.key for one in within])
    names = [one.name for one in within if one.key in told and is_open(told[one.key], asked.time)]
    return next((one for one, text in asked.options.items() if _lists(text, names)), None)


def _lists(text: str, names: Sequence[str]) -> bool:
    """Whether an option lists these names and no other, in any order."""
    left = text
    for name in sorted(set(names), key=len, reverse=True):
        if name not in left:
            return False
        left = left.replace(name, "", 1)
    return left.replace(" and ", "").replace(",", "").strip() == ""


TASKS: Mapping[str, Callable[[Choice], Steps]] = {
    "distance": _distance,
    "direction": _direction,
    "that_way": _that_way,
    "between": _between,
    "pair": _pair,
    "is_open": _is_open,
    "attribute": _attribute,
    "ranked": _ranked,
    "with": _with,
    "count": _count,
    "open_around": _open_around,
}
