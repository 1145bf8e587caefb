"""Recommendation (RC): what a response claims of the places that the prompt offers, and the place that it picks.

A place that is taken for open, or for having what is wished for, against what the prompt prints is misread input; one
that is too far, or not the nearest that fits, is topological blindness; a wrong distance or sum is arithmetic drift.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from app.benchmarks.urban_reasoning.contexts.reading_offers import DAYS, SAYS, is_open
from app.benchmarks.urban_reasoning.steps.checking import checks
from app.benchmarks.urban_reasoning.steps.claims import (
    additions_in,
    concluded,
    copied_points,
    is_sure,
    named_once,
    sentences_in,
    verdict_class,
)
from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, Plain, plain_text
from app.benchmarks.urban_reasoning.steps.printed_data import Offered, Offers, offers_in
from app.benchmarks.urban_reasoning.truth.choices import metres_off
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reasoning import BLIND, DRIFT, MISREAD, RIGHT, WRONG, Reasoning, Step

WISHES: Mapping[str, str] = {
    "a way in for wheelchairs": "wheelchair",
    "seats outside": "outdoor_seating",
    "food to take away": "takeaway",
    "vegetarian dishes": "diet:vegetarian",
    "wireless internet": "internet_access",
}
"""By the words of a question what is wished for, as reviews tell it."""
OFF_SHARE, OFF_M = 0.03, 5.0
"""Share of a distance, and metres, by which a stated one may be off."""
_MONDAY = 16
"""The day of September 2024 that stands for a Monday, as the questions' own moments have it."""
_MOMENT = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day at (\d\d:\d\d)\b")
_REACH = re.compile(
    r"\b(?:within|at most|no more than) (?P<size>\d{1,5}(?:,\d{3})?(?:\.\d{1,3})?) (?P<unit>k?m)\b"
)
_METRES = re.compile(r"(?<![\d.,:])(\d{1,5}(?:\.\d{1,4})?) ?(k?m)(?:etres|eters)?\b")
_OTHER_LENGTH = re.compile(
    r"\b(?:within|limit|than|north\w*|south\w*|east\w*|west\w*|lat\w*|lon\w*|dx|dy|x|y|difference|farther|further|nearer"
    r"|closer|point|segment|at most|under|over|reach|max\w*|per|degrees?|closest|apart from|between)\b|Δ|[<>≤≥±+]",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:is|it's|would be|will be|are|was) (?P<said>not open|open|closed|shut)\b"
    r"(?! (?:from|until|till|on|daily|every|between|to|for"
    r"|seven|all|only|in|again|before|after|during|late|early|mo|tu|we|th|fr|sa|su)\b)",
    re.IGNORECASE,
)


class Wanted(NamedTuple):
    """What the question wants: a time of the week, metres at most, and a key of SAYS or a cuisine."""

    moment: str
    reach: float
    wish: str


class Choice:
    """The places with what the prompt says of each. A fact that the question's words do not tell is None."""

    def __init__(self, offers: Offers, wanted: Wanted | None) -> None:
        self.offers, self.wanted = offers, wanted
        self.names = [" ".join(plain_text(one.name).text.split()) for one in offers.places]

    def metres(self, place: int) -> float:
        """How far a place is from the position, or the lines of the walk."""
        return metres_off(self.offers.places[place].at, self.offers.walk)

    def is_open(self, place: int) -> bool | None:
        """Whether a place is open at the time that is asked for."""
        return self.wanted and is_open(self.offers.places[place].hours, self.wanted.moment)

    def has_wish(self, place: int) -> bool | None:
        """Whether the prompt says that a place has what is wished for."""
        return self.wanted and _has(self.offers.places[place], self.wanted.wish)

    @cached_property
    def best(self) -> int | None:
        """The nearest place that fulfils every wish."""
        wanted = self.wanted
        if wanted is None:
            return None
        fit = [
            place
            for place in range(len(self.names))
            if self.is_open(place) and self.has_wish(place) and self.metres(place) <= wanted.reach
        ]
        return min(fit, key=self.metres, default=None)


def _has(place: Offered, wish: str) -> bool:
    if wish in SAYS:
        return re.search(SAYS[wish], place.review) is not None
    return wish in place.cuisine.split(", ")


def wanted_in(question: str, places: Sequence[Offered]) -> Wanted | None:
    """What a question wants, by its words; None where they are others than the templates'."""
    moment, reach = _MOMENT.search(question), _REACH.search(question)
    wish = next((key for words, key in WISHES.items() if words in question), None)
    if wish is None:
        wish = _cuisine_in(question, places)
    if moment is None or reach is None or wish is None:
        return None
    day = next(number for number, name in enumerate(DAYS) if moment[1].startswith(name))
    metres = float(reach["size"].replace(",", "")) * (1000 if reach["unit"] == "km" else 1)
    return Wanted(f"2024-09-{_MONDAY + day}T{moment[2]}", metres, wish)


def _cuisine_in(question: str, places: Sequence[Offered]) -> str | None:
    """The cuisine that a question names, of those that are printed: the longest, since one may begin another."""
    printed = {kind for place in places for kind in place.cuisine.split(", ") if kind}
    named = (kind for kind in printed if re.search(rf'\bthe cuisine "?{re.escape(kind)}(?!\w)', question))
    return max(named, key=len, default=None)


@checks("RC")
def check_recommendation(context: str, question: str, response: str) -> Reasoning:
    """The points, distances, hours and sums of a response, and the place that it answers."""
    offers = offers_in(context)
    choice = Choice(offers, wanted_in(_behind_the_data(question), offers.places))
    plain = plain_text(response)
    printed = [one.at for one in choice.offers.places]
    steps = [
        *copied_points(plain, [*printed, *choice.offers.walk]),
        *_distances(choice, plain),
        *_hours(choice, plain),
        *additions_in(plain),
        *_answer(choice, response),
    ]
    return concluded(response, steps)


def _behind_the_data(prompt: str) -> str:
    """The words behind the printed data: reviews and names in it are none of the question's."""
    lines = prompt.split("\n")
    last = max(
        (at for at, line in enumerate(lines) if line.startswith("Option: ") or line == "}"), default=-1
    )
    return "\n".join(lines[last + 1 :])


def _one_place(choice: Choice, text: str) -> tuple[int, str] | None:
    """The only place that a sentence names, and the sentence without its name."""
    found = named_once(choice.names, text)
    if len({place for *_, place in found}) != 1:
        return None
    bare = text
    for begin, end, _ in reversed(found):
        bare = bare[:begin] + " " * (end - begin) + bare[end:]
    return found[0][2], bare


def _distances(choice: Choice, plain: Plain) -> Iterator[Step]:
    """Sentences with one place and one distance from the position; off a walk, texts measure in many ways."""
    if len(choice.offers.walk) > 1:
        return
    for sentence in sentences_in(plain):
        told = _one_place(choice, sentence.text)
        if told is None:
            continue
        place, bare = told
        lengths = list(_METRES.finditer(bare))
        if len(lengths) != 1 or _OTHER_LENGTH.search(bare) or not is_sure(bare):
            continue
        factor = 1000 if lengths[0][2] == "km" else 1
        stated, metres = float(lengths[0][1]) * factor, choice.metres(place)
        half = 0.5 * factor * 10.0 ** -len(lengths[0][1].partition(".")[2])
        verdict = RIGHT if abs(stated - metres) <= max(OFF_M, OFF_SHARE * metres) + half else WRONG
        yield Step(
            f"distance of {choice.names[place]}, m",
            stated,
            round(metres, 1),
            plain.place(sentence.start + lengths[0].start()),
            verdict,
            verdict_class(verdict, DRIFT),
        )


def _hours(choice: Choice, plain: Plain) -> Iterator[Step]:
    """Sentences that say of one place that it is open or closed, as of the time that is asked for."""
    for sentence in sentences_in(plain):
        told = _one_place(choice, sentence.text)
        if told is None or not is_sure(told[1]):
            continue
        place, bare = told
        found = list(_OPEN.finditer(bare))
        truly = choice.is_open(place)
        if len(found) != 1 or truly is None or _names_other_times(choice, bare):
            continue
        stated = found[0]["said"].lower() == "open"
        verdict = RIGHT if stated == truly else WRONG
        yield Step(
            f"hours of {choice.names[place]}",
            "open" if stated else "closed",
            "open" if truly else "closed",
            plain.place(sentence.start + found[0].start()),
            verdict,
            verdict_class(verdict, MISREAD),
        )


def _names_other_times(choice: Choice, text: str) -> bool:
    """Whether a sentence names a time other than that which is asked for."""
    asked = choice.wanted.moment[-5:] if choice.wanted else ""
    times = re.findall(r"\b\d{1,2}:\d\d\b", text)
    return bool(times) and asked not in times


def _answer(choice: Choice, response: str) -> Iterator[Step]:
    """The place that is answered, where the answer names one."""
    said = response[:MOST_SIGNS]
    section = answer_section(said)
    if section is said and "<answer" not in said:
        return
    named = {mention.place for mention in mentions_in(section, choice.names)}
    if len(named) != 1 or choice.best is None:
        return
    (place,) = named
    at, right = max(0, response.rfind(section)), choice.names[choice.best]
    if place == choice.best:
        yield Step("place", choice.names[place], right, at, RIGHT)
        return
    is_misread = not choice.is_open(place) or not choice.has_wish(place)
    yield Step("place", choice.names[place], right, at, WRONG, MISREAD if is_misread else BLIND)
