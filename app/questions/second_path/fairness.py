"""Second path: what makes an option stand out by its looks alone, whatever it says."""

import re
import unicodedata
from collections.abc import Mapping

from app.questions.second_path.names import normal_form, without_marks

MOST_TIMES_AS_LONG = 2.0
_JAPANESE = re.compile(r"(CJK|HIRAGANA|KATAKANA|BOPOMOFO)\b")


def writing(text: str) -> str:
    """The scripts that letters of a text are of, as Unicode names them; Japanese is one with Chinese."""
    found = set()
    for sign in filter(str.isalpha, normal_form(text)):
        name = unicodedata.name(sign, "?")
        found.add("CJK" if _JAPANESE.match(name) else name.split()[0])
    return " and ".join(sorted(found))


def stands_out(key: str, text: str) -> str | None:
    """Why a wrong option can be told from the key by looks: another script, or too long or short; None if it cannot."""
    if writing(key) != writing(text):
        return f"written in {writing(text) or 'no script'}, the key in {writing(key) or 'none'}"
    shorter, longer = sorted((len(key), len(text)))
    if longer > MOST_TIMES_AS_LONG * shorter:
        return f"{len(text)} characters long, the key {len(key)}: more than twice"
    return None


def spoken(text: str, least: int = 3) -> set[str]:
    """The words of so many letters or more, without accents and a plural's s."""
    words = re.findall(r"\w+", without_marks(text))
    return {word.removesuffix("s") for word in words if len(word) >= least}


def said_by_tags(tags: Mapping[str, str]) -> set[str]:
    """All that an object's tags call it, in words: every value, and every key that is not denied."""
    said: set[str] = set()
    for key, value in tags.items():
        if value != "no":
            said |= {key, *value.split(";")}
    return {" ".join(one.replace("_", " ").split()) for one in said}


def is_said_by_tags(tags: Mapping[str, str], text: str) -> bool:
    """Whether any tag says the same as a text: what a wrong option says of an object must not be among them."""
    return any(says_the_same(text, one) for one in said_by_tags(tags))


def says_the_same(one: str, other: str) -> bool:
    """Whether all words of one are among the other's: doctor and doctors, gallery and art gallery."""
    mine, theirs = spoken(one, 1), spoken(other, 1)
    return bool(mine) and bool(theirs) and (mine <= theirs or theirs <= mine)
