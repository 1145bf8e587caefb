"""One piece of an answer, such as a line or what follows "Answer:": which options it states.

Nothing is stated (None), or some options are: one is a choice, none a refusal, several a conflict.
"""

import re
from typing import Any, NamedTuple

from app.scores.reading import option_words as words
from app.scores.reading.cleaning import undecorated
from app.scores.reading.option_moods import Mood, mood_of
from app.scores.reading.option_texts import OptionTexts, bare

_LONE = re.compile(rf"[($\[{{<*\"'`_【「『]*({words.LABEL})\s*[$)\]}}>*\"'`_】」』.:,;。、।،!]*")
_LABEL = re.compile(
    rf"[($\[{{<*\"'`_【「『]*(?P<label>{words.LABEL})(?P<close>\s*[)\]}}>:,;。、।،!】」』*\"'`_]+|\.(?=\D|$)|)\s*(?P<rest>.*)",
    re.DOTALL,
)
_BRACKETS = re.compile(r"\([^()]{0,200}\)")
_LISTED_IN_BRACKETS = re.compile(rf"\([^()\n]{{1,200}}\)[\s,;<>|/]{{1,4}}(?P<label>{words.CAPITAL})\s?\(")
_WORDS_OF_ONE_LETTER = "aeiouy"
_LETTERS_TOGETHER = re.compile(r"[A-Z]{2,6}")
_NONE_AT_ALL = ("null", "nil", "", "-", "?", "n/a")
_MENTION_SENTENCE = re.compile(r"[.!?。](?:\s|$)|\n|;")
_AROUND = 200
_MENTIONS = 1000
_KEYS = re.compile(
    r"(?:final|correct|selected|chosen|predicted|my|best)?(?:answer|choice|option|letter|selection|response|label)"
    r"(?:letter|option|choice|no|id|key|label|text)?|antwort|réponse|reponse|respuesta|resposta|risposta|vastaus|svar|cevap|"
    r"ответ|答案|回答|答え|解答|정답|답|الجواب|الإجابة|उत्तर"
)


class Stated(NamedTuple):
    """The options that a piece states; `reason` where it states none of them on purpose."""

    choices: frozenset[int]
    reason: str = ""


def stated_by(piece: str, known: OptionTexts, deep: bool = False) -> Stated | None:
    """What a piece of one line states; `deep` looks inside its sentences too, as after "Answer:"."""
    piece = bare(undecorated(piece).lstrip("→:= \t"))
    rather = words.RATHER.match(piece) if deep else None
    if rather and (place := _place(rather["label"], known)) is not None:
        return Stated(frozenset({place}))
    first = _labelled(piece, known, strict=False)
    if first:
        return first
    for _ in range(4):
        filler = words.FILLER.match(piece)
        if not filler:
            break
        piece = piece[filler.end() :].lstrip("*_\"'`( ")
        if piece[:1].isdecimal() and words.CHOICE.match(filler[0]):
            return None
        first = _labelled(piece, known, strict=not deep)
        if first:
            return first
    corrected = words.NOT_BUT.match(piece)
    if corrected:
        return stated_by(corrected["rest"], known, deep=deep)
    if deep:
        if words.NONE.match(piece):
            return Stated(frozenset(), "says that it is none of them")
        return mentions_in(piece, known)
    return None


def _labelled(piece: str, known: OptionTexts, strict: bool) -> Stated | None:
    """What a piece states by its beginning: an option's text, a label, or both; `strict`: "a" is a word, no label."""
    by_text = known.whole(piece)
    lone = _LONE.fullmatch(piece.rstrip())
    if lone and not (strict and lone[1] in _WORDS_OF_ONE_LETTER):
        return _joined(by_text, _place(lone[1], known))
    label = _LABEL.match(piece)
    place = _place(label["label"], known) if label else None
    if by_text and label and not label["close"].strip() and known.whole(piece, strict=True):
        return Stated(by_text)
    if label and place is not None:
        text_after = known.whole(label["rest"])
        if by_text and (not text_after or by_text == text_after):
            return Stated(by_text)
        after = _after_label(label, place, text_after | by_text, known)
        if after:
            return after
    if by_text:
        return Stated(by_text)
    if _LETTERS_TOGETHER.fullmatch(piece) and all(words.PLACES[c] < known.count for c in piece):
        return Stated(frozenset(words.PLACES[c] for c in piece))
    begins, rest = known.beginning(piece)
    if not begins or words.NEGATIVE.search(rest[:_AROUND]):
        return None
    labels = (_place(next(filter(None, found.groups())), known) for found in words.MARKED.finditer(piece))
    return Stated(
        begins
        | known.next_one(rest)
        | _another(rest, known)
        | {place for place in labels if place is not None}
    )


def _place(label: str, known: OptionTexts) -> int | None:
    place = words.PLACES[label]
    return place if place < known.count else None


def _joined(by_text: frozenset[int], place: int | None) -> Stated:
    if place is None:
        return Stated(by_text, "names a letter that no option has")
    return Stated(by_text | {place})


def _after_label(
    label: re.Match[str], place: int, text_after: frozenset[int], known: OptionTexts
) -> Stated | None:
    """What a label and the words after it state together."""
    rest, letter = label["rest"], label["label"]
    own = frozenset({place})
    capital = letter != letter.lower() or not letter.isascii()
    if text_after:
        return Stated(own if place in text_after else own | text_after)
    begins, tail = known.beginning(rest)
    if begins and place not in begins and "." in label["close"] and capital and _speaks_against(f" {tail}"):
        return Stated(own)
    if begins:
        if not capital and not label["close"].strip():
            return None
        others = known.next_one(tail) | _another(tail, known)
        return Stated(own | others if place in begins else own | begins | others)
    wrong = words.WRONG.match(rest)
    if wrong and not words.SECOND.match(rest[wrong.end() :].lstrip()):
        return None
    if words.IS.match(rest) and not re.search(r"[.:;,]", label["close"]):
        return None
    explains = words.EXPLAINS.match(rest)
    others = _rivals(label["close"], rest, known)
    if others and capital:
        return Stated(own | others)
    if words.TAKEN_BACK.search(rest):
        return Stated(frozenset(), "takes its answer back")
    closed = bool(label["close"].strip()) or bool(explains)
    sure = capital or bool(explains and letter not in _WORDS_OF_ONE_LETTER) or bool(words.RIGHT.match(rest))
    return Stated(own) if closed and sure else None


def _rivals(close: str, rest: str, known: OptionTexts) -> frozenset[int]:
    """The other labels that stand behind a label as it does, be it as choices or with what is told of each.

    A sentence about other options names rivals only where it calls them right, too.
    """
    second = words.SECOND.match(rest)
    if second:
        is_apart = bool(close.strip(" ,")) or rest[:1] in "(["
        about = is_apart and (words.OF_OTHERS.match(rest.lstrip()) or _speaks_against(rest[second.end() :]))
        rival = _place(second["label"], known)
        if rival is not None and (not about or _calls_right(rest)):
            return frozenset({rival})
    explains = words.EXPLAINS.match(rest)
    if listed := _LISTED_IN_BRACKETS.match(rest):
        place = _place(listed["label"], known)
        return frozenset() if place is None else frozenset({place})
    signs = r"\s?[=→]" if explains and explains[0] in ("=", "→") else r"[).:]\s"
    if explains and signs[-1] == "s":
        return frozenset()
    told = re.finditer(rf"(?<![\w(])([A-Z]){signs}", _BRACKETS.sub(" ", rest))
    places = {words.PLACES[one[1]] for one in told if not _speaks_against(one.string[one.end() - 1 :])}
    return frozenset(place for place in places if place < known.count)


def _speaks_against(rest: str) -> bool:
    """Whether what stands behind a label, as in "A: too far.", speaks against its option."""
    told = re.match(r"\s?[:=-]?\s", rest)
    return bool(told and words.AGAINST.search(_MENTION_SENTENCE.split(rest[told.end() :], maxsplit=1)[0]))


def _calls_right(rest: str) -> bool:
    """Whether the first sentence of `rest` calls its option right, without a doubt."""
    sentence = _MENTION_SENTENCE.split(rest, maxsplit=1)[0]
    return bool(words.CALLED_RIGHT.search(sentence)) and not words.NEGATIVE.search(sentence)


def _another(tail: str, known: OptionTexts) -> frozenset[int]:
    """The label after "or" and the like at the beginning of `tail`."""
    found = words.ANOTHER.match(tail)
    place = _place(found["label"], known) if found else None
    return frozenset() if place is None else frozenset({place})


def mentions_in(text: str, known: OptionTexts) -> Stated | None:
    """The options that running text names by their labels, in sentences that deny nothing."""
    found: set[int] = set()
    for pattern in (words.MARKED, words.NAMED):
        for mention in list(pattern.finditer(text))[-_MENTIONS:]:
            letter = next(group for group in mention.groups() if group)
            place = _place(letter, known)
            if place is not None and not _denied(text, mention):
                found.add(place)
            if len(found) > 1:
                return Stated(frozenset(found))
    for said in list(words.WEAK.finditer(text))[-_MENTIONS:]:
        piece = text[said.end() : said.end() + 600].split("\n", maxsplit=1)[0]
        choices = _said(piece, known)
        if choices and not _denied(text, said) and mood_of(text, said) is not Mood.NOT_MEANT:
            found |= choices
        if len(found) > 1:
            break
    return Stated(frozenset(found)) if found else None


def _said(piece: str, known: OptionTexts) -> frozenset[int]:
    """After "it is": a label or a text that ends its sentence."""
    piece = piece.strip(" :*_\"'`")
    lone = re.match(rf"\(?({words.CAPITAL})\)?[*_\"'`]*\s*(?:$|[.,;!。](?:\s|$))", piece)
    if lone:
        place = _place(lone[1], known)
        return frozenset() if place is None else frozenset({place})
    return known.whole(piece) or known.whole(re.split(r"(?<=\w)[.!]\s", piece, maxsplit=1)[0])


def _denied(text: str, mention: re.Match[str]) -> bool:
    """Whether the sentence around it says not, if or wrong, or asks."""
    before = text[max(0, mention.start() - _AROUND) : mention.start()]
    after = text[mention.end() : mention.end() + _AROUND]
    before = _MENTION_SENTENCE.split(before)[-1]
    end = _MENTION_SENTENCE.search(after)
    return bool(words.NEGATIVE.search(before) or words.NEGATIVE.search(after[: end.end() if end else None]))


def stated_by_object(value: Any, known: OptionTexts, depth: int = 4) -> Stated | None:
    """What a JSON object states under the keys that mean an answer; all of them must agree."""
    told = [one for key, one in value.items() if _KEYS.fullmatch(re.sub(r"[\W_]", "", key.casefold()))]
    all_stated = [stated for one in told if (stated := _stated_by_value(one, known, depth)) is not None]
    if not all_stated:
        return None
    choices = frozenset().union(*(stated.choices for stated in all_stated))
    return Stated(choices, next((stated.reason for stated in all_stated if stated.reason), ""))


def _stated_by_value(value: Any, known: OptionTexts, depth: int) -> Stated | None:
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NONE_AT_ALL):
        return Stated(frozenset(), "says that it is none of them")
    if isinstance(value, dict) and depth:
        return stated_by_object(value, known, depth - 1)
    if isinstance(value, list) and depth:
        parts = [part for one in value[:30] if (part := _stated_by_value(one, known, depth - 1))]
        return Stated(frozenset().union(*(part.choices for part in parts)), "names none") if parts else None
    if isinstance(value, str):
        return stated_by(value[:600].split("\n", maxsplit=1)[0], known, deep=True)
    if isinstance(value, bool):
        return None
    choices = known.whole(str(value))
    return Stated(choices, "names a number that is no option")
