"""How the rule-based agent answers MapQA's nine types of questions: from the text and from what tools say.

Its rules are patterns of everyday English. It knows no plan, no gold and no map. Metres, degrees.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.support.rule_agent import NOT_KNOWN, find_places, go_on
from tests.support.rule_agent_kinds import class_of, singular
from tests.support.rule_agent_lookup import Steps, Wish
from tests.support.rule_agent_questions import Mention
from tests.support.rule_agent_sentences import read_list, read_measure
from tests.support.turns_endpoint import Message, Turns, serving_turns

_NOTE = r"\n|\s(?:Answer (?:from|with)|Give (?:it|its|all|your)\b)"
"""Behind the question stands how to answer it."""
_MENTION = r"(.+?) \(([^()]+)\)"
_PLACE = "{place}"
_SIDE = r"(?P<side>north|east|south|west)"
_KIND = r"(?P<kind>.+?)"
_ROADS = r"(?P<one>.+?) and (?P<other>.+?)"
_KINDS_LISTED = re.compile(r"(?:count|mean): (.+?)(?:\.|\?|$)")
_SPOT = r"(-?\d+\.\d+), (-?\d+\.\d+)"
OWN_WORDS: Mapping[str, str] = {"fuel station": "fuel", "police station": "police"}


@contextmanager
def serving_amenity_agent() -> Iterator[Turns]:
    """The endpoint at work."""
    with serving_turns(say_by_rules) as turns:
        yield turns


def say_by_rules(body: dict[str, Any]) -> Message:
    """The next message of a conversation: the calls that are wanted next, or the answer."""
    messages = body["messages"]
    last = max(place for place, one in enumerate(messages) if one["role"] == "user")
    told = [one["content"] for one in messages[last:] if one["role"] == "tool"]
    steps = steps_of(messages[last]["content"])
    return {"content": NOT_KNOWN} if steps is None else go_on(steps, told)


def steps_of(said: str) -> Steps | None:
    """What it does for a question; None where no rule fits."""
    text = re.split(_NOTE, said, maxsplit=1)[0].strip()
    for pattern, task in RULES:
        found = re.search(pattern.replace(_PLACE, _MENTION), text)
        if found:
            return task(found, said)
    return None


def _mentions(found: re.Match[str]) -> list[Mention]:
    """The places in the order of the text, of groups without a name: pairs of a name and what it is."""
    named = set(found.re.groupindex.values())
    plain = [group for number, group in enumerate(found.groups(), start=1) if number not in named]
    return [Mention(name, kind) for name, kind in zip(plain[::2], plain[1::2], strict=True)]


def _where(key: str) -> Generator[list[Wish], list[str], tuple[float, float] | None]:
    (said,) = yield [("place_details", {"place": key})]
    found = re.search(rf"Location: .*?{_SPOT}\)?\.$", said, re.MULTILINE)
    return (float(found[1]), float(found[2])) if found else None


def _kind_of(words: str) -> str:
    one = re.sub(r"^places of", "place of", words)
    return OWN_WORDS.get(singular(one)) or class_of(one)


def _first_key(mentions: Sequence[Mention]) -> Generator[list[Wish], list[str], list[str] | None]:
    found = yield from find_places(mentions)
    return [hits[0].key for hits in found] if all(found) else None


def _what_it_is(found: re.Match[str], said: str) -> Steps:
    keys = yield from _first_key([Mention(found[1], None)])
    if not keys:
        return None
    (told,) = yield [("place_details", {"place": keys[0]})]
    kinds = re.search(r"^- Type: ([^,.]+)", told, re.MULTILINE)
    return kinds[1] if kinds else None


def _kinds_around(found: re.Match[str], said: str) -> Steps:
    keys = yield from _first_key(_mentions(found))
    listed = _KINDS_LISTED.search(said)
    spot = (yield from _where(keys[0])) if keys else None
    if not listed or spot is None:
        return None
    words = re.split(r", | and ", listed[1])
    told = yield [
        ("nearby", {"where": f"{spot[0]},{spot[1]}", "type": _kind_of(one), "radius_m": 100, "limit": 1})
        for one in words
    ]
    there = [word for word, one in zip(words, told, strict=True) if read_list(one)]
    return "; ".join(there) or "none"


def _places_around(found: re.Match[str], said: str) -> Steps:
    mentions = _mentions(found)
    kind = found.groupdict().get("kind") or mentions[0].kind or ""
    keys = yield from _first_key(mentions[:1])
    if not keys:
        return None
    (told,) = yield [("nearby", {"where": keys[0], "type": _kind_of(kind), "radius_m": 50})]
    return "; ".join(one.name for one in read_list(told)) or None


def _nearest(found: re.Match[str], said: str) -> Steps:
    keys = yield from _first_key(_mentions(found))
    if not keys:
        return None
    (told,) = yield [("nearby", {"where": keys[0], "type": _kind_of(found["kind"]), "limit": 1})]
    return next((one.name for one in read_list(told)), None)


def _nearest_on_side(found: re.Match[str], said: str) -> Steps:
    keys = yield from _first_key(_mentions(found))
    spot = (yield from _where(keys[0])) if keys else None
    if not keys or spot is None:
        return None
    (told,) = yield [("nearby", {"where": keys[0], "type": _kind_of(found["kind"])})]
    axis, sign = {"north": (0, 1), "south": (0, -1), "east": (1, 1), "west": (1, -1)}[found["side"]]
    for line in told.splitlines():
        listed = re.match(rf"\d+\. (.+) \([nwr]\d+\), [\d.e+]+ m, at {_SPOT}", line)
        if listed and sign * (float(listed[axis + 2]) - spot[axis]) > 0:
            return listed[1]
    return None


def _distance(found: re.Match[str], said: str) -> Steps:
    keys = yield from _first_key(_mentions(found))
    if not keys:
        return None
    (told,) = yield [("distance", {"origin": keys[0], "destination": keys[1]})]
    metres = read_measure(told, " is")
    return None if metres is None else f"{metres} m"


def _closer(found: re.Match[str], said: str) -> Steps:
    """The anchor is the first or the last of the three places."""
    mentions = _mentions(found)
    anchor = 0 if found.groupdict().get("first") is not None else 2
    keys = yield from _first_key(mentions)
    if not keys:
        return None
    others = [place for place in range(3) if place != anchor]
    told = yield [("distance", {"origin": keys[anchor], "destination": keys[one]}) for one in others]
    far = [
        (read_measure(one, " is") or 0.0, mentions[place].name)
        for place, one in zip(others, told, strict=True)
    ]
    return min(far)[1]


def _at_crossing(found: re.Match[str], said: str) -> Steps:
    (told,) = yield [("intersection_of", {"street": found["one"], "other": found["other"]})]
    spot = re.search(rf" meet at {_SPOT}", told)
    if not spot:
        return None
    (told,) = yield [
        ("nearby", {"where": f"{spot[1]},{spot[2]}", "type": _kind_of(found["kind"]), "limit": 1})
    ]
    return next((one.name for one in read_list(told)), None)


Task = Callable[[re.Match[str], str], Steps]
_OF_TASK: Mapping[Task, Sequence[str]] = {
    _at_crossing: (
        rf"^Which {_KIND} (?:is nearest|lies closest) to the (?:junction|intersection) of {_ROADS}\?$",
        rf"^What is the name of the {_KIND} closest to where {_ROADS} meet\?$",
        rf"^(?:From the c|C)orner of {_ROADS}(?:, which |: nearest ){_KIND}(?: has the shortest distance|, straight line)\?$",
        rf"^I'm where {_ROADS} meet\. Which {_KIND} is closest",
        rf"^Nearest {_KIND} to the crossing of {_ROADS}\?$",
    ),
    _what_it_is: (
        r"^Which kind of amenity is (.+)\?$",
        r"^What (?:sort of )?amenity (?:can be found|would I find) at (.+)\?$",
        r"^As which amenity is (.+) mapped\?$",
        r"^(.+) is an amenity\. Of which kind is it\?$",
        r"^What is (.+), what kind of amenity\?$",
        r"^(.+): which amenity is that\?$",
    ),
    _kinds_around: (
        rf"^(?:Which|List the|What) kinds of amenities .*?(?:metres of|m of|around|metres from) {_PLACE}",
        rf"^(?:I stand at|At|100 m around) {_PLACE}.* amenities",
    ),
    _places_around: (
        rf"(?:same kind lie within 50 metres of|at most 50 metres from|this kind within 50 metres of) {_PLACE}",
        rf"^{_PLACE}(?:: which others| is full)",
        rf"^(?:Others of the same kind within 50 m of|All other places like) {_PLACE}",
        rf"^(?:Which|Any|Name all|What is the name of every|What) {_KIND} (?:(?:are )?next to|within 50 metres of|neighbour|right by"
        rf"|are right beside|are within 50 m of) {_PLACE}",
    ),
    _nearest: (
        rf"^Which {_KIND} is nearest to the centre of {_PLACE}\?$",
        rf"^What is the name of the {_KIND} closest to the middle of {_PLACE}\?$",
        rf"^(?:From|Standing at) the centre of {_PLACE}, which {_KIND} (?:has the shortest|is closest)",
        rf"^I am in the middle of {_PLACE}\. What is the nearest {_KIND} called\?$",
        rf"^(?:Nearest|Closest) {_KIND} (?:from the middle|to the centre) of {_PLACE}",
    ),
    _nearest_on_side: (
        rf"^Which {_KIND} is nearest to {_PLACE} among those {_SIDE} of it\?$",
        rf"^Looking only {_SIDE} of {_PLACE}, which {_KIND} is the nearest\?$",
        rf"^I'm at {_PLACE} and go only {_SIDE}\. Nearest {_KIND} on that side",
        rf"^(?:What is the name of the closest|Of all|Closest|Nearest) {_KIND}(?: in the whole half of the map)? {_SIDE} of {_PLACE}",
    ),
    _closer: (
        rf"^Which is closer to (?P<first>){_PLACE}: {_PLACE} or {_PLACE}\?$",
        rf"^What's closer to (?P<first>){_PLACE} as the crow flies, {_PLACE} or {_PLACE}\?$",
        rf"^At (?P<first>){_PLACE}: is {_PLACE} or {_PLACE} nearer",
        rf"^Is {_PLACE} or {_PLACE} nearer to {_PLACE}\?$",
        rf"^Of {_PLACE} and {_PLACE}, which one lies closer to {_PLACE}\?$",
        rf"^Which of the two, {_PLACE} or {_PLACE}, has the shorter distance to {_PLACE}\?$",
        rf"^{_PLACE} or {_PLACE}, which is nearer to {_PLACE} in a straight line\?$",
    ),
    _distance: (
        rf"^How many metres is {_PLACE} away from {_PLACE}\?$",
        rf"^What is the distance between {_PLACE} and {_PLACE} in metres\?$",
        rf"^How far is it in a straight line from {_PLACE} to {_PLACE}\?$",
        rf"^Give the distance from {_PLACE} to {_PLACE} in metres",
        rf"^How far is {_PLACE} from {_PLACE}, straight line\?$",
        rf"^{_PLACE} to {_PLACE} as the crow flies, how far\?$",
        rf"^Distance {_PLACE} to {_PLACE}, in a straight line\?$",
    ),
}  # fmt: skip
RULES = [(pattern, task) for task, patterns in _OF_TASK.items() for pattern in patterns]
