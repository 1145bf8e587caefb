"""A chat endpoint that plays a model by rules: it reads the question, calls tools, reads their sentences, and answers.

It was written from texts of questions and from the tools alone: it knows no plan, no gold and no map. It keeps no state:
each request is answered from its messages, by going through the same steps again with the results that stand there.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.support.rule_agent_kinds import class_of, fits_kind
from tests.support.rule_agent_questions import Asked, Mention, read_question
from tests.support.rule_agent_sentences import (
    MORE,
    Hit,
    Listed,
    read_alike,
    read_degrees,
    read_hits,
    read_list,
    read_measure,
    read_regions,
    read_total,
    says_open,
)
from tests.support.rule_agent_set import Steps, Wish, answer_choice
from tests.support.turns_endpoint import Message, Turns, calling, serving_turns

NOT_KNOWN = "I do not know"
STEM = 4
"""Letters that two words for the same kind have in common at least: `doctor`, `doctors`."""


@contextmanager
def serving_rule_agent() -> Iterator[Turns]:
    """The endpoint at work."""
    with serving_turns(say_by_rules) as turns:
        yield turns


def say_by_rules(body: dict[str, Any]) -> Message:
    """The next message of a conversation: the calls that are wanted next, or the answer."""
    messages = body["messages"]
    last = max(place for place, one in enumerate(messages) if one["role"] == "user")
    told = [one["content"] for one in messages[last:] if one["role"] == "tool"]
    steps = _steps_of(messages[last]["content"], {one["function"]["name"] for one in body.get("tools", [])})
    return {"content": NOT_KNOWN} if steps is None else go_on(steps, told)


def _steps_of(said: str, tools: set[str]) -> Steps | None:
    """What it does with the tools that it is given: those of the set `mapeval`, or all."""
    if "PlaceSearch" in tools:
        return answer_choice(said)
    asked = read_question(said)
    return None if asked is None else TASKS[asked.task](asked)


def go_on(steps: Steps, told: Sequence[str]) -> Message:
    try:
        wishes = next(steps)
        while len(told) >= len(wishes):
            results, told = list(told[: len(wishes)]), told[len(wishes) :]
            wishes = steps.send(results)
    except StopIteration as end:
        return {"content": NOT_KNOWN if end.value is None else end.value}
    return calling(*wishes)


def find_places(mentions: Sequence[Mention]) -> Generator[list[Wish], list[str], list[list[Hit]]]:
    """For each mention the places that it can mean, the most probable first."""
    found = yield [("place_search", {"query": one.name, "limit": 10}) for one in mentions]
    return [_best(one, read_hits(sentence)) for one, sentence in zip(mentions, found, strict=True)]


def _best(mention: Mention, hits: list[Hit]) -> list[Hit]:
    sure = [one for one in hits if one.name.casefold() == mention.name.casefold()]
    sure = sure or [one for one in hits if one.sure == "exact"] or hits[:1]
    return sorted(sure, key=lambda one: not fits_kind(mention.kind, one.kind))


def _measure_two(asked: Asked, tool: str) -> Generator[list[Wish], list[str], str | None]:
    starts, ends = yield from find_places(asked.places)
    if not starts or not ends:
        return None
    (said,) = yield [(tool, {"origin": starts[0].key, "destination": ends[0].key})]
    return said


def _distance(asked: Asked) -> Steps:
    said = yield from _measure_two(asked, "distance")
    metres = read_measure(said or "", " is")
    return None if metres is None else f"{metres:.1f} m"


def _bearing(asked: Asked) -> Steps:
    said = yield from _measure_two(asked, "bearing")
    degrees = read_degrees(said or "")
    return None if degrees is None else f"{degrees:.1f} degrees"


def _of_kind(tool: str, kind: str, **more: Any) -> Generator[list[Wish], list[str], str]:
    """What a tool tells of places of a kind; where the map has a class that begins alike, that one is tried."""
    wanted = {"type": class_of(kind), **more}
    (said,) = yield [(tool, wanted)]
    alike = [one for one in read_alike(said) if one[:STEM] == wanted["type"][:STEM]]
    if alike:
        (said,) = yield [(tool, wanted | {"type": alike[0]})]
    return said


def _nearest(asked: Asked) -> Steps:
    (found,) = yield from find_places(asked.places)
    here: Hit | Listed | None = found[0] if found else None
    for kind in asked.kinds:
        if here is None:
            return None
        said = yield from _of_kind("nearby", kind, where=here.key, limit=5)
        here = next((one for one in read_list(said) if one.has_name or kind != asked.kinds[-1]), None)
    return None if here is None else here.name


def _count_around(asked: Asked) -> Steps:
    (found,) = yield from find_places(asked.places)
    if not found:
        return None
    said = yield from _of_kind("nearby", asked.kinds[0], where=found[0].key, radius_m=asked.metres)
    return None if MORE in said else str(len(read_list(said)))


def _count_in(asked: Asked) -> Steps:
    (found,) = yield from find_places(asked.places)
    if not found:
        return None
    said = yield from _of_kind("places_in", asked.kinds[0], area=found[0].key, limit=1)
    total = read_total(said)
    return None if total is None else str(total)


def _area(asked: Asked) -> Steps:
    (found,) = yield from find_places(asked.places)
    for hit in found[:5]:
        (said,) = yield [("area_of", {"place": hit.key})]
        size = read_measure(said, "has an area of")
        if size is not None:
            return f"{size:.0f} m2"
    return None


def _tell_options(
    asked: Asked, tool: str, argument: str, **more: Any
) -> Generator[list[Wish], list[str], list[tuple[str, str]]]:
    """The letter of each option with what a tool tells of it; twice where two places can be meant."""
    found = yield from find_places([Mention(name, None) for name in asked.options.values()])
    keys = [(letter, hit.key) for letter, hits in zip(asked.options, found, strict=True) for hit in hits[:2]]
    told = yield [(tool, {argument: key, **more}) for _, key in keys]
    return [(letter, said) for (letter, _), said in zip(keys, told, strict=True)]


def _nearest_option(asked: Asked) -> Steps:
    (here,) = yield from find_places(asked.places)
    if not here:
        return None
    told = yield from _tell_options(asked, "distance", "destination", origin=here[0].key)
    far = [(metres, letter) for letter, said in told if (metres := read_measure(said, " is")) is not None]
    return min(far)[1] if far else None


def _open_option(asked: Asked) -> Steps:
    told = yield from _tell_options(asked, "open_at", "place", time=asked.time)
    return next((letter for letter, said in told if says_open(said)), None)


def _option_in(asked: Asked) -> Steps:
    told = yield from _tell_options(asked, "place_details", "place")
    region = asked.places[0].name.casefold()
    return next((one for one, said in told if region in map(str.casefold, read_regions(said))), None)


TASKS = {
    "distance": _distance,
    "bearing": _bearing,
    "nearest": _nearest,
    "count_around": _count_around,
    "count_in": _count_in,
    "area": _area,
    "nearest_option": _nearest_option,
    "open": _open_option,
    "option_in": _option_in,
}
