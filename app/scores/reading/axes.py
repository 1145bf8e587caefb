"""Directions told from an axis: "N 30° E", "45 degrees west of north", "北偏东30度" → azimuths, and which told none."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from app.scores.reading.compass import NAME, azimuth_of

_NUMBER = r"(?P<angle>[0-9]{1,3}(?>(?:[.,][0-9]{1,9}+)?))"
_DEGREE = r"\s?(?:°|deg(?:ree)?s?\b|Grad\b|degrés?\b|grad[oi]s?\b|graus\b|grader\b|graden\b|градус(?:ов|а|ы)?\b|度|도)"
_MINUTE = r"(?>(?:\s?(?P<minutes>[0-5]?[0-9])\s?(?:'|min(?:ute)?s?\b))?)"
_ANGLE = rf"(?<![\w.,]){_NUMBER}(?:{_DEGREE}{_MINUTE})?"
_DEGREES = rf"(?<![\w.,-]){_NUMBER}{_DEGREE}{_MINUTE}"
_THE = r"(?:(?:true|due|the|grid|magnetic|geographic|dem|der|den|le|la|el|il|lo|o|a|geografisch)\s+|l')*"
_OF = r"(?:of|from|off|von|vom|du|de|del|dell'|di|da|do|от|au|van|från|od)"
_TO = r"(?:towards?|to|into|in|nach|gegen|zu|zum|vers|hacia|verso|para|к|mot|naar|w)"


@cache
def _axes() -> Sequence[re.Pattern[str]]:
    return (
        re.compile(
            rf"(?<!\w)(?P<pole>[NSEW]|north|south|east|west)\s?{_NUMBER}(?:\s?(?:°|deg(?:ree)?s?){_MINUTE})?\s?(?P<side>[NSEW]|north|south|east|west)(?!\w)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{_ANGLE}\s*(?:(?:to|à|a|al|zu|nach|in|к|na|till|naar)\s+)?{_THE}(?P<side>{NAME}|(?-i:[NSEW])|est|este)\s+{_OF}\s*{_THE}(?P<pole>{NAME}|(?-i:[NSEW]))(?!\w)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{_ANGLE}\s*{_OF}\s+{_THE}(?P<pole>{NAME}|(?-i:[NSEW]))\s+{_TO}\s+{_THE}(?P<side>{NAME}|(?-i:[NSEW]))(?!\w)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{_OF}\s+{_THE}(?P<pole>{NAME})\s+{_ANGLE}\s*{_TO}\s+{_THE}(?P<side>{NAME})(?!\w)",
            re.IGNORECASE,
        ),
        re.compile(rf"(?P<pole>[北南东東西])偏(?P<side>[北南东東西])\s?{_NUMBER}\s?(?:度|°)"),
        re.compile(
            rf"(?P<pole>[北南東西])から(?P<side>[北南東西])(?:へ|に|の方へ|向き|側に|寄り)?\s?{_NUMBER}\s?(?:度|°)"
        ),
        re.compile(rf"(?P<pole>[북남동서])(?:쪽)?에서\s?(?P<side>[북남동서])쪽?으로\s?{_NUMBER}\s?(?:도|°)"),
    )


@cache
def _turned() -> re.Pattern[str]:
    return re.compile(
        rf"{_DEGREES}\s*,?\(?(?:measured\s)?(?:to the\s)?"
        rf"(?:(?P<right>clockwise|cw|right|im uhrzeigersinn|rechts|dans le sens horaire"
        rf"|en sentido horario|顺时针|時計回り)"
        rf"|(?P<left>(?:anti|counter)[ -]?clockwise|ccw|left|gegen den uhrzeigersinn|links|逆时针|反時計回り))\)?"
        rf"\s*{_OF}\s*{_THE}(?P<pole>{NAME}|(?-i:[NSEW]))(?!\w)",
        re.IGNORECASE,
    )


@cache
def _other_axis() -> re.Pattern[str]:
    return re.compile(
        rf"{_DEGREES}\s*(?:(?:(?:anti|counter)[ -]?)?clockwise\s+|(?:to the\s)?(?:right|left)\s+)?"
        rf"(?:(?:of|from|off|to|with)\s+(?:the\s+)?(?!(?:true|due|the|grid|magnetic|geographic)?\s*(?:north|N)\b)"
        rf"(?:(?:positive\s)?[xy]\b|x-?axis|y-?axis|horizontal|vertical|horizon|axis|line|road|street|{NAME})"
        rf"|(?:below|above)\s+the\b)",
        re.IGNORECASE,
    )


def azimuths_from_axes(text: str) -> Iterator[float | None]:
    """The azimuths of `text` (plain) that are told from an axis, None for an axis or a side that tells none."""
    found = False
    for pattern in _axes():
        for match in pattern.finditer(text):
            found = True
            yield _of_axis(match)
        if found:
            return
    for match in _turned().finditer(text):
        found = True
        pole = azimuth_of(match["pole"])
        yield None if pole is None else (pole + (_angle(match) if match["right"] else -_angle(match))) % 360.0
    if not found and _other_axis().search(text):
        yield None


def _of_axis(match: re.Match[str]) -> float | None:
    pole, side, angle = azimuth_of(match["pole"]), _side_of(match["side"]), _angle(match)
    if pole is None or side is None or pole % 90 or side % 90 or angle > 90.0:
        return None
    turn = (side - pole) % 360.0
    if turn not in (90.0, 270.0):
        return None
    return (pole + (angle if turn == 90.0 else -angle)) % 360.0


def _side_of(name: str) -> float | None:
    return 90.0 if name.lower() in ("est", "este") else azimuth_of(name)


def _angle(match: re.Match[str]) -> float:
    minutes = match.groupdict().get("minutes")
    return float(match["angle"].replace(",", ".")) + (float(minutes) / 60 if minutes else 0.0)
