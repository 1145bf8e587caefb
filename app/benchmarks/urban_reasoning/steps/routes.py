"""Navigation (NV): the ways, joints and lengths that a response claims, against the segments that the prompt prints.

A way with segments that do not join is a connectivity failure; a way that arrives and is not the shortest, and a joint
that is denied though the prompt prints it, are topological blindness; a wrong length or sum is arithmetic drift.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from app.benchmarks.urban_reasoning.steps.checking import checks
from app.benchmarks.urban_reasoning.steps.claims import (
    additions_in,
    concluded,
    copied_points,
    is_sure,
    lines_in,
    named_once,
    sentences_in,
    verdict_class,
)
from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, Plain, plain_text
from app.benchmarks.urban_reasoning.steps.printed_data import Network, network_in
from app.benchmarks.urban_reasoning.truth.sphere import Point, leg_on_sphere
from app.benchmarks.urban_reasoning.truth.ways import Way, ways_of
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reasoning import BLIND, DRIFT, RIGHT, UNJOINED, WRONG, Reasoning, Step

OFF_SHARE, OFF_M = 0.03, 3.0
"""Share of a length, and metres, that a stated one may be off: planes and other radii of the earth are right, too."""
MOST_JOINED = 6
"""Names of a way that are shown of it at most."""
_ARROW = re.compile(r"\s*(?:\([^()→]{0,40}\)\s*)?(?:→|->|=>|-->)\s*")
_DENIES = re.compile(
    r"\b(?:not|no|cannot|impossible|dead end|invalid|gap|fails?|breaks?)\b|n't\b|✗|❌", re.IGNORECASE
)
_JOINS = re.compile(
    r"\s*(?P<denied>(?:do(?:es)? not|doesn't|never|cannot) )?(?:directly )?"
    r"(?P<verb>meets?|joins?|connects? (?:to|with)|touches)\s*"
)
_METRES = re.compile(r"(?<![\d.,])(\d{1,5}(?:\.\d{1,4})?) ?(k?m)(?:etres|eters)?\b")
_OTHER_LENGTH = re.compile(
    r"\b(?:total|cumulative|sum|so far|remaining|adds?|altogether|overall|way|route|path|north|south|east|west"
    r"|lat\w*|lon\w*|longer|shorter|difference|plus|dx|dy|x|y|if|would|per|degrees?)\b|Δ|[+]",
    re.IGNORECASE,
)


class Ways:
    """A network with its names as responses write them, and every way from start to goal."""

    def __init__(self, network: Network) -> None:
        self.segments = {
            " ".join(plain_text(name).text.split()): ends for name, ends in network.segments.items()
        }
        self.names = list(self.segments)
        self.start, self.goal = network.start, network.goal

    @cached_property
    def all(self) -> Sequence[Way]:
        """The ways that pass no point twice, the shortest first."""
        return ways_of(self.segments, self.start, self.goal)

    def do_join(self, one: int, other: int) -> bool:
        """Whether two segments have an end in common."""
        return one == other or bool({*self.segments[self.names[one]]} & {*self.segments[self.names[other]]})

    def metres(self, place: int) -> float:
        """How long a segment is on the sphere."""
        return leg_on_sphere(*self.segments[self.names[place]]).metres

    @property
    def points(self) -> list[Point]:
        """All ends of segments."""
        return [end for ends in self.segments.values() for end in ends]


@checks("NV")
def check_route(context: str, question: str, response: str) -> Reasoning:
    """The points, joints, lengths, sums and ways of a response, and the way that it answers."""
    ways = Ways(network_in(context))
    plain = plain_text(response)
    steps = [
        *copied_points(plain, ways.points),
        *_chains(ways, plain),
        *_joints(ways, plain),
        *_lengths(ways, plain),
        *additions_in(plain),
        *_answer(ways, response),
    ]
    return concluded(response, steps)


def _chains(ways: Ways, plain: Plain) -> Iterator[Step]:
    """Ways that arrows draw: neighbours in them must join. Lines that weigh a way or rule it out claim none."""
    for start, line in lines_in(plain):
        if "→" not in line and ">" not in line:
            continue
        if not is_sure(line) or _DENIES.search(line):
            continue
        for one, other in pairwise(named_once(ways.names, line)):
            if _ARROW.fullmatch(line[one[1] : other[0]]):
                verdict = RIGHT if ways.do_join(one[2], other[2]) else WRONG
                yield _joint(ways, plain, (one[2], other[2]), start + other[0], verdict)


def _joint(ways: Ways, plain: Plain, places: tuple[int, int], at: int, verdict: str) -> Step:
    names = " and ".join(ways.names[place] for place in places)
    expected = "they join" if verdict == RIGHT else "they have no end in common"
    return Step(
        "joint", f"{names} join", expected, plain.place(at), verdict, verdict_class(verdict, UNJOINED)
    )


def _joints(ways: Ways, plain: Plain) -> Iterator[Step]:
    """Sentences such as "Mill Lane meets High Street", or does not."""
    for sentence in sentences_in(plain):
        if not is_sure(sentence.text):
            continue
        for one, other in pairwise(named_once(ways.names, sentence.text)):
            found = _JOINS.fullmatch(sentence.text[one[1] : other[0]])
            if found is None or one[2] == other[2]:
                continue
            joins, at = ways.do_join(one[2], other[2]), sentence.start + one[0]
            if not found["denied"]:
                yield _joint(ways, plain, (one[2], other[2]), at, RIGHT if joins else WRONG)
            elif joins and found["verb"] != "touches":
                names = f"{ways.names[one[2]]} and {ways.names[other[2]]}"
                yield Step("joint", f"{names} do not join", "they join", plain.place(at), WRONG, BLIND)


def _lengths(ways: Ways, plain: Plain) -> Iterator[Step]:
    """Lines with one segment and one length."""
    for start, line in lines_in(plain):
        told = {place for *_, place in named_once(ways.names, line)}
        lengths = _METRES.findall(line)
        bare = line
        for begin, end, _ in reversed(named_once(ways.names, line)):
            bare = bare[:begin] + bare[end:]
        if len(told) != 1 or len(lengths) != 1 or _OTHER_LENGTH.search(bare) or not is_sure(bare):
            continue
        (place,) = told
        stated = float(lengths[0][0]) * (1000 if lengths[0][1] == "km" else 1)
        metres, found = ways.metres(place), _METRES.search(line)
        half = 10.0 ** -len(lengths[0][0].partition(".")[2]) * (500 if lengths[0][1] == "km" else 0.5)
        verdict = RIGHT if abs(stated - metres) <= max(OFF_M, OFF_SHARE * metres) + half else WRONG
        assert found is not None
        yield Step(
            f"length of {ways.names[place]}, m",
            stated,
            round(metres, 1),
            plain.place(start + found.start()),
            verdict,
            verdict_class(verdict, DRIFT),
        )


def _answer(ways: Ways, response: str) -> Iterator[Step]:
    """The way that is answered: one that arrives must be among the segments it names, and be the shortest."""
    section = answer_section(response[:MOST_SIGNS])
    if section is response[:MOST_SIGNS] and "<answer" not in response:
        return
    told = {ways.names[mention.place] for mention in mentions_in(section, ways.names)}
    if not told:
        return
    place = max(0, response.rfind(section))
    arriving = [way for way in ways.all if {*way.names} <= told]
    stated, best = ", ".join(sorted(told)[:MOST_JOINED]), ", ".join(ways.all[0].names) if ways.all else None
    if not arriving:
        yield Step("route", stated, best, place, WRONG, UNJOINED)
    elif ways.all[0] in arriving:
        yield Step("route", stated, best, place, RIGHT)
    else:
        yield Step("route", stated, best, place, WRONG, BLIND)
