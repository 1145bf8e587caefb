"""Names and texts that somebody else gives: which can be shown as they are, and how the others are shown."""

import re
import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, Field

_EMPTY_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U000e0100-\U000e01ef]"
)
"""Letters, marks and signs that show nothing, though they count as printable."""
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What turns the direction of text about: a reader sees other words than a program does."""
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\U000e0000-\U000e007f]")
_WIDTHLESS = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\u206a-\u206f\ufeff]")
_STYLING = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Signs that choose a form of the sign before them, as of an emoji."""
_JOINERS = "\u200c\u200d"
_HIDING = re.compile("|".join(one.pattern for one in (_TURNING, _CONTROLS, _WIDTHLESS, _EMPTY_LETTERS)))


def is_printable(word: str) -> bool:
    """Whether every sign of `word` shows: no control, nothing that turns text about, no letter that is empty."""
    return word.isprintable() and _EMPTY_LETTERS.search(word) is None


def printable(word: str) -> str:
    """`word`, where it has nothing in it that cannot be shown: no NUL, no control sign, no half of a pair."""
    if not is_printable(word):
        raise ValueError("must be printable")
    return word


def with_hidden_shown(text: str) -> str:
    """`text` in which what controls a terminal, turns text about or shows nothing is written out, as [U+202E].

    What some scripts and emoji need is kept: a joiner between two of their signs, and what chooses a sign's form.
    """
    return _HIDING.sub(lambda found: found[0] if _is_needed(found) else f"[U+{ord(found[0]):04X}]", text)


def _is_needed(found: re.Match[str]) -> bool:
    text, at = found.string, found.start()
    before, after = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if _STYLING.fullmatch(found[0]):
        return _shows(before)
    if _STYLING.fullmatch(before):
        before = text[max(at - 2, 0) : at - 1]
    return found[0] in _JOINERS and _is_joined(before) and _is_joined(after)


def _is_joined(sign: str) -> bool:
    """Whether a sign may stand beside a joiner: a letter without capitals, a mark, a part of an emoji."""
    return _shows(sign) and unicodedata.category(sign) in ("Lo", "Mn", "Mc", "So", "Sk")


def _shows(sign: str) -> bool:
    return sign != "" and not sign.isspace() and _HIDING.fullmatch(sign) is None


def in_page(value: Any) -> Any:
    """A value as a template writes it into a page, before it is escaped: nothing in it is hidden.

    What is HTML already was made of values that came by here.
    """
    return with_hidden_shown(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def look_of(name: str) -> str:
    """What a reader sees of `name`: names that look alike are equal in it, whatever letters they are written with.

    It is for comparing alone, and coarser than what one would call the same name.
    """
    plain = unicodedata.normalize("NFKD", name).translate(_LIKE_CAPITALS).casefold()
    signs = [_like(sign) for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign)]
    looked = " ".join("".join(signs).split())
    for several, one in (("rn", "m"), ("vv", "w")):
        looked = looked.replace(several, one)
    return looked


def mixed_scripts(name: str) -> tuple[str, str] | None:
    """Two alphabets with letters that look alike, of which one word of `name` holds both; None where none does."""
    for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", name)):
        scripts = sorted({script for sign in word if (script := _script(sign)) in ALPHABETS})
        if len(scripts) > 1:
            return scripts[0].capitalize(), scripts[1].capitalize()
    return None


def unmixed(word: str) -> str:
    """`word`, where none of its words mixes alphabets that look alike."""
    mixed = mixed_scripts(word)
    if mixed is not None:
        raise ValueError(f"must not mix {mixed[0]} and {mixed[1]} letters in one word: they look alike")
    return word


ALPHABETS = frozenset("LATIN CYRILLIC GREEK ARMENIAN CHEROKEE COPTIC LISU".split())
_CAPITALS = {
    "АВЕЅІЈКМНОРСТУХԚԜӀҮѴ": "ABESIJKMHOPCTYXQWIYV",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ": "ABEZHIKMNOPTYXCJ",
    "ՕՍՏԼ": "OUSL",
    "ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏢᏟᏞᏙᏚᏴᏦᎹᏒ": "DRTAJEWMHGZPCLVSBKYR",
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDTGKJCZFMNLSRVHWXYAEIOU",
}
_SMALL = {
    "авсԁеһнкморԛѕтухԝіјӏѵзү": "abcdehhkmopqstyxwijlv3y",
    "αβγεηικνορστυχωϲϳ": "abyenikvopotuxwcj",
    "օոսհցքյգ": "onuhgpjq",
    "ⲟⲥⲣⲕ": "ocpk",
    "ıɩɑɡƅʋ": "iiagbu",
    "0i1|ǀ∣": "olllll",
    "_–—‑‐−‒―·": "-" * 9,
    "’‘ʼ`´": "'" * 5,
}


def _table(pairs: dict[str, str]) -> dict[int, str]:
    return {
        ord(sign): like for signs, likes in pairs.items() for sign, like in zip(signs, likes, strict=True)
    }


_LIKE_CAPITALS = _table(_CAPITALS)
_LIKE_SMALL = _table(_SMALL)
_SMALL_CAPITAL = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")


def _like(sign: str) -> str:
    """The plain letter or digit that looks like `sign`, which is lower case; itself where there is none."""
    found = _SMALL_CAPITAL.fullmatch(unicodedata.name(sign, ""))
    if found is not None:
        sign = found[1].lower()
    digit = unicodedata.digit(sign, None)
    plain = sign if digit is None else str(digit)
    once = _LIKE_SMALL.get(ord(plain), plain)
    return _LIKE_SMALL.get(ord(once), once)


def _script(sign: str) -> str:
    return unicodedata.name(sign, "").partition(" ")[0]


Word = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(printable)]
"""A name of ours."""
