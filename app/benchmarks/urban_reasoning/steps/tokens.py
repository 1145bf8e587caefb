"""The numbers, symbols and signs of a plain text. Every pattern is read in linear time."""

import re
from typing import NamedTuple

NUMBER, WORD, FUNCTION, SIGN, LINE = "number", "word", "function", "sign", "line"
FUNCTIONS = {
    "arcsin": "asin", "arccos": "acos", "arctan2": "atan2", "arctan": "atan", "asin": "asin", "acos": "acos",
    "atan2": "atan2", "atan": "atan", "sin": "sin", "cos": "cos", "tan": "tan", "sqrt": "sqrt", "radians": "radians",
    "deg2rad": "radians", "rad2deg": "degrees", "degrees": "degrees", "frac": "frac", "abs": "abs", "hypot": "hypot",
}  # fmt: skip
EXACT = (0.5, 0.25, 1.5, 22.5, 11.25, 67.5, 112.5, 157.5, 202.5, 247.5, 292.5, 337.5)
"""Decimal numbers that formulas and the sectors of the compass have; they are not rounded."""
_UNIT = (
    r" {0,2}(?P<unit>°|kilomet(?:re|er)s?\b|met(?:re|er)s?\b|radians?\b|rads?\b|km\b|m\b(?!\w)|degrees?\b|deg\b"
    r"|miles?\b|mi\b|%)"
)
_NUMBER = (
    r"(?P<digits>(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)|\d{1,25})(?:\.\d{1,25})?|\.\d{1,25})(?:[eE](?P<exp>[-+]?\d{1,3}))?"
    r"(?: ?[*xX] ?10 ?\^ ?(?:\{ ?(?P<ten1>[-+]? ?\d{1,3}) ?\}|\( ?(?P<ten2>[-+]? ?\d{1,3}) ?\)"
    r"|(?P<ten3>[-+]?\d{1,3})))?"
)
_SEXAGESIMAL = re.compile(
    r"(?P<d>\d{1,3}) ?° ?(?P<m>\d{1,2}(?:\.\d{1,6})?) ?(?:'|minutes?\b|min\b)"
    r"(?: ?(?P<s>\d{1,2}(?:\.\d{1,6})?) ?(?:\"|''|seconds?\b|sec\b))? ?(?P<side>[NSEW](?![a-zA-Z]))?"
)
_FUNCTION = "|".join(sorted(FUNCTIONS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER}(?:{_UNIT})?)"
    rf"|(?:(?:math|np|numpy|Math)\.)?(?P<function>(?:{_FUNCTION})(?![a-zA-Z_\d]))"
    r"|(?P<word>(?:Δ ?)?[^\W\d_]+(?:_?[^\W_]+)*(?:_(?:rad|deg|km))?)"
    r"|(?P<arrow>[-=]>)|(?P<line>\n)|(?P<sign>[-+*/^(){}\[\]=→:;,|'\"°.?!<>±])"
)
_SIDE = re.compile(r" {0,2}(?P<side>[NSEW])(?![\w'])")
UNITS = {"°": "deg", "d": "deg", "r": "rad", "k": "km", "%": "%"}
_MILES = 1.609344


class Token(NamedTuple):
    """A piece of a text. Of numbers: the value, half a unit of the last digit (0 for exact ones), unit and sign."""

    kind: str
    text: str
    start: int
    end: int
    value: float = 0.0
    half: float = 0.0
    unit: str = ""
    digits: int = 0


def tokens_of(text: str) -> list[Token]:
    """The tokens in their order. Other signs are left out."""
    found: list[Token] = []
    place = 0
    while place < len(text):
        angle = _SEXAGESIMAL.match(text, place) if text[place].isdigit() else None
        if angle:
            found.append(_angle(angle))
            place = angle.end()
            continue
        match = _TOKEN.match(text, place)
        if match is None:
            place += 1
            continue
        token = _token(match, text)
        found.append(token)
        place = token.end
    return found


def _token(match: re.Match[str], text: str) -> Token:
    start, end = match.span()
    if match["number"]:
        return _number(match, text)
    if match["function"]:
        return Token(FUNCTION, FUNCTIONS[match["function"]], start, end)
    if match["word"]:
        return Token(WORD, match["word"].replace(" ", ""), start, end)
    if match["arrow"]:
        return Token(SIGN, "→", start, end)
    return Token(LINE if match["line"] else SIGN, match[0], start, end)


def _angle(found: re.Match[str]) -> Token:
    seconds = found["s"] or "0"
    value = float(found["d"]) + float(found["m"]) / 60 + float(seconds) / 3600
    last = seconds if found["s"] else found["m"]
    unit = (1 / 3600 if found["s"] else 1 / 60) * 0.1 ** len(last.partition(".")[2])
    sign = -1.0 if found["side"] and found["side"] in "SW" else 1.0
    return Token(NUMBER, found[0], *found.span(), sign * value, unit / 2, "deg", 7)


def _number(match: re.Match[str], text: str) -> Token:
    digits = match["digits"].replace(",", "")
    ten = match["ten1"] or match["ten2"] or match["ten3"] or "0"
    power = int(match["exp"] or 0) + int(ten.replace(" ", ""))
    value = float(digits) * 10.0**power if abs(power) < 100 else 0.0
    decimals = len(digits.partition(".")[2])
    half = 0.5 * 10.0 ** (power - decimals) if abs(power) < 100 else 0.0
    unit = match["unit"] or ""
    name = {"mi": "mi", "ra": "rad", "km": "km", "ki": "km", "me": "m", "m": "m", "de": "deg"}.get(
        unit[:2], UNITS.get(unit[:1], "")
    )
    if name == "mi":
        value, half, name = value * _MILES, half * _MILES, "km"
    end = match.end()
    side = _SIDE.match(text, end) if name == "deg" or (not name and decimals >= 3) else None
    if side:
        value, end, name = (-value if side["side"] in "SW" else value), side.end(), "deg"
    if value in EXACT:
        half = 0.0
    significant = len(digits.replace(".", "").lstrip("0"))
    return Token(NUMBER, match[0], match.start(), end, value, half, name, significant)
