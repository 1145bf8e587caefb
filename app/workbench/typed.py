"""What somebody typed into the form of a draft, checked: lengths, and no sign that hides or turns text about."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.errors import UsageError
from app.core.words import with_hidden_shown
from app.workbench.forms import WrittenForm
from app.workbench.records import NO_OPTION

MOST_OPTIONS = 7
LONGEST_QUESTION = 2000
LONGEST_OPTION = 200
LONGEST_NOTE = 1000


@dataclass(frozen=True)
class Typed:
    """What an author says of a question; `key` is the place of the right option, -1 for none, None while it is open."""

    class_: str
    dimension: str
    question: str
    options: tuple[str, ...]
    key: int | None


def read_typed(form: WrittenForm, sent: Mapping[str, str]) -> Typed:
    """The fields of the form. Options that are empty are left out, and the key follows the option that it is.

    Raises UsageError for what cannot be kept; a question that is not complete yet can.
    """
    class_ = sent.get("draft_class", next(iter(form.classes)))
    dimension = sent.get("draft_dimension", "")
    if class_ not in form.classes or dimension not in form.dimensions:
        raise UsageError("Choose the class and the dimension from their lists.")
    places = range(MOST_OPTIONS)
    texts = [read_line(sent.get(f"draft_option_{place}", ""), f"Option {place + 1}") for place in places]
    kept = [place for place in places if texts[place]]
    question = read_text(sent.get("draft_question", ""), "The question", LONGEST_QUESTION)
    key = _read_key(sent.get("draft_key", ""), kept)
    return Typed(class_, dimension, question, tuple(texts[place] for place in kept), key)


def read_text(text: str, what: str, longest: int) -> str:
    """A text of one line or several. Raises UsageError for one that is too long, or hides something."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    plain = "\n".join(lines).strip()
    if len(plain) > longest:
        raise UsageError(f"{what} has {len(plain):,} characters; at most {longest:,} are kept.")
    shown = with_hidden_shown(plain)
    if shown != plain:
        raise UsageError(
            f"{what} holds a sign that is not seen or turns text about. It stands where the brackets are: {shown[:300]}"
        )
    return plain


def read_line(text: str, what: str, longest: int = LONGEST_OPTION) -> str:
    """As `read_text`, in one line."""
    return " ".join(read_text(text, what, longest).split())


def _read_key(sent: str, kept: list[int]) -> int | None:
    if sent == "none":
        return NO_OPTION
    place = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 3 else None
    return kept.index(place) if place in kept else None
