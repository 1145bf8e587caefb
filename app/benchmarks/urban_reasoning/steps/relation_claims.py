"""What sentences of a response claim of two shapes: common points, meeting, what lies inside. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.claims import Sentence, is_sure, sentences_in
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.printed_data import POINT, points_in
from app.benchmarks.urban_reasoning.truth.sphere import Point

_NOT = r"(?:do(?:es)? not|don't|doesn't|never|cannot|can't|did not)"
_NEGATION = re.compile(r"\b(?:not|no|never|none|neither|nor|without|cannot|fail\w*)\b|n't\b", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:segments?|edges?|pieces?|legs?|sides?|parts?|points?|vert\w+|corners?|nodes?|first|second|third|fourth|last"
    r"|latitudes?|longitudes?|interiors?|boundar\w+|ranges?|box\w*|other|further|additional|besides|except|beyond|only"
    r"|more|just|merely|simply|elsewhere|again|until|before|after|and so|one of|between|share)\b|[A-Z]?\d",
    re.IGNORECASE,
)
"""Words of sentences that may speak of a part of a shape, not of all of it."""
_SHAPES = r"(?:roads?|streets?|lines?|polylines?|paths?|areas?|polygons?|shapes?|they|both|two)"
_VERBS = {"intersect": "intersect", "cross": "cross", "overlap": "overlap", "meet": "meet"}
_WORD = "|".join(_VERBS)
_DENIED = re.compile(
    rf"\b{_SHAPES}\b.{{0,40}}\b{_NOT} (?:actually |really )?(?P<verb>{_WORD})\b", re.IGNORECASE
)
_STATED = re.compile(
    rf"\b{_SHAPES} (?:do |does |clearly |actually |indeed |really |therefore |thus )?(?P<verb>{_WORD})(?:e?s)?\b",
    re.IGNORECASE,
)
_NO_COMMON = re.compile(
    r"\b(?:no|not|never|without|none|neither)\b.{0,30}\b(?:common|shared?|same)\b.{0,20}\b(?:points?|vert\w+|nodes?|corners?)\b"
    r"|\b(?:no|not any) (?:points?|vert\w+|nodes?|corners?)\b.{0,20}\b(?:common|shared)\b",
    re.IGNORECASE,
)
_MEETING_AT = re.compile(
    rf"\b(?:share[sd]?|intersects?|meets?|cross(?:es)?|touch(?:es)?|common|coincide)\b.{{0,40}}?"
    rf"\b(?:at|in|point|vertex|corner|node|coordinates?)(?: the)?(?: common| shared| same)?"
    rf"(?: point| vertex| corner| node| coordinates?)?:? ?(?P<point>{POINT.pattern})",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    rf"(?P<point>{POINT.pattern})[^.;]{{0,30}}?\b(?:is|lies|falls)(?: clearly| well| also)?(?P<negated> not)?"
    r" (?P<where>inside|outside)\b",
    re.IGNORECASE,
)
_BOX = re.compile(
    r"\b(?:box|bbox|bounds?|bounding|extent|range|envelope|rectangle|min\w*|max\w*|latitude|longitude)\b",
    re.I,
)
_OF_ROAD = re.compile(
    r"\b(?P<which>all|every|each|none|no)\b[^.;]{0,30}\b(?:points?|vert\w+)\b[^.;]{0,30}\b(?:is|are|lies?|falls?)\b[^.;]{0,12}?"
    r" (?P<where>inside|outside)\b",
    re.IGNORECASE,
)


class Claimed(NamedTuple):
    """A claim: what it is about, whether it says so or denies it, a point that it names, its words and place."""

    about: str
    holds: bool
    words: str
    start: int
    point: Point | None = None


def claims_in(plain: Plain) -> Iterator[Claimed]:
    """The claims of a text that can be judged; the first of each sentence."""
    for sentence in sentences_in(plain):
        if is_sure(sentence.text):
            found = next(_of_sentence(sentence), None)
            if found is not None:
                yield found


def _of_sentence(sentence: Sentence) -> Iterator[Claimed]:
    text = sentence.text
    words = " ".join(text.split())[:160]

    def claim(about: str, holds: bool, found: re.Match[str]) -> Claimed:
        told = points_in(found["point"])[0] if "point" in found.re.groupindex else None
        return Claimed(about, holds, words, sentence.start + found.start(), told)

    pairs = len(set(points_in(text)))
    if pairs == 1 and not _BOX.search(text):
        if (found := _MEETING_AT.search(text)) and not _NEGATION.search(text):
            yield claim("meeting point", True, found)
        if found := _INSIDE.search(text):
            yield claim("inside", (found["where"].lower() == "inside") != bool(found["negated"]), found)
    if pairs or _BOX.search(text):
        return
    if (found := _NO_COMMON.search(text)) and not re.search(
        r"\b(?:other|further|additional|more|besides|except|beyond|only|sides?|edges?|segments?)\b",
        text,
        re.I,
    ):
        yield claim("common point", False, found)
    if found := _road_points(text):
        yield claim(_which(found), True, found)
    if _PART.search(text):
        return
    if found := _DENIED.search(text):
        yield claim(_VERBS[found["verb"].lower()], False, found)
    elif (found := _STATED.search(text)) and not _NEGATION.search(text):
        yield claim(_VERBS[found["verb"].lower()], True, found)


def _road_points(text: str) -> re.Match[str] | None:
    """A claim of all points of the road; not one that excepts some, or speaks of the area's."""
    if not re.search(r"\broad\b", text, re.I):
        return None
    if re.search(
        r"\b(?:except|but|apart|boundary|on the|not all|not every|area's|polygon's|corners?|edges?)\b",
        text,
        re.I,
    ):
        return None
    found = _OF_ROAD.search(text)
    if found is None or (found["which"].lower() in ("none", "no") and found["where"].lower() == "outside"):
        return None
    if re.search(r"\bnot\b|n't\b", text):
        return None
    return found


def _which(found: re.Match[str]) -> str:
    everything = found["which"].lower() in ("all", "every", "each")
    return "all inside" if everything and found["where"].lower() == "inside" else "none inside"
