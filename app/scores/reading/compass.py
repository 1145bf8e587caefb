"""The points of the compass in text, in a dozen languages → azimuths of the middles of their sectors."""

import re
from typing import NamedTuple

_SIXTEEN = "n nne ne ene e ese se sse s ssw sw wsw w wnw nw nnw".split()
SECTORS = {name: 22.5 * index for index, name in enumerate(_SIXTEEN)}

_WORDS = {
    "n": "north|norden|nord|norte|noord|norr|północn[yaeo]|północ|север[оа]?|צפון|شمال|उत्तर|nor(?=oeste|este)|βόρεια"
    "|kuzey|utara",
    "s": "south|süden|süd|sud|sul|zuid|söder|syd|południow[yaeo]|południe|юг[оа]?|דרום|جنوب|दक्षिण|sur(?=oeste|este)"
    "|νότια|güney|selatan",
    "e": "east|osten|ost|oost|öster|leste|wschód|wschodni[aey]?|восток[а]?|מזרח|شرق|पूर्व|ανατολικά|doğu|timur",
    "w": "west(?:en)?|ouest|oeste|ovest|väster|väst|zachód|zachodni[aey]?|запад[а]?|מערב|غرب|पश्चिम|δυτικά|batı|barat",
}
_FIRST_LETTERS = {"nor": "n", "sur": "s", "este": "e", "est": "e"}
"""Words that mean more than a direction in one language, so that they count as a part of a name alone."""
_LETTER_OF = [(letter, re.compile(f"(?:{words})", re.IGNORECASE)) for letter, words in _WORDS.items()]
_POINT = f"(?:{'|'.join(_WORDS.values())})"
_SECOND = f"(?:{'|'.join(_WORDS.values())}|este|est)"
_ENDING = (
    r"(?:er[nl]y?|wards?|lich(?:e[nrs]?)?|ern|ly|side|en|elijke?|waarts|у|е|ом|н(?:ый|ая|ое|ом|ого|ее)|um|zie|ie|u|em"
    r"|ly|ling|ra|ut|liga?|erut)?"
)
NAME = rf"(?<![^\W\d_]){_POINT}(?:[ -]?{_SECOND}){{0,2}}{_ENDING}(?![^\W\d_])"
"""A point of the compass in words; for use inside other patterns that ignore case."""
_NAME = re.compile(NAME, re.IGNORECASE)
_PARTS = re.compile(_SECOND, re.IGNORECASE)
_LETTERS = re.compile(r"(?<![\w'])(?:[NS](?:[NS]?[EW])?|[EW](?:[NS][EW])?)(?![\w'])")
_ALONE = re.compile(
    r"\W*(?:(?:the|al|el|il|le|to the|due|hacia el|vers l'|à l'|l'|verso|a|zum?|nach|im|heading|facing)\s?)?"
    r"(?:(?P<e>est|este|it[äa](?:än)?)|(?P<s>sur|etelä(?:än)?)|(?P<n>pohjoi(?:nen|seen))|(?P<w>länsi|länteen))\W*",
    re.IGNORECASE,
)
_CHINESE = {"北": "n", "南": "s", "东": "e", "東": "e", "西": "w", "북": "n", "남": "s", "동": "e", "서": "w"}
_EASTERN = re.compile(
    r"(?<![\u3400-\u9fff\uac00-\ud7af])(?:[正在往朝向约約于為为是的方答案位]{1,6}[:：]?)?(?P<name>[北南东東西]{1,3}|[북남동서]{1,3})"
    r"(?=[方向部侧側边邊面角쪽향입に。でです]|[^\u3400-\u9fff\uac00-\ud7af偏]|$)"
)
_BY = re.compile(
    rf"(?P<main>{NAME}|(?-i:[NS][EW]?|[EW]))\s+by\s+(?P<other>{NAME}|(?-i:[NSEW]))(?!\w)", re.IGNORECASE
)


class Point(NamedTuple):
    """A point of the compass and where it stands in the text: text[start:end]."""

    azimuth: float
    start: int
    end: int


def points_in(text: str) -> list[Point]:
    """The points that `text` (plain) names in words or, else, in capital letters; in order."""
    by = [point for match in _BY.finditer(text) if (point := _by(match)) is not None]
    if by:
        return by
    named = [(_letters_of(match[0]), match.span()) for match in _NAME.finditer(text)]
    named += [(_of_signs(match["name"]), match.span("name")) for match in _EASTERN.finditer(text)]
    if not named:
        named = [(match[0].lower(), match.span()) for match in _LETTERS.finditer(text)]
    stripped = text.strip(" .!")
    if not named and len(stripped) <= 3:
        named = [(stripped.lower(), (0, len(text)))]
    if not named and len(text) < 60 and (alone := _ALONE.fullmatch(text)):
        named = [(str(alone.lastgroup), (0, len(text)))]
    return [Point(SECTORS[name], *span) for name, span in named if name in SECTORS]


def azimuth_of(name: str) -> float | None:
    """The azimuth of one point, given as a word or as letters."""
    letters = name.lower() if len(name) <= 3 and name.lower() in SECTORS else _letters_of(name)
    return SECTORS.get(letters, SECTORS.get(_of_signs(name)))


def _letters_of(words: str) -> str:
    parts = _PARTS.findall(words)
    letters = [_FIRST_LETTERS.get(part.lower()) or _letter_of(part) for part in parts]
    return _in_order("".join(letters))


def _letter_of(part: str) -> str:
    return next((letter for letter, words in _LETTER_OF if words.fullmatch(part)), "")


def _of_signs(signs: str) -> str:
    return _in_order("".join(_CHINESE.get(sign, "?") for sign in signs))


def _in_order(letters: str) -> str:
    """Chinese says "east-north" for north-east."""
    return letters[::-1] if len(letters) == 2 and letters not in SECTORS else letters


def _by(match: re.Match[str]) -> Point | None:
    main, other = azimuth_of(match["main"]), azimuth_of(match["other"])
    if main is None or other is None or main % 45 or other % 90 or main == other:
        return None
    turn = (other - main + 180.0) % 360.0 - 180.0
    if abs(turn) > 90.0:
        return None
    return Point((main + (11.25 if turn > 0 else -11.25)) % 360.0, *match.span())
