"""Figures made plain: formulas of LaTeX, raised digits and signs for fractions in answer text → plain characters.

`1{,}081\\,\\text{m}` becomes `1,081 m`, `1½` becomes `1 1/2`, `m²` becomes `m^2`. Boxes stay: they mark an answer.
Linear in the text's length.
"""

import re
import unicodedata

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_RAISED_RUN = re.compile(f"[{''.join(_RAISED)}]+")
_VULGAR = re.compile("([0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]?)([¼-¾⅐-⅞↉])")
_TO_PLAIN = str.maketrans({"٫": ".", "٬": ",", "\u2044": "/", "\uff3f": "_", "\u301c": "~", "\u02cb": "'"})
_TOLERANCE = re.compile(r"\s?(?:±|\+/-|\\pm)\s?[0-9][0-9.,]{0,20}")
_TIED_UNIT = re.compile(r"(?<=[0-9])~(?=[^\W\d_]|\\)")
_AND_A_PART = re.compile(
    r"(?<=[0-9])\s+and\s+(?:an?\s+|one\s+)?(half|quarter|three[ -]quarters?)\b", re.IGNORECASE
)
_HALF_IN_ONE_WORD = re.compile(r"\bпол(?=(?:кило)?метр|мил|гектар)", re.IGNORECASE)
_PART_OF_ONE = {"h": "1/2", "q": "1/4", "t": "3/4"}
_FRACTION = re.compile(
    r"\\[dts]?frac\s?(?:\{([^{}]{1,12})\}\s?\{([^{}]{1,12})\}|([0-9])\s?([0-9]))|\\(?:nice|s)frac\{([^{}]{1,12})\}\{([^{}]{1,12})\}"
)
_SEPARATOR = re.compile(r"\{[,.]\}")
_GROUPED = re.compile(
    r"(?<=[0-9])(?:\\[,;: !]|\\(?:thin|med|thick|neg)space\s?|\\!,\\!|\\_|\\hspace\{[^{}]{0,12}\})(?=[0-9]{3}(?![0-9]))"
)
_CLOSED_UP = re.compile(r"\\!")
_SI = re.compile(
    r"\\(?:SI|qty)\s?(?:\[[^\]]{0,60}\])?\{([^{}]{1,40})\}\s?\{([^{}]{1,60})\}|\\(?:num|ang)\{([^{}]{1,40})\}"
)
_SI_NAMES = {
    "kilo": "k", "metre": "m", "meter": "m", "squared": "^2", "square": "square ", "hectare": "ha",
    "degree": "°", "centi": "c", "milli": "m", "mile": "mile", "cubed": "^3", "cubic": "cubic ", "per": "/",
    "second": "s", "radian": "rad",
}  # fmt: skip
_STYLED = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt|cal)|mbox|hbox|operatorname\*?|rm|bf|unit|si)\s?\{([^{}]{0,200})\}"
)
_NAMED = {
    "times": "x", "cdot": "x", "circ": "°", "degree": "°", "textdegree": "°", "approx": " ~", "sim": " ~",
    "simeq": " ~", "pi": "π", "quad": " ", "qquad": " ", "left": "", "right": "", "displaystyle": "", "rm": "",
    "prime": "'", "ldots": "…", "dots": "…", "to": "→", "rightarrow": "→", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "space": " ", "thinspace": " ",
}  # fmt: skip
_COMMAND = re.compile(r"\\([a-zA-Z]{2,20})(?![a-zA-Z])\s?")
_POWER = re.compile(r"\^\s?\{\s?([^{}]{0,12}?)\s?\}")
_DEGREE_POWER = re.compile(r"\^\s?°")
_PAIR_OF_SIGNS = re.compile(r"\${1,2}([^$\n]{1,300})\${1,2}")
_SIGNS = re.compile(r"\\[()\[\],;:! ]|\$(?![0-9])|\\(?=[%#&_])")


def signs_made_plain(text: str) -> str:
    """`text` with raised digits, signs for fractions and tolerances in plain characters; before it is made plain."""
    if not text.isascii():
        text = _RAISED_RUN.sub(lambda run: "^" + "".join(map(_RAISED.__getitem__, run[0])), text)
        text = _VULGAR.sub(_vulgar, text).translate(_TO_PLAIN)
        text = _HALF_IN_ONE_WORD.sub("0.5 ", text)
    return _TOLERANCE.sub("", text)


def formulas_made_plain(text: str) -> str:
    """Plain `text` with its formulas in plain characters; "2 and a half" is "2 1/2"."""
    text = _TIED_UNIT.sub(" ", text)
    text = _AND_A_PART.sub(lambda part: f" {_PART_OF_ONE[part[1].lower()[0]]}", text)
    return _without_commands(text) if "\\" in text or "{" in text or "$" in text else text


def _vulgar(sign: re.Match[str]) -> str:
    apart = unicodedata.normalize("NFKC", sign[2])
    return f"{sign[1]} {apart}" if sign[1] else apart


def _without_commands(text: str) -> str:
    text = _PAIR_OF_SIGNS.sub(r" \1 ", _TOLERANCE.sub("", text))
    text = _SEPARATOR.sub(lambda mark: mark[0][1], text)
    text = text.replace("\\!,\\!", ",")
    text = _GROUPED.sub(" ", text)
    text = _CLOSED_UP.sub("", text)
    text = _SI.sub(_si, text)
    for _ in range(3):
        text = _STYLED.sub(lambda styled: f" {styled[1]}" if styled[1][:1].isalpha() else styled[1], text)
    text = _FRACTION.sub(_fraction, text)
    text = _POWER.sub(r"^\1", text)
    text = _COMMAND.sub(_named, text)
    text = _DEGREE_POWER.sub("°", text)
    return _SIGNS.sub(_sign, text)


def _fraction(parts: re.Match[str]) -> str:
    above, below = [part for part in parts.groups() if part]
    return f" {above.strip()}/{below.strip()} "


def _si(parts: re.Match[str]) -> str:
    if parts[3]:
        return f"{parts[3]}°" if parts[0].startswith("\\ang") else parts[3]
    unit = re.sub(r"\\([a-z]+)\s?", lambda name: _SI_NAMES.get(name[1], name[1]), parts[2])
    return f"{parts[1]} {unit}"


def _named(command: re.Match[str]) -> str:
    return _NAMED.get(command[1], command[0])


def _sign(sign: re.Match[str]) -> str:
    return "" if sign[0] == "$" or sign[0] == "\\" else " "
