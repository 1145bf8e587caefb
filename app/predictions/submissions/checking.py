"""Checks answers as they come: their form, their ids, and that none is missing. Pure; one answer is held at a time.

What is remembered of each question and repeat is the line of its answer, four bytes.
"""

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.strict_json import plain_fault, shown_name
from app.predictions.submissions.card import GivenCard, read_card
from app.predictions.submissions.faults import Faults, Unreadable
from app.predictions.submissions.pieces import Piece

MOST_REPEATS = 100
MOST_CHARACTERS = 100_000
MOST_DIGITS = 30
FIELDS = {"id", "answer", "repeat", "session", "usage"}
FORM = '{"id": "…", "answer": "…", "repeat": 0}'
USAGE: Mapping[str, Any] = {"prompt_tokens": int, "completion_tokens": int, "money": int | float}
"""What an answer may say that it took."""
MOST_USED = 1_000_000_000
_SESSION = re.compile(r"[0-9a-f]{32}", re.ASCII)
NOT_JSON = f"it is not JSON: write {FORM}"


class SubmittedAnswer(NamedTuple):
    """One answer; None is the answer of a model that gave none.

    `session` is the session in which an agent found it, and `usage` what it took, as whoever submits it states.
    """

    id: str
    answer: str | None
    repeat: int
    session: str | None = None
    usage: dict[str, int | float] | None = None

    def hashed_text(self) -> str:
        """What the digest of a submission covers of it; what is not given is not in it."""
        more = [] if self.session is None and self.usage is None else [self.session, self.usage]
        return canonical_json([self.id, self.answer, self.repeat, *more])


class Checker:
    """Goes once over the answers to one data set version: iterate it, then `finish`."""

    def __init__(self, reference: str, question_ids: Sequence[str]) -> None:
        self._reference = reference
        self._ids = question_ids
        self._places = {name: place for place, name in enumerate(question_ids)}
        self._lines: list[array[int]] = []
        self.faults = Faults()
        self.card: dict[str, Any] | None = None
        self.answers = 0
        self._is_whole = False

    @property
    def repeats(self) -> int:
        """How many answers each question is to have: one more than the highest repeat."""
        return len(self._lines)

    def answers_of(self, pieces: Iterable[Piece]) -> Iterator[SubmittedAnswer]:
        """Those answers that are well formed, as they come, until the end; what is wrong goes to `faults`."""
        is_first = True
        try:
            for piece in pieces:
                if is_first and self._took_card(piece):
                    is_first = False
                    continue
                is_first = False
                answer = self._read(piece)
                if answer is not None and self._took(piece, answer):
                    yield answer
                if self.faults.are_enough:
                    self.faults.ended_at = piece.line
                    return
            self._is_whole = True
        except Unreadable as end:
            self.faults.add(*end.fault)

    def line_of(self, name: str, repeat: int) -> int:
        """The line of an answer that was read."""
        return self._lines[repeat][self._places[name]]

    def finish(self) -> None:
        """Raise BadSubmission, with the first faults, unless every question has all of its answers.

        What is missing is not told of answers that were not read to their end.
        """
        if not self._is_whole:
            self.faults.refuse()
        if not self._lines and not self.faults.count:
            self.faults.add(None, f"there is no answer in it: write one a line, {FORM}")
        for repeat, lines in enumerate(self._lines):
            self._find_missing(repeat, lines)
        self.faults.refuse()

    def _find_missing(self, repeat: int, lines: Sequence[int]) -> None:
        missing = [self._ids[place] for place, line in enumerate(lines) if not line]
        if missing:
            some = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
            of_repeat = f" (repeat {repeat})" if self.repeats > 1 else ""
            self.faults.add(
                None,
                f"{len(missing):,} of {len(lines):,} questions of {self._reference} have no answer{of_repeat}:"
                f" {some}; write null where the model gave none",
            )

    def _took_card(self, piece: Piece) -> bool:
        """Whether this piece, the first, is the card and no answer."""
        try:
            value = _parse(piece)
        except _Refused:
            return False  # told when it is read as an answer
        if not isinstance(value, dict) or value.keys() != {"card"}:
            return False
        try:
            self.card = sent_card(value["card"])
        except UsageError as error:
            self.faults.add(piece.line, str(error))
        return True

    def _read(self, piece: Piece) -> SubmittedAnswer | None:
        try:
            return _answer(_parse(piece))
        except _Refused as fault:
            self.faults.add(piece.line, str(fault), len(piece.raw or b""))
            return None

    def _took(self, piece: Piece, answer: SubmittedAnswer) -> bool:
        line, size = piece.line, len(piece.raw or b"")
        place = self._places.get(answer.id)
        if place is None:
            self.faults.add(
                line,
                f"{shown_name(answer.id)} is not a question of {self._reference}: take the ids from its questions",
                size,
            )
            return False
        while len(self._lines) <= answer.repeat:
            self._lines.append(array("I", bytes(4 * len(self._ids))))
        before = self._lines[answer.repeat][place]
        if before:
            self.faults.add(
                line,
                f"{shown_name(answer.id)} has an answer of repeat {answer.repeat} on line {before:,} already:"
                " leave one of them out, or number the repeats",
                size,
            )
            return False
        self._lines[answer.repeat][place] = min(line, 2**32 - 1)
        self.answers += 1
        return True


def sent_card(value: object) -> dict[str, Any]:
    """The fields of a card in the answers' file. Raises UsageError; the name may be given elsewhere."""
    if not isinstance(value, dict):
        raise UsageError('The card must be an object, such as {"card": {"name": "…"}}.')
    read_card({"name": "any"} | value)
    return value


def merged_card(sent: dict[str, Any] | None, given: dict[str, Any], reference: str) -> GivenCard:
    """The card in the file, where what is `given` beside it comes first. Raises UsageError."""
    together = (sent or {}) | {name: value for name, value in given.items() if value not in (None, [], {})}
    if "name" not in together:
        raise UsageError(
            "The submission has no name: give one for the boards, such as the model's, as `--name`, or on the card."
        )
    card = read_card(together)
    if card.dataset is not None and card.dataset != reference:
        raise UsageError(
            f"The card says that the answers are of {card.dataset}, and they are submitted for {reference}."
        )
    return card


class _Refused(Exception):
    """This one value is no answer; the message says why, and what to do."""


def _parse(piece: Piece) -> Any:
    if piece.raw is None:
        raise _Refused("it is too long: shorten the answer")
    try:
        return json.loads(
            piece.raw.decode(),
            object_pairs_hook=_object,
            parse_constant=_no_number,
            parse_int=_int,
            parse_float=_float,
        )
    except UnicodeDecodeError as error:
        raise _Refused(f"byte {error.start + 1:,} of it is not UTF-8: save the file as UTF-8") from error
    except RecursionError as error:
        raise _Refused(f"it is nested too deep: write {FORM}") from error
    except json.JSONDecodeError as error:
        raise _Refused(_why_not_json(error)) from error


def _why_not_json(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data" and error.doc.lstrip().startswith("{"):
        return (
            "it is not JSON: more follows on its line; write one answer a line, and send the file as it is (`curl -d`"
            " takes line ends away)"
        )
    return f"{NOT_JSON} ({plain_fault(error)}, character {error.pos + 1:,})"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counted.items() if count > 1)
        raise _Refused(f"{shown_name(twice)} stands in it twice: write it once")
    return value


def _no_number(word: str) -> NoReturn:
    raise _Refused(f"{word} is not a number of JSON: write null, or the answer as text")


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _Refused(f"a number in it has {len(digits):,} digits: write answers as text")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > MOST_DIGITS:
        raise _Refused(f"a number in it has {len(digits):,} digits: write answers as text")
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _Refused("a number in it is too large: write answers as text")
    return value


def _answer(value: Any) -> SubmittedAnswer:
    """The answer that a value is. Raises _Refused."""
    if not isinstance(value, dict):
        raise _Refused(f"it is not an object: write {FORM}")
    unknown = sorted(value.keys() - FIELDS)
    if unknown:
        raise _Refused(f"it has {shown_name(unknown[0])}, which no answer has: write {FORM}")
    name, repeat = value.get("id"), value.get("repeat", 0)
    if not isinstance(name, str):
        raise _Refused("its id is missing or no text: take the ids from the export")
    if isinstance(repeat, bool) or not isinstance(repeat, int) or not 0 <= repeat < MOST_REPEATS:
        raise _Refused(f"its repeat must be a whole number from 0 to {MOST_REPEATS - 1}")
    if "answer" not in value:
        raise _Refused("it has no answer: write null where the model gave none")
    session, usage = value.get("session"), value.get("usage")
    if session is not None and not (isinstance(session, str) and _SESSION.fullmatch(session)):
        raise _Refused("its session is none: write the 32 letters and digits that opening the session gave")
    return SubmittedAnswer(name, _text(value["answer"]), repeat, session, _usage(usage))


def _usage(given: Any) -> dict[str, int | float] | None:
    """What an answer took. Raises _Refused."""
    if given is None:
        return None
    if not isinstance(given, dict) or not given.keys() <= USAGE.keys():
        raise _Refused(f"its usage must be an object with {', '.join(USAGE)} and no more")
    for name, kind in USAGE.items():
        one = given.get(name, 0)
        if isinstance(one, bool) or not isinstance(one, kind) or not 0 <= one <= MOST_USED:
            number = "a whole number" if kind is int else "a number"
            raise _Refused(f"the {name} of its usage must be {number} from 0 to {MOST_USED:,}")
    return given


def _text(answer: Any) -> str | None:
    if answer is None:
        return None
    if not isinstance(answer, str):
        raise _Refused('its answer is not a text: write it in quotes, such as "12"')
    if len(answer) > MOST_CHARACTERS:
        raise _Refused(
            f"its answer has {len(answer):,} characters, {MOST_CHARACTERS:,} at most are taken: shorten it"
        )
    if "\x00" in answer:
        raise _Refused("its answer holds a NUL character: leave it out")
    try:
        answer.encode()
    except UnicodeEncodeError as error:
        raise _Refused("its answer holds half of a surrogate pair: write whole characters") from error
    return answer
