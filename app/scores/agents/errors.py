"""What went wrong in an episode that does not end in a right answer: five classes, each with its rule. Pure.

An episode may be of several classes, or of none. The rules are conservative: each needs something that stands in the
calls or the results word for word.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.agent_tools.arguments import PLACE_ID
from app.core.identity import canonical_json
from app.core.names import normal_form
from app.scores.registry import EpisodeStep

GOLD_NOT_USED: Final = "gold_not_used"
WRONG_PLACE: Final = "wrong_place"
INVENTED_ARGUMENT: Final = "invented_argument"
RESULT_CONTRADICTED: Final = "result_contradicted"
UNREADABLE: Final = "unreadable"
CLASSES: Final = (GOLD_NOT_USED, WRONG_PLACE, INVENTED_ARGUMENT, RESULT_CONTRADICTED, UNREADABLE)

LEAST_LETTERS = 4
"""Letters that a name must have to be looked for in a result: shorter ones stand in other words."""
AGREES = 0.01
"""The part of a number by which an answer may be away from a result, since models round."""
DEGREES = 1.0
_POINT = re.compile(r"(-?[0-9]{1,3}\.[0-9]{4,15})\s*,\s*(-?[0-9]{1,3}\.[0-9]{4,15})")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"-?[0-9]{1,3}\.[0-9]+")
_IDS = re.compile(rf"\b{PLACE_ID.pattern}\b")
_COORDINATES = ("lat", "lon", "latitude", "longitude")


@dataclass(frozen=True)
class MissedEpisode:
    """An episode without a right answer: its question with what is true, the tool calls in their order, and the answer.

    `question` is the text without options. `places` are the ids of the objects that the question is proved with.
    `parsed` is what the reader found, as the scorers give it; empty without a readable answer.
    """

    question: str
    options: Sequence[str]
    gold: Mapping[str, Any]
    places: frozenset[str]
    plan: Mapping[str, Any] | None
    steps: Sequence[EpisodeStep]
    outcome: str | None
    parsed: Mapping[str, Any] = field(default_factory=dict)


def classes_of(episode: MissedEpisode) -> list[str]:
    """The classes of an episode, in the order of CLASSES."""
    rules = {
        GOLD_NOT_USED: has_seen_gold,
        WRONG_PLACE: has_wrong_place,
        INVENTED_ARGUMENT: has_invented,
        RESULT_CONTRADICTED: is_contradicted,
        UNREADABLE: is_unreadable,
    }
    return [name for name in CLASSES if rules[name](episode)]


def has_seen_gold(episode: MissedEpisode) -> bool:
    """Gold entity seen and not used: a tool's result held the id or the name of a right object, or the right option.

    What the question's text says itself does not count: a tool that repeats it has found nothing. Names count as whole
    words, regardless of case, from four letters.
    """
    asked = _words(episode.question)
    names, ids = _gold_names(episode.gold), _gold_ids(episode.gold)
    sought = {_words(name) for name in names if _is_long(name) and _words(name) not in asked}
    for step in episode.steps:
        if "error" in step.response:
            continue
        told = _words(_told(step))
        if any(name in told for name in sought):
            return True
        for place in _objects(step.response.get("result")):
            if place.get("id") in ids and _words(str(place.get("name") or place["id"])) not in asked:
                return True
    return False


def has_wrong_place(episode: MissedEpisode) -> bool:
    """Wrong place found: the search that the stored plan makes first gave another place than the question is about.

    Such a search is a call with the same query, whatever the tool is called in its set. Its first hit must be one of
    the objects that the question is proved with. Without a stored plan nothing is told.
    """
    query = next((one for one in map(_query_of, (episode.plan or {}).get("calls", ())) if one), None)
    if query is None or not episode.places:
        return False
    for step in episode.steps:
        arguments = step.request.get("arguments") or {}
        said = ", ".join(str(value) for value in arguments.values() if isinstance(value, str))
        if _words(query) not in _words(said):
            continue
        hits = (step.response.get("result") or {}).get("hits")
        if isinstance(hits, list) and hits and isinstance(hits[0], Mapping):
            return hits[0].get("id") not in episode.places
    return False


def has_invented(episode: MissedEpisode) -> bool:
    """Argument invented: an id or a point in an argument that neither the question nor an earlier result held.

    Of points, those with four decimals or more count. A coordinate was told before if an earlier number, rounded to as
    many decimals, is equal to it.
    """
    told = "\n".join((episode.question, *episode.options))
    for step in episode.steps:
        arguments = step.request.get("arguments") or {}
        said = "\n".join(_texts(arguments))
        if not set(_IDS.findall(said)) <= set(_IDS.findall(told)):
            return True
        coordinates = {one for pair in _POINT.findall(said) for one in pair} | set(_numbers(arguments))
        if coordinates and not _are_known(coordinates, told):
            return True
        told = f"{told}\n{_told(step)}"
    return False


def is_contradicted(episode: MissedEpisode) -> bool:
    """Result contradicted: the answer says something else than the last result of a tool.

    An option: the last result names exactly one of the options, and the answer is another one. A number: the last
    result has numbers of the kind that was asked for (metres, square metres, degrees, or how many there are), and the
    answer differs from each of them by more than one per cent, or one degree.
    """
    last = next((step for step in reversed(episode.steps) if "error" not in step.response), None)
    if last is None or not episode.parsed:
        return False
    if episode.options and isinstance(episode.parsed.get("index"), int):
        told = _words(_told(last))
        named = [number for number, option in enumerate(episode.options) if _words(option) in told]
        return len(named) == 1 and named[0] != episode.parsed["index"]
    result = last.response.get("result")
    for kind, value in episode.parsed.items():
        numbers = list(_results_of(kind, result))
        if numbers and isinstance(value, int | float):
            return not any(_agrees(kind, float(value), number) for number in numbers)
    return False


def is_unreadable(episode: MissedEpisode) -> bool:
    """Response unreadable: there is an answer, and the reader found no value in it."""
    return episode.outcome == "unparseable"


def _gold_names(gold: Mapping[str, Any]) -> set[str]:
    objects = [one for one in gold.get("objects", ()) if isinstance(one, Mapping)]
    names = {*gold.get("names", ()), *(one.get("name") for one in objects), gold.get("text")}
    return {name for name in names if isinstance(name, str)}


def _gold_ids(gold: Mapping[str, Any]) -> set[str]:
    objects = gold.get("objects", ())
    return {str(one.get("osm_key") if isinstance(one, Mapping) else one) for one in objects}


def _is_long(name: str) -> bool:
    return sum(map(str.isalpha, name)) >= LEAST_LETTERS


def _words(said: str) -> str:
    """A text whose words all stand between blanks, so that one text is in another where its words are."""
    words = " ".join(_WORD.findall(normal_form(said)))
    return f" {words} "


def _told(step: EpisodeStep) -> str:
    """All that a result says, as text."""
    error = step.response.get("error")
    message = error.get("message") if isinstance(error, Mapping) else None
    result = step.response.get("result")
    parts = (step.response.get("sentence"), message, None if result is None else canonical_json(result))
    return "\n".join(part for part in parts if isinstance(part, str))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """All objects in a result that have an id."""
    if isinstance(value, list):
        for one in value:
            yield from _objects(one)
    elif isinstance(value, Mapping):
        if "id" in value:
            yield value
        for one in value.values():
            yield from _objects(one)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


def _numbers(value: Any) -> Iterator[str]:
    """The coordinates that stand as numbers, with four decimals or more."""
    if isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, Mapping):
        for name, one in value.items():
            if name in _COORDINATES and isinstance(one, float) and len(repr(one).partition(".")[2]) >= 4:
                yield repr(one)
            yield from _numbers(one)


def _are_known(coordinates: set[str], told: str) -> bool:
    numbers = [float(one) for one in _NUMBER.findall(told)]
    for one in coordinates:
        decimals = len(one.partition(".")[2])
        if not any(round(number, decimals) == float(one) for number in numbers):
            return False
    return True


def _query_of(call: Any) -> str | None:
    arguments = call.get("arguments") if isinstance(call, Mapping) else None
    query = arguments.get("query") if isinstance(arguments, Mapping) else None
    return query if isinstance(query, str) else None


def _results_of(kind: str, result: Any) -> Iterator[float]:
    """The numbers of a result that are of the kind of a value that was read."""
    if not isinstance(result, Mapping):
        return
    if kind == "count" and isinstance(result.get("places"), list):
        yield float(result["total"] if isinstance(result.get("total"), int) else len(result["places"]))
    endings = {"metres": "_m", "square_metres": "_m2", "azimuth": "degrees"}
    if kind in endings:
        for name, value in result.items():
            if name.endswith(endings[kind]) and isinstance(value, int | float):
                yield float(value)


def _agrees(kind: str, said: float, told: float) -> bool:
    if kind == "azimuth":
        apart = abs(said - told) % 360
        return min(apart, 360 - apart) <= DEGREES
    return abs(said - told) <= max(AGREES * abs(told), 0.5 if kind == "count" else 0.0)
