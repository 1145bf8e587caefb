"""How an answer is said: plainly, under a condition or of the past, or as one that is not meant at all."""

import re
from enum import Enum, auto

from app.scores.reading import option_words as words

_AROUND = 200
_SENTENCE_BEGINS = re.compile(r"[.!?。]\s|[\n(。]")
_SENTENCE_ENDS = re.compile(r"[.!?](?:\s|\)|$)|[\n。)]")


class Mood(Enum):
    """PLAIN counts; OTHER only where nothing is said plainly; NOT_MEANT never."""

    PLAIN = auto()
    OTHER = auto()
    NOT_MEANT = auto()


def mood_of(text: str, said: re.Match[str]) -> Mood:
    """The mood of the sentence around `said`, such as "the answer is"."""
    before = _SENTENCE_BEGINS.split(text[max(0, said.start() - _AROUND) : said.start()])[-1]
    after = _SENTENCE_ENDS.split(text[said.end() : said.end() + _AROUND], maxsplit=1)[0]
    if words.EARLIER.search(before):
        return Mood.NOT_MEANT
    if words.WOULD.search(said[0]):
        if words.MUST.search(before):
            return Mood.PLAIN
        if words.COUNTERFACTUAL.search(before) or words.WAS_TO.search(said[0]):
            return Mood.NOT_MEANT
        return Mood.PLAIN if words.SO.search(before) else Mood.OTHER
    if words.WAS.search(said[0]):
        past = words.PAST.search(before) or words.PAST.search(after)
        return Mood.NOT_MEANT if past else Mood.OTHER
    if (words.CONDITION.search(before) and not words.MUST.search(before)) or words.SAID_BEFORE.search(before):
        return Mood.OTHER
    return Mood.PLAIN
