"""Multiple choice: answer text → the index of one option, or why none. The rules are in docs/scoring.md.

In this order: the last explicit answer ("Answer: X", JSON, a box, "X is correct"); lines that are a letter, an option's
text, or both; options named in running text. Two options at the place that decides are a conflict, and unparseable.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from app.scores.reading import option_words as words
from app.scores.reading.cleaning import MAX_MARKERS, MAX_SEGMENT, plain, undecorated
from app.scores.reading.objects import placed_objects
from app.scores.reading.option_comparing import concluded
from app.scores.reading.option_moods import Mood, mood_of
from app.scores.reading.option_pieces import Stated, mentions_in, stated_by, stated_by_object
from app.scores.reading.option_texts import OptionTexts, verbatim_of, without_invisible
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import read_parts, spoken

_LINES = 200
"""Lines of each end of an answer that are looked at one by one."""
_HEAD = 300
_WHOLE = 2000
_NOTHING = "no option named"
_BEFORE = 80
_TOKEN = re.compile(r"</?(?:s|b|i|u|p|em|strong|code|pre|span|div|li|ul|ol|br|h[1-6])\b[^<>\n]{0,99}>")
_LONE = re.compile(rf"\W*{words.LABEL}\W*")
_LISTED = re.compile(rf"[(\[*_\"'` ]*(?P<label>{words.LABEL})\s*[)\].:,*_-]*\s*(?P<rest>.*)")
_SEGMENT_ENDS = re.compile(r"\n|</|\}|(?<=\S)\s*\[/")
_QUOTED = re.compile(r"([\"'])(?P<text>[^\n]*?)\1\s*(?=[,}\]]|$)")
_ASKS = re.compile(r"[^\n.!?]{0,100}\?")
_SENTENCE_ENDS = re.compile(r"[\n!?;:。]|\.\s|\b(?:that|so|therefore|thus|hence|think|believe|dass|que)\s")


class _Explicit(NamedTuple):
    """A place of an answer that may say it explicitly; `read` says what is stated there.

    One under a condition or of the past counts where no plain one states anything; one that says "B is correct, too"
    stands beside what is stated before it.
    """

    start: int
    end: int
    read: Callable[[], Stated | None]
    is_plain: bool = True
    is_beside: bool = False


def read_option(answer: str, options: Sequence[str]) -> Reading[int]:
    """The index of the option that `answer` chooses among at most 26."""
    known = OptionTexts(options)
    said = spoken(answer)
    if not known.are_distinct():
        index = verbatim_of(said, known)
        if index is not None:
            return Reading(index)
    if not said.strip():
        return Reading(reason="says nothing" if not answer.strip() else "says nothing after its thinking")
    if len(said) <= _WHOLE and (whole := known.whole(plain(said), strict=True)) and not _LONE.fullmatch(said):
        return _decide(Stated(whole)) if not _explicit(plain(said), known) else _read_part(plain(said), known)
    return read_parts(answer, partial(_read_part, known=known), _NOTHING)


def _read_part(text: str, known: OptionTexts) -> Reading[int]:
    text = _TOKEN.sub(" ", without_invisible(text)).strip()
    whole = known.whole(text, strict=True) if len(text) <= _WHOLE else frozenset()
    if whole and not _LONE.fullmatch(text):
        said = _explicit(text, known)
        return _decide(Stated(whole | said.choices if said else whole))
    kept = _without_lists(text, known)
    stated = _explicit(kept, known) or _by_lines(kept, known)
    if stated is None or len(stated.choices) > 1:
        stated = concluded(text, known) or stated
    stated = stated or mentions_in(kept, known)
    return _decide(stated) if stated else Reading(reason=_NOTHING)


def _decide(stated: Stated) -> Reading[int]:
    if len(stated.choices) == 1:
        return Reading(min(stated.choices))
    if stated.choices:
        return Reading(reason="names " + " and ".join(words.LATIN[index] for index in sorted(stated.choices)))
    return Reading(reason=stated.reason or _NOTHING)


def _explicit(text: str, known: OptionTexts) -> Stated | None:
    """What the last explicit answer states that states anything."""
    objects = [
        _Explicit(placed.start, placed.end, partial(stated_by_object, placed.value, known))
        for placed in (placed_objects(text) if "{" in text else ())
    ]
    telling = [one for one in objects if one.read() is not None and not _is_within_one(text, one, known)]
    for one in telling:
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    places = sorted(
        [*telling, *_marked(text, known), *_called_correct(text, known)],
        key=lambda place: (place.start, place.end),
    )
    places = places[-MAX_MARKERS:]
    return _last_stated(text, [one for one in places if one.is_plain], known) or _last_stated(
        text, [one for one in places if not one.is_plain], known
    )


def _last_stated(text: str, places: Sequence[_Explicit], known: OptionTexts) -> Stated | None:
    beside: frozenset[int] = frozenset()
    for place in reversed(places):
        stated = None if _is_within_one(text, place, known) else place.read()
        if stated is None:
            continue
        if place.is_beside and stated.choices:
            beside |= stated.choices
            continue
        end = text.find("\n", place.end)
        over = words.TAKEN_BACK.search(text, end) if end >= 0 and stated.choices else None
        return (
            Stated(frozenset(), "takes its answer back")
            if over
            else stated._replace(choices=stated.choices | beside)
        )
    return Stated(beside) if beside else None


def _is_within_one(text: str, place: _Explicit, known: OptionTexts) -> bool:
    """Whether the place is part of an option's own text, such as a bar called "Answer: B"."""
    return any(
        text.find(shown, max(0, place.end - len(shown)), place.start + len(shown)) >= 0
        for shown in known.shown
        if len(shown) >= place.end - place.start > 0
    )


def _marked(text: str, known: OptionTexts) -> Iterable[_Explicit]:
    """What follows "Answer:", a box or an <answer>, to the line's end; the next line where nothing follows."""
    for match in list(words.MARKER.finditer(text))[-MAX_MARKERS:]:
        mood = mood_of(text, match)
        if words.MAYBE.search(match[0]) or _is_doubted(text, match.start()) or mood is Mood.NOT_MEANT:
            continue
        read = partial(_read_segment, text, match.end(), known)
        yield _Explicit(match.start(), match.end(), read, mood is Mood.PLAIN)


def _is_doubted(text: str, place: int) -> bool:
    return bool(words.DOUBTED.search(text[max(0, place - _BEFORE) : place]))


def _read_segment(text: str, start: int, known: OptionTexts) -> Stated | None:
    window = text[start : start + MAX_SEGMENT].lstrip(" \t\n*_#`:")
    quoted = _QUOTED.match(window)
    if quoted:
        return stated_by(quoted["text"], known, deep=True)
    piece = _SEGMENT_ENDS.split(window, maxsplit=1)[0]
    later = words.MARKER.search(piece)
    if later and later.start() > 0:
        return stated_by(piece, known, deep=False)
    return stated_by(piece, known, deep=True)


def _called_correct(text: str, known: OptionTexts) -> Iterable[_Explicit]:
    """What stands before "is the correct answer", back to the beginning of its sentence."""
    for match in list(words.CORRECT.finditer(text))[-MAX_MARKERS:]:
        if _ASKS.match(text, match.end()) or _is_doubted(text, match.start()):
            continue
        mood = mood_of(text, match)
        if mood is Mood.NOT_MEANT:
            continue
        head = text[max(0, match.start() - _HEAD) : match.start()].rpartition("\n")[2]
        read = partial(_read_head, head, known)
        beside = words.ALSO.match(text[match.end() :][:12].lstrip()) is not None
        yield _Explicit(match.start(), match.end(), read, mood is Mood.PLAIN, beside)


def _read_head(head: str, known: OptionTexts) -> Stated | None:
    for piece in (head, _SENTENCE_ENDS.split(head)[-1], head.rpartition(", ")[2]):
        piece = piece.strip(" ,*_\"'`#->")
        while filler := words.FILLER.match(piece):
            piece = piece[filler.end() :]
        if _LONE.fullmatch(piece) and piece.strip("()[]*_\"'` .") not in ("a", "e", "o"):
            return stated_by(piece, known)
        if found := known.whole(piece):
            return Stated(found)
    return None


def _by_lines(text: str, known: OptionTexts) -> Stated | None:
    lines = _ends_of([undecorated(line[:MAX_SEGMENT]) for line in text.split("\n") if line.strip()])
    ticked = {choice for line in lines if words.TICK.search(line) for choice in _choices(line, known)}
    if ticked:
        return Stated(frozenset(ticked))
    right = {choice for line in lines if _is_called_right(line) for choice in _choices(line, known)}
    if right:
        return Stated(frozenset(right))
    all_stated = [stated for line in lines if (stated := stated_by(line, known))]
    if not all_stated:
        return None
    reason = next((stated.reason for stated in all_stated if stated.reason), "")
    return Stated(frozenset().union(*(stated.choices for stated in all_stated)), reason)


def _choices(line: str, known: OptionTexts) -> frozenset[int]:
    stated = stated_by(line, known)
    return stated.choices if stated else frozenset()


def _is_called_right(line: str) -> bool:
    listed = _LISTED.match(line)
    return bool(listed and words.RIGHT.match(listed["rest"]))


def _ends_of(lines: list[str]) -> list[str]:
    return lines if len(lines) <= 2 * _LINES else lines[:_LINES] + lines[-_LINES:]


def _without_lists(text: str, known: OptionTexts) -> str:
    """`text` without options that it only repeats: lines of two and more options in their order."""
    lines = text.split("\n")
    run: list[int] = []
    last = -1
    listed: set[int] = set()
    near = (
        range(len(lines))
        if len(lines) <= 2 * _LINES
        else [*range(_LINES), *range(len(lines) - _LINES, len(lines))]
    )
    for number in near:
        place = _listed_place(lines[number], known)
        if place is None:
            continue
        if place <= last:
            listed |= set(run) if len(run) > 1 else set()
            run = []
        run.append(number)
        last = place
    listed |= set(run) if len(run) > 1 else set()
    return (
        "\n".join("" if number in listed else line for number, line in enumerate(lines)) if listed else text
    )


def _listed_place(line: str, known: OptionTexts) -> int | None:
    """The option that a line tells of as one of a list: its label with words after it, or its text."""
    line = undecorated(line[:MAX_SEGMENT])
    if not line or words.TICK.search(line) or words.MARKER.search(line):
        return None
    while filler := words.FILLER.match(line):
        line = line[filler.end() :]
    label = _LISTED.match(line)
    if (
        label
        and label["rest"]
        and not words.RIGHT.match(label["rest"])
        and not words.WRONG.match(label["rest"])
    ):
        place = words.PLACES[label["label"]]
        closed = line[label.end("label") :][:1] in set(").:]*,-") or known.beginning(label["rest"])[0]
        if place < known.count and closed:
            return place
    found = known.whole(line)
    return min(found) if len(found) == 1 and not _LONE.fullmatch(line) else None
