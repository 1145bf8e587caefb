"""How the rule-based agent reads a question with options: what is asked, of which places, kinds and time.

Its rules are patterns of English, precise and everyday. They were written from questions as a run shows them, and know
no template. What an option looks like tells as much as the text: kilometres, main directions, pairs of places.
"""

import re
from calendar import month_name
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.support.rule_agent_questions import Mention

REFUSAL = "This question cannot be answered"
_OPTION = re.compile(r"^([A-Z])\) (.+)$", re.MULTILINE)
_NOTES = re.compile(
    r"\s(?:Answer from|Distances are|The (?:time|direction) is|If these data|Only (?:ones|those) with|Just the ones)\b.*",
    re.DOTALL,
)
_PLACE = r"(?P<{0}>.+?) \((?P<{0}_kind>[^()]+)\)"
_HERE, _THERE = _PLACE.format("here"), _PLACE.format("there")
_END = r"(?=[?.,]|$| in | as the | with | by way )"
_TIME = re.compile(r"(\d{1,2}) (\w+) (\d{4}),? at (\d{1,2}:\d{2})")
_TWO = [
    rf"\bbetween {_HERE} and {_THERE}{_END}",
    rf"\bis it from {_HERE} to {_THERE}{_END}",
    rf"\b(?:[Gg]o|[Gg]oing|way) from {_HERE} to {_THERE}{_END}",
    rf"\b[Ww]hich way is {_THERE} from {_HERE}{_END}",
    rf"\bdoes {_THERE} lie from {_HERE}{_END}",
    rf"\bHow far(?:, in kilometres,)? is {_THERE} from {_HERE}{_END}",
    rf"\bI(?:'m| am) at {_HERE}\. How far away is {_THERE}{_END}",
    rf"\bI(?:'m| am) at {_HERE}\. Do I head .*? to get to {_THERE}{_END}",
    rf"\bStanding at {_HERE}, which way do I look to see {_THERE}{_END}",
    rf"\bI stand at {_HERE} and look towards {_THERE}{_END}",
    rf"\bSeen from {_HERE}, in which main direction is {_THERE}{_END}",
    rf"^{_THERE}, which direction from {_HERE}{_END}",
    rf"^{_HERE} to {_THERE}{_END}",
]
"""Two places; a direction is asked from `here` to `there`."""
_DIRECTION = r"(?P<direction>north|east|south|west)"
_THAT_WAY = [
    rf"\b{_DIRECTION} of {_HERE}{_END}",
    rf"\bI(?:'m| am) at {_HERE} looking {_DIRECTION}\b",
    rf"\bHeading {_DIRECTION} from {_HERE}{_END}",
    rf"\bSeen from {_HERE}, which of these places is in the {_DIRECTION}\b",
]
_KIND = r"(?P<kind>[\w'’ -]+?)"
_WITHIN = r"(?P<number>[\d.,]+) ?(?P<unit>km|m)"
_AROUND = [
    rf"\b(?:Number|number) of {_KIND} within {_WITHIN} (?:of|from) {_HERE}{_END}",
    rf"\bHow many {_KIND} (?:are there )?within {_WITHIN} (?:of|from) {_HERE}{_END}",
    rf"\b(?:I(?:'m| am) at|Staying near) {_HERE}[,.] [Hh]ow many {_KIND} (?:(?:are there )?in a radius of|are at most) {_WITHIN}\b",
]
_OPEN_AROUND = [
    rf"\b[Ww]hich {_KIND} can I go to on .*?, at most {_WITHIN} from {_HERE}{_END}",
    rf"\bI(?:'m| am) at {_HERE}[,.] [Ww]hich {_KIND} (?:within|that are at most) {_WITHIN}\b",
    rf"\bWhich {_KIND} are open on .*? within {_WITHIN} of {_HERE}{_END}",
    rf"\b(?:Which|List all) {_KIND} within {_WITHIN} of {_HERE}(?: are| that are)",
]
RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_RANK = rf"(?P<rank>{'|'.join(RANKS[1:])})"
_NEAR = r"(?:nearest|closest)"
_RANKED = [
    rf"\b[Ll]ooking for an? {_KIND} near {_HERE}\. Which one is the {_RANK} {_NEAR}",
    rf"\bthe {_RANK} {_NEAR} {_KIND} (?:to|from) {_HERE}{_END}",
    rf"^The {_RANK} {_NEAR} {_KIND} (?:to|from) {_HERE}{_END}",
    rf"\bI(?:'m| am) at {_HERE} and want an? {_KIND}, but .*? the {_RANK} {_NEAR}",
    rf"\bIf the {_KIND} are ordered by their distance from {_HERE}, the nearest first, which one is the {_RANK}\b",
    rf"\bOf all {_KIND} on the map, which one is the {_RANK} {_NEAR} to {_HERE}{_END}",
    rf"\bWhich {_KIND} has the {_RANK} shortest distance to {_HERE}{_END}",
]
_NEAREST = [
    rf"\bNeed an? {_KIND} (?:near|close to) {_HERE}, (?:which is )?the {_NEAR}",
    rf"\bAt {_HERE} right now, which {_KIND} is {_NEAR}",
    rf"^(?:The )?[Cc]losest {_KIND} to {_HERE}{_END}",
    rf"\bI'm staying near {_HERE} and looking for an? {_KIND}\. Which one is {_NEAR}",
    rf"\bI(?:'m| am) at {_HERE} and look for an? {_KIND}\. Which one is the {_NEAR}",
    rf"\bI(?:'m| am) at {_HERE}, where's the {_NEAR} {_KIND}, straight",
    rf"\bI(?:'m| am) at {_HERE}\. Which {_KIND} is the {_NEAR}",
    rf"\bAny {_KIND} near {_HERE}\? Which one is {_NEAR}",
    rf"\b[Ww]hich {_KIND} is {_NEAR} to {_HERE}{_END}",
    rf"\bOf all {_KIND} on the map, which one has the shortest distance to {_HERE}{_END}",
]
_OPEN = [
    rf"^(?:By its opening hours, is|Is|Can I still visit|Thinking of going to|I want to go to) {_HERE} (?:open )?on ",
    rf"^{_HERE} on ",
]
_ATTRIBUTES = [
    rf"^{_HERE}, what (?P<attribute>[\w ]+)",
    rf"^Want to go to {_HERE}\. What's the (?P<attribute>[\w ]+?) there",
    rf"\bthe (?P<attribute>[\w ]+?) of {_HERE}{_END}",
    rf"^What (?P<attribute>[\w ]+?) does {_HERE} have",
]
_FILTERS: Mapping[str, tuple[str, str]] = {
    r" with wheelchair access$": ("wheelchair", "yes"),
    r" with (\w+) cuisine$": ("cuisine", r"\1"),
    r" serving (\w+)$": ("cuisine", r"\1"),
    r" with Wi-Fi$": ("internet access", "wlan"),
    r" with outdoor seating$": ("outdoor seating", "yes"),
}
"""Words behind a kind, and the line of a place's details that they ask for."""


@dataclass(frozen=True)
class Choice:
    """A question with options as it was understood. `task` names what is asked; `time` is local, as ISO writes it.

    `wanted` is a line of details and the value that it must have, `rank` is 1 for the nearest.
    """

    task: str
    options: dict[str, str]
    places: tuple[Mention, ...] = ()
    kind: str = ""
    rank: int = 1
    metres: float = 0.0
    time: str = ""
    word: str = ""
    wanted: tuple[str, str] | None = field(default=None)


def read_choice(said: str) -> Choice:
    """What is asked. What no rule knows cannot be answered by a map: the task is `refuse`."""
    text, named = read_options(said)
    return _read_by_options(text, named) or _read_by_text(text, named) or Choice("refuse", named)


def read_options(said: str) -> tuple[str, dict[str, str]]:
    """The text of a question without its notes, and by letter the options that name an answer."""
    options = {one[1]: one[2].strip() for one in _OPTION.finditer(said)}
    text = _NOTES.sub("", said.split("\n\nA) ")[0]).strip()
    return text, {letter: one for letter, one in options.items() if one != REFUSAL}


def letter_of_refusal(said: str) -> str | None:
    """The letter of the option that a question cannot be answered."""
    return next((one[1] for one in _OPTION.finditer(said) if one[2].strip() == REFUSAL), None)


def _read_by_options(text: str, options: dict[str, str]) -> Choice | None:
    words = set(options.values())
    if words <= {"Yes", "No"} and (found := _first(_OPEN, text)):
        return Choice("is_open", options, _mentions(found), time=read_time(text))
    if words <= {"north", "east", "south", "west"} and (found := _first(_TWO, text)):
        return Choice("direction", options, _mentions(found))
    if all(re.fullmatch(r"[\d.]+ km", one) for one in words) and (found := _first(_TWO, text)):
        return Choice("distance", options, _mentions(found))
    if all(one.isdecimal() for one in words) and (found := _first(_AROUND, text)):
        return Choice("count", options, _mentions(found), found["kind"], metres=_metres(found))
    if "pair" in text and all(" and " in one for one in words):
        is_far = re.search(r"farthest|greatest|as far from", text) is not None
        return Choice("pair", options, word="farthest" if is_far else "nearest")
    return None


def _read_by_text(text: str, options: dict[str, str]) -> Choice | None:
    if _TIME.search(text):
        found = _first(_OPEN_AROUND, text)
        if not found:
            return None
        more = {"metres": _metres(found), "time": read_time(text)}
        return Choice("open_around", options, _mentions(found), found["kind"], **more)
    if found := _first(_THAT_WAY, text):
        return Choice("that_way", options, _mentions(found), word=found["direction"])
    if re.search(r"between|with one stop|on the way|(?:is the|By) way|is the way|by way of", text) and (
        found := _first(_TWO, text)
    ):
        return Choice("between", options, _mentions(found))
    if found := _first(_RANKED, text):
        return Choice("ranked", options, _mentions(found), found["kind"], RANKS.index(found["rank"]) + 1)
    if found := _first(_NEAREST, text):
        kind, wanted = _without_filter(found["kind"])
        return Choice("with" if wanted else "ranked", options, _mentions(found), kind, wanted=wanted)
    if found := _first(_ATTRIBUTES, text):
        return Choice("attribute", options, _mentions(found), word=found["attribute"])
    return None


def _mentions(found: re.Match[str]) -> tuple[Mention, ...]:
    told = found.groupdict()
    return tuple(Mention(told[one], told[f"{one}_kind"]) for one in ("here", "there") if told.get(one))


def _without_filter(kind: str) -> tuple[str, tuple[str, str] | None]:
    for pattern, (line, value) in _FILTERS.items():
        if found := re.search(pattern, kind):
            return kind[: found.start()], (line, found.expand(value).lower())
    return kind, None


def _metres(found: re.Match[str]) -> float:
    return round(float(found["number"].replace(",", "")) * (1000 if found["unit"] == "km" else 1), 3)


def read_time(text: str) -> str:
    """The local time that a text names, as ISO writes it; empty where it names none."""
    found = _TIME.search(text)
    if found is None:
        return ""
    day, month, year, clock = found.groups()
    return f"{year}-{list(month_name).index(month):02}-{int(day):02}T{clock:0>5}"


def _first(patterns: Iterable[str], text: str) -> re.Match[str] | None:
    return next((found for one in patterns if (found := re.search(one, text))), None)
