"""How the rule-based agent reads a question with options about a route or a trip: what is asked, and of which places.

Such a question says how one travels. Its rules were written from questions as a run shows them, and know no template.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.support.rule_agent_choices import RANKS, read_time

ARROW = " → "
_MODES: Mapping[str, str] = {
    r"\bby car\b|\b[Dd]riv(?:e|es|ing)\b": "driving",
    r"\bby bicycle\b|\bcycling\b": "bicycling",
    r"\bon foot\b|\bwalking\b": "walking",
}
_BY = r"(?:by car|by bicycle|on foot)"
_RANK = re.compile(rf"\bthe ({'|'.join(RANKS)})\b|\bis the ({'|'.join(RANKS)})\b")
_ROUTE = re.compile(
    r"(?:\b[Ff]rom|^Fastest drive) (?P<here>.+?) \([^()]+\) to (?P<there>.+?) \([^()]+\)(?=[?.,:]|$| |\Z)"
)
_CHAIN = re.compile(
    rf"\b[Ff]rom (?P<chain>.+?)(?:,? {_BY}\b| if I |, (?:in minutes|in this order|if |with |staying |always |all |by the |and stay )"
    r"| and stay |\. (?:At each|It starts|How |I need|I must)|\?|\.?$)"
)
_WAY = re.compile(
    rf"\b[Ff]rom (?P<here>.+?) to (?P<there>.+?)(?:,? (?:the (?:fastest|quickest)|fastest|quickest|{_BY}|slight|how many|one follows"
    r"|and passes|via |what)\b|\. How |\?|\.?$)"
)
_KIND = re.compile(r" \([^()]+\)(?! \()")
"""What a text says in brackets behind the name of a place; brackets before these are part of the name."""
_FOLLOWED = [
    r"\bone follows (.+?)\. What\b",
    r"\bfollowing (.+?)(?:, what\b|\?)",
    r"\bAfter (.+?), which way\b",
    r"\bafter (.+?)\?",
]
_COUNTED: Mapping[str, str] = {
    r"\broundabouts?\b": "roundabout",
    r"\bleft\b": "left",
    r"\bright\b": "right",
}
_TO_NEXT = re.compile(r"(?:,| and) then to ")
_STARTS = [
    rf"^Going {_BY} from (.+?), which\b",
    rf"^From (.+?) {_BY}, which\b",
    rf"\bthe fastest way {_BY} from (.+?)\?",
    rf"\bI start at (.+?) and travel {_BY}\b",
    rf"^Starting at (.+?), {_BY}\b",
    rf"\bI(?:'m| am) at (.+?), going {_BY}\b",
]
_DAY = r",? on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
_LEFT = [
    rf"\bset out {_BY} from (.+?){_DAY}",
    rf"\b(?:[Ss]etting out|start|leave|starting|leaving) from (.+?){_DAY}",
    rf"\bI(?:'m| am) at (.+?), leaving{_DAY}",
    rf"\b(?:[Ll]eaving|I leave) (.+?){_DAY}",
]
_MEETINGS = [
    r"\b(?:start|are) at (.+? and .+?)(?:,? and want| at the same time|, both)\b",
    r"\bWe are two, at (.+? and .+?), (?:by|on)\b",
    r"^From (.+? and .+?), two people\b",
    rf"\b{_BY} from (.+? and .+?), both\b",
]
_STAY = [
    r"\bstay(?:s|ing)?(?: of| for)? (\d+) minutes",
    r"\bwant to spend (\d+) minutes",
    r"\bfor (\d+) minutes",
    r"\b(\d+) minutes (?:per place|at each|at every|each place|somewhere)",
    r"\b[Ww](?:ant|ith|eed) (\d+) minutes (?:at|some)",
]
_BUDGET = [
    r"\bafter (?P<all>{0})",
    r"\bI have (?P<all>{0}) in all",
    r"\b[Ww]ith (?P<all>{0}) in all",
    r"\b(?:fit|fits) into (?P<all>{0})",
    r"\bI(?:'ve got| have) (?P<all>{0})",
    r"\bOnly (?P<all>{0}) left",
]
_LENGTH = r"\d+ (?:hours?|minutes)(?: and \d+ minutes)?"
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})\b")


@dataclass(frozen=True)
class Journey:
    """A question about a route or a trip as it was understood. `task` names what is asked, `mode` is one of the tools'.

    `stops` are names in the order of the journey, with its start; where a text leaves open where a name ends, each of
    `splits` is a way to read them. `rank` is 1 for the first. `stay` and `budget` are minutes, `clock` minutes after
    midnight, and `time` a local time as ISO writes it. `word` is the road that is followed, or what is counted.
    """

    task: str
    options: dict[str, str]
    mode: str
    stops: tuple[str, ...] = ()
    splits: tuple[tuple[str, ...], ...] = ()
    rank: int = 1
    stay: int = 0
    budget: int = 0
    clock: int = 0
    time: str = ""
    word: str = ""


def read_journey(text: str, options: dict[str, str]) -> Journey | None:
    """What is asked; None where no rule knows."""
    told, text = text, _KIND.sub("", text)
    mode = next((mode for pattern, mode in _MODES.items() if re.search(pattern, text)), None)
    if mode is None:
        return None
    words = list(options.values())
    if all(ARROW in one for one in words):
        return _read_order(text, options, mode)
    if all(re.fullmatch(r"\d+ minutes?", one) for one in words):
        return _read_chain("minutes", text, options, mode)
    if all(_CLOCK.fullmatch(one) for one in words):
        return _read_clock(text, options, mode)
    if all(one.isdecimal() for one in words) and (counted := _read_count(text, options, mode)):
        return counted
    if all(one.isdecimal() for one in words):
        return _read_budget(text, options, mode)
    return _read_places(text, told, options, mode)


def _read_places(text: str, told: str, options: dict[str, str], mode: str) -> Journey | None:
    time = read_time(text)
    if time and (found := _first(_LEFT, text)):
        stay = _minutes(_STAY, text)
        return None if stay is None else Journey("visit", options, mode, (found[1],), stay=stay, time=time)
    if found := _WAY.search(text):
        ends = (found["here"], found["there"])
        followed = _first(_FOLLOWED, text)
        if followed and all(re.search(r" onto |^Turn |^Continue ", one) for one in options.values()):
            return Journey("next_step", options, mode, ends, word=followed[1])
        if re.search(r"\b[Vv]ia\b|\b[Bb]y way of\b|\bpass(?:es|ing)?\b|\bon the way\b", text):
            is_length = re.search(r"\bkm\b|\bkilomet", text, re.IGNORECASE)
            return Journey("shortest_via" if is_length else "fastest_via", options, mode, ends)
    if re.search(r"\broads?\b", text) and (found := _ROUTE.search(told)):
        rank = _RANK.search(text)
        ends = (found["here"], found["there"])
        return rank and Journey("road", options, mode, ends, rank=RANKS.index(rank[1] or rank[2]) + 1)
    if found := _first(_MEETINGS, text):
        return Journey("meeting", options, mode, splits=split_names(found[1]))
    if found := _first(_STARTS, text):
        return Journey("quickest", options, mode, (found[1],))
    return None


def _read_count(text: str, options: dict[str, str], mode: str) -> Journey | None:
    """How many turns to one side, or roundabouts, a way has."""
    found = _WAY.search(text)
    word = next((word for pattern, word in _COUNTED.items() if re.search(pattern, text)), None)
    if not found or word is None or not re.search(r"\bturns?\b|\broundabouts?\b", text):
        return None
    return Journey("count", options, mode, (found["here"], found["there"]), word=word)


def _read_order(text: str, options: dict[str, str], mode: str) -> Journey | None:
    names = {name for one in options.values() for name in one.split(ARROW)}
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    found = re.search(rf"\b[Ff]rom (.+?) to (?:{listed})\b", text)
    return found and Journey("order", options, mode, (found[1],))


def _read_chain(
    task: str, text: str, options: dict[str, str], mode: str, stay: int = 0, budget: int = 0, clock: int = 0
) -> Journey | None:
    found = _CHAIN.search(text)
    if not found:
        return None
    first, *others = _TO_NEXT.split(found["chain"])
    start, to, stop = first.partition(" to ")
    stops = (start, stop, *others)
    return Journey(task, options, mode, stops, stay=stay, budget=budget, clock=clock) if to else None


def _read_clock(text: str, options: dict[str, str], mode: str) -> Journey | None:
    clock, stay = _CLOCK.search(text), _minutes(_STAY, text)
    if not clock or stay is None:
        return None
    is_end = re.search(r"\b(?:latest|have to be|must be|have to leave|be there by)\b", text, re.IGNORECASE)
    task = "departure" if is_end else "arrival"
    return _read_chain(task, text, options, mode, stay, clock=int(clock[1]) * 60 + int(clock[2]))


def _read_budget(text: str, options: dict[str, str], mode: str) -> Journey | None:
    found = _first((one.format(_LENGTH) for one in _BUDGET), text)
    stay = _minutes(_STAY, text)
    if not found or stay is None:
        return None
    numbers = re.findall(r"(\d+) (hour|minute)", found["all"])
    budget = sum(int(number) * (60 if unit == "hour" else 1) for number, unit in numbers)
    return _read_chain("budget", text, options, mode, stay, budget)


def split_names(both: str) -> tuple[tuple[str, ...], ...]:
    """The ways to read two names out of `A and B`; more than one where a name has the word `and`."""
    parts = both.split(" and ")
    return tuple((" and ".join(parts[:cut]), " and ".join(parts[cut:])) for cut in range(1, len(parts)))


def _minutes(patterns: Iterable[str], text: str) -> int | None:
    found = _first(patterns, text)
    return int(found[1]) if found else None


def _first(patterns: Iterable[str], text: str) -> re.Match[str] | None:
    return next((found for one in patterns if (found := re.search(one, text))), None)
