"""Answers that compare the options, then conclude: "A: 500 m, B: 200 m. B is the closest." → the option concluded.

A bare letter in running text is no choice by itself: "B is the nearest." may be said of each option in turn. It is one
where the answer has told something of two options or more, and then concludes on one alone.
"""

import re

from app.scores.reading import option_words as words
from app.scores.reading.option_pieces import Stated
from app.scores.reading.option_texts import OptionTexts

_LONGEST = 20_000
_COMPARED = re.compile(
    rf"(?:^|[\n,;|]|\.\s|\band\s)[^\S\n]*+[|\-*+\u2022]?[^\S\n]*+[(*_`]{{0,4}}(?P<label>{words.CAPITAL})[)*_`.]{{0,4}}"
    r"[^\S\n]*+(?:[:=|\-\u2192(]|(?:is|lies|at|about|has|ist|est|es|è)\b|[0-9])"
)
_CONCLUDES = re.compile(
    rf"{words.SO_SIGN}[,:]?\s*{words.OPENING}(?:(?i:option|it\sis|it's|that\sis|the\sanswer\sis)\s+)?"
    rf"{words.OPENING}(?P<after>{words.CAPITAL}){words.CLOSING}\s*(?:$|[.!](?:\s|$)|(?=\n))"
    rf"|(?<![\w'(\"])(?P<before>{words.CAPITAL}){words.CLOSING}(?P<says>[^\n.;,:?!]{{0,60}}){words.SUPERLATIVE}"
    rf"|{words.SUPERLATIVE}[^\n.:=]{{0,30}}(?:[:=]|\b(?i:is|ist|est|es|è)\b)\s*{words.OPENING}(?i:option\s)?{words.OPENING}"
    rf"(?P<last>{words.CAPITAL}){words.CLOSING}",
    re.MULTILINE,
)

_OF_TWO = re.compile(
    rf"(?<![\w'(\"])(?P<label>{words.CAPITAL}){words.CLOSING}\s(?:is|lies)\s(?:closer|nearer|shorter|smaller|larger|bigger|longer)\b"
)
"""Of two options, the one that is said to be more is the most."""


def concluded(text: str, known: OptionTexts) -> Stated | None:
    """The one option that the end of a comparison is about; nothing where it is about several."""
    text = text[-_LONGEST:]
    compared = list(_COMPARED.finditer(text))
    if len({words.PLACES[one["label"]] for one in compared}) < 2:
        return None
    found = {
        words.PLACES[match["after"] or match["before"] or match["last"]]
        for match in _CONCLUDES.finditer(text, compared[0].end())
        if not (match["says"] and words.NEGATIVE.search(match["says"]))
    }
    if len({words.PLACES[one["label"]] for one in compared}) == 2:
        found |= {words.PLACES[match["label"]] for match in _OF_TWO.finditer(text, compared[0].end())}
    found = {place for place in found if place < known.count}
    return Stated(frozenset(found)) if len(found) == 1 else None
