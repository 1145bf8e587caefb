"""The script of a name's letters. Pure."""

import unicodedata
from functools import cache

_SCRIPT_OF_FIRST_WORDS = {
    "CJK": "Han",
    "IDEOGRAPHIC ITERATION": "Han",
    "VERTICAL IDEOGRAPHIC": "Han",
    "CANADIAN": "Canadian Aboriginal",
    "KATAKANA-HIRAGANA": "",  # the long-vowel mark, shared by both
    "FEMININE": "Latin",
    "MASCULINE": "Latin",
    "KELVIN": "Latin",
    "ANGSTROM": "Latin",
    "TURNED": "Latin",
    "OHM": "Greek",
    "MICRO": "",
    "MODIFIER": "",  # the apostrophe of Ukrainian, the okina of Hawaiian: part of any script
    "MATHEMATICAL": "",
    "DOUBLE-STRUCK": "",
    "SCRIPT": "",
    "BLACK-LETTER": "",
    "HENTAIGANA": "Hiragana",
    "OL CHIKI": "Ol Chiki",
    "MEETEI MAYEK": "Meetei Mayek",
}
_WIDTHS = ("HALFWIDTH ", "FULLWIDTH ")
_LIVING = frozenset(
    """ADLAM ARABIC ARMENIAN BALINESE BENGALI BOPOMOFO CHAKMA CHEROKEE COPTIC CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN
    GLAGOLITIC GOTHIC GREEK GUJARATI GURMUKHI HANGUL HEBREW HIRAGANA JAVANESE KANNADA KATAKANA KHMER LAO LATIN LIMBU
    LISU MALAYALAM MONGOLIAN MYANMAR NKO OGHAM ORIYA OSMANYA RUNIC SINHALA SUNDANESE SYRIAC TAGALOG TAMIL TELUGU THAANA
    THAI TIBETAN TIFINAGH VAI YI""".split()
)
"""Scripts that are named by the first word of their letters' names, and that somebody writes names of places in."""
OTHER = "Other"
"""A letter of a script that is not in the tables: ancient, or of names in two words."""


def script(name: str | None) -> str | None:
    """The script of a name's letters: `Latin`, `Han` …; several joined by `+` in their order, such as `Han+Hiragana`.

    None where no letter tells. Marks, digits, signs and letters that every script shares do not count.
    Python has no script property (Unicode's Scripts.txt), so it is derived from the first words of a character's name.
    Compared with that property in perl (Unicode 14): all letters agree but some 200, mostly modifier letters, which
    tell nothing here, and those of the scripts that are `Other` here.
    """
    if not name:
        return None
    if name.isascii():
        return "Latin" if any(map(str.isalpha, name)) else None
    found = dict.fromkeys(map(_script_of, name))
    return "+".join(one for one in found if one) or None


@cache
def _script_of(character: str) -> str:
    """The script of one letter; empty for what is no letter, or no script's own."""
    if not unicodedata.category(character).startswith("L"):
        return ""
    words = unicodedata.name(character, "")
    for width in _WIDTHS:
        words = words.removeprefix(width)
    first, second = [*words.split(" ")[:2], ""][:2]
    for known in (f"{first} {second}", first):
        if known in _SCRIPT_OF_FIRST_WORDS:
            return _SCRIPT_OF_FIRST_WORDS[known]
    return first.title() if first in _LIVING else OTHER
